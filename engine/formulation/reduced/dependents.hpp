// SPDX-License-Identifier: MIT
// How dependent coordinates follow from independent ones at a point: the factors of Phi_u and the slopes G = Phi_u^-1
// Phi_v, by which R = [-G; 1] (independent_coordinates.hpp).
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "formulation/reduced/independent_coordinates.hpp"
#include "linalg/linear_solver.hpp"

namespace perilune::formulation {

class Dependents {
 public:
  /// The split has to outlive this.
  void set_split(const Split& split);
  int d() const { return static_cast<int>(split_->independent.size()); }
  int rows() const { return static_cast<int>(split_->dependent.size() + split_->left_out.size()); }  // m
  const Split& split() const { return *split_; }
  /// Whether anything is dependent at all.
  bool exist() const { return solver_.has_value(); }

  /// From Phi_q: false where Phi_u is singular.
  bool try_factor(std::span<const double> jacobian);
  /// From the factors and Phi_q.
  void find_slopes(std::span<const double> jacobian);
  const std::vector<double>& slopes() const { return slopes_; }  // G: m x d; empty until they are found
  double largest_slope() const;

  // With Phi_u, in place; of `count` columns side by side.
  void solve(double* x) { solver_->solve(x); }
  void solve_transposed(double* x) { solver_->solve_transposed(x); }
  void solve_many(double* x, int count) { solver_->solve_many(x, count); }

  // Numbers of n or d rows stand in `count` columns side by side; `slopes` are these or others that reduce equations.
  /// out (d) += R^T x.
  void add_reduced(const std::vector<double>& slopes, int count, const double* x, double* out) const;
  /// x = R z.
  void expand(const std::vector<double>& slopes, int count, const double* z, double* x) const;
  /// R itself: n x d.
  void write_r(double* r) const;
  /// The dependent rows of x, then zeros for the constraints that are left out: m rows.
  void gather(int count, const double* x, double* out) const;
  /// x += or = low (m rows) in the dependent rows; with =, zeros elsewhere.
  void add_to_dependent(int count, const double* low, double* x) const;
  void spread(int count, const double* low, int n, double* x) const;

  double pivot_ratio() const { return solver_ ? solver_->pivot_ratio() : 1; }
  linalg::Pivoting pivoting() { return solver_ ? solver_->pivoting() : linalg::Pivoting(); }
  void set_pivoting(const linalg::Pivoting& kept) {
    if (solver_) solver_->set_pivoting(kept);
  }

 private:
  const Split* split_ = nullptr;
  std::optional<linalg::LinearSolver> solver_;  // of Phi_u; none without constraints
  std::vector<double> slopes_;
};

}  // namespace perilune::formulation
