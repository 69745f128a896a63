// SPDX-License-Identifier: MIT
// The equations of motion at one state, linearized, with independent constraints only: what small motions follow.
#pragma once
#include <complex>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interruptible.hpp"
#include "linalg/decompositions.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What `work` returns for matrices of `rows` rows; Ctrl-C ends it. Small ones are done before a thread would start.
template <class Work>
auto dense_work(Index rows, Work work) {
  constexpr Index large = 150;
  return rows < large ? work() : interruptible(std::move(work));
}

/// A matrix that work in the background may own.
struct Sparse {
  linalg::SparsePattern pattern;
  std::vector<double> values;

  Sparse() = default;
  Sparse(const linalg::SparsePattern& places, std::span<const double> numbers)
      : pattern(places), values(numbers.begin(), numbers.end()) {}

  /// Adds it to a dense matrix, or its transpose.
  void add_to(Eigen::Ref<MatrixXd> out) const;
  void add_transposed_to(Eigen::Ref<MatrixXd> out) const;
  /// out += scale * this * b
  void add_product(const MatrixXd& b, double scale, Eigen::Ref<MatrixXd> out) const;
};

/// A linear vector field on the coordinates, D in dq' = D dq, whose flow carries a steady motion along. D is skew: it
/// turns vectors and Euler parameters.
class LinearFlow {
 public:
  virtual ~LinearFlow() = default;
  /// D columns, each of n numbers.
  virtual MatrixXd derivative(const MatrixXd& columns) const = 0;
  /// Shifts of the whole, and turns about gravity, as columns dq and, below, dv.
  virtual MatrixXd displacements() const = 0;
};

/// Neighbouring motions are
///   dq = N x1,  dv = R x2 + P x1,  with  Phi_q N = 0,  C R = 0,  C P = -(d/dq)(Phi', Psi) N,  C = [Phi_q; A],
/// N and R orthonormal, and da follows from the index-1 equations, linearized.
class LinearizedState {
 public:
  /// Redundant constraints are left out. Throws NumericalError where a freedom has no mass.
  LinearizedState(const system::System& s, const system::Data& data, double t, const std::vector<double>& q,
                  const std::vector<double>& v);

  int position_freedoms() const { return static_cast<int>(free_.cols()); }
  int velocity_freedoms() const { return static_cast<int>(rolling_.cols()); }
  int states() const { return static_cast<int>(states_.size() + integrals_.size()); }
  int size() const { return position_freedoms() + velocity_freedoms() + states(); }
  const std::vector<double>& acceleration() const { return a_; }
  const std::vector<double>& multipliers() const { return lambda_; }  // of redundant constraints 0
  /// a' and, below it, lambda' (n + m rows), for columns with what r and (Phi'', Psi') change by where a and lambda
  /// stay.
  MatrixXd accelerations_along(const MatrixXd& residual_rates) const;

  /// How a state at rest moves, to stay so: q' and, below it, the rates of first-order states (n and n rows).
  struct Rest {
    MatrixXd moved;
    MatrixXd neutral;  // in further directions it may move, too
  };
  /// For columns with what r and Phi change by where nothing moves. Throws NumericalError where the rest gets lost.
  Rest rest_along(const MatrixXd& residual_rates) const;

  /// dq and dv of unit x = (x1, x2, z, integrals of z that something reads), as columns; of states, dv is that of z.
  std::pair<MatrixXd, MatrixXd> columns() const;
  /// da of neighbours that fulfil the constraints, and Phi_q dq and (Phi', Psi) of these for the independent rows.
  MatrixXd acceleration_of(const MatrixXd& dq, const MatrixXd& dv) const { return solution_of(dq, dv).topRows(n_); }
  MatrixXd position_violation(const MatrixXd& dq) const;
  MatrixXd velocity_violation(const MatrixXd& dq, const MatrixXd& dv) const;

  /// The matrix of x' = A x, with bases that turn with the motion no more than the constraints make them; along a
  /// steady motion, whose flow carries the bases, it does not change. `flow` may be null.
  MatrixXd matrix(const LinearFlow* flow) const;

  /// What inputs add to x', where the residuals and the independent constraints' accelerations have these derivatives by
  /// them (n + m rows): A x + B u.
  MatrixXd input_matrix(const MatrixXd& residual_rates) const;

  /// By coordinate, from an eigenvector of matrix().
  std::vector<std::complex<double>> shape(const Eigen::VectorXcd& x) const;

 private:
  friend class Pencil;
  /// da and, below it, dlambda of the independent rows.
  MatrixXd solution_of(const MatrixXd& dq, const MatrixXd& dv) const;
  int integrated(Index k) const { return states_[static_cast<std::size_t>(integrals_[static_cast<std::size_t>(k)])]; }
  int rank() const { return static_cast<int>(rows_.size()); }
  int row(int k) const { return rows_[static_cast<std::size_t>(k)]; }
  bool rolls() const { return position_freedoms() != velocity_freedoms(); }
  Sparse independent_rows(std::span<const double> all) const;
  void solve_implicitly(const system::Kinematics& at, const system::Data& data);
  void factor(std::span<const double> inertia, std::span<const double> force_multiplier);
  void find_integrals();
  void find_freedoms();

  const system::System& system_;
  system::Workspace w_;
  int n_;
  std::vector<double> a_, lambda_;
  std::vector<int> rows_, position_rows_, motion_, states_;  // position_rows_: numbers in rows_
  std::vector<int> integrals_;                               // numbers in states_
  std::shared_ptr<const Eigen::FullPivLU<MatrixXd>> lu_;     // shared with work that Ctrl-C left behind
  Sparse jacobian_, stiffness_, damping_, rate_, acceleration_, acceleration_by_velocity_;
  MatrixXd free_, rolling_, particular_, turning_;  // N, R, P, and R' as the constraints turn R
};

}  // namespace perilune::analysis
