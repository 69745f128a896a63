// SPDX-License-Identifier: MIT
// Small motions as a pencil in all coordinates, whose eigenvalues s are those of LinearizedState::matrix(), with the
// flow D (0 without one), C = [Phi_q; A], W = (Phi', Psi)_q, V = (Phi'', Psi')_v, and Z = V - W without a flow:
//   1  s dq + D dq - dv + Phi_q^T mu = 0
//   2  s dv + D dv - da + C^T nu + Z^T kappa = 0
//   3  r_a da + r_lambda dlambda + r_q dq + r_v dv = 0
//   4  C da + (Phi'', Psi')_q dq + V dv = 0
//   5  C dv + W dq = 0
//   6  Phi_q dq = 0
//   7  C (dv - C^T kappa) = 0
// mu and nu are what neighbours of a state that is not steady leave across the constraints, kappa is how the bases
// turn. Its coefficients are derivatives of the equations of motion as they are, without bases of null spaces.
#pragma once
#include <complex>

#include "analysis/small_motion/linearized_state.hpp"

namespace perilune::analysis {

/// Complex vectors as two columns, the real and the imaginary part.
MatrixXd complex_columns(const Eigen::VectorXcd& x);
MatrixXd times(std::complex<double> s, const MatrixXd& x);
/// a^T b, without conjugation.
std::complex<double> product_of(const MatrixXd& a, const MatrixXd& b);

/// The right vector of an eigenvalue. Multipliers have a row for each constraint of the system, 0 for redundant ones.
struct PencilMotion {
  MatrixXd q, v, a, lambda, mu, nu, kappa;
};

/// The left one, by the equations above.
struct PencilWeights {
  MatrixXd of_q, of_v, of_forces, of_accelerations, of_velocities, of_positions, of_turning;
};

class Pencil {
 public:
  /// Of a state that outlives it; `flow` may be null.
  Pencil(const LinearizedState& state, const LinearFlow* flow);

  /// From the right and the left eigenvector of the matrix, with eta^T (A - s) = 0.
  /// With s x = A x - fed; equation 1 and 2 are then short of what `fed` moves.
  PencilMotion motion(const Eigen::VectorXcd& x, std::complex<double> s, const Eigen::VectorXcd& fed) const;
  /// dq and, below it, dv.
  Eigen::MatrixXcd neighbours(const Eigen::MatrixXcd& x) const;
  PencilWeights weights(const Eigen::VectorXcd& eta, std::complex<double> s) const;
  const MatrixXd& jacobian() const { return jacobian_; }  // C, with a row for each constraint of the system

 private:
  MatrixXd flowed(const MatrixXd& x) const;
  /// y with C^T y = right, and with Phi_q^T y = right, as near as can be.
  MatrixXd of_velocity_rows(const MatrixXd& right) const;
  MatrixXd of_position_rows(const MatrixXd& right) const;

  const LinearizedState& state_;
  const LinearFlow* flow_;
  Index all_rows_;
  MatrixXd jacobian_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> velocities_, positions_;  // of C^T and Phi_q^T
};

}  // namespace perilune::analysis
