// SPDX-License-Identifier: MIT
// Accelerations and multipliers of a point whose forces feel multipliers, from the matrix without these forces.
//
// At a point such forces act along few directions, one for each slip that rubs, whatever the multipliers are. With
// K = [M Phi_q^T; Phi_q -kappa], Q_f the forces that feel lambda, and D an orthonormal basis of what they span,
//   x = x_0 + Y c,   Y = K^-1 [D; 0],   c = D^T (Q_f(x) - Q_f(0)),   x = (a, lambda),
// where x_0 is the solution with Q_f(0). Directions are found on the way: as soon as D has them all, Newton's method
// for c takes the same steps as on all n + m equations, but needs no factors of its own and no other element.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "linalg/decompositions.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class LoadSpan {
 public:
  /// Null where it is of no use: no force feels multipliers, many do, or some read accelerations.
  static std::unique_ptr<LoadSpan> of(const system::System& system);

  using Solve = std::function<void(double* x)>;  // K^-1 x, in place
  /// a and lambda (both in one, n + m numbers) in: x_0; `at`: evaluated there with Q_f(0); `guess`: of lambda (m), from
  /// where Newton's method is to start, or null for that of x_0. Out: the solution to about 1e-12, `at` evaluated with
  /// it, and true; or whatever the way led to, and false, where there are more directions than expected, or no
  /// convergence.
  bool complete(double t, const double* q, const double* v, const system::Data& data, const Solve& solve,
                const double* guess, double* x, system::Workspace& at);

 private:
  static constexpr int most_forces = 8, most_directions = 12;
  using Square =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_directions, most_directions>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_directions, 1>;

  explicit LoadSpan(const system::System& system);
  /// Splits a force into what is along D and what is not; where that is more than rounding, D has one direction more.
  bool take(const Solve& solve, double noise);

  const system::System& system_;
  Eigen::Index n_, m_;
  int count_ = 0;                 // of directions
  Eigen::MatrixXd along_;         // D, n x most_directions
  Eigen::MatrixXd response_;      // Y, (n + m) x most_directions
  Eigen::VectorXd start_, felt_;  // x_0; where forces are evaluated
  Eigen::VectorXd base_, force_, change_, product_;
  Column c_;
};

}  // namespace perilune::formulation
