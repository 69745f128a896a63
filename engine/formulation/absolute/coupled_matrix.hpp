// SPDX-License-Identifier: MIT
// The matrix of nodes that are solved for together: blocks of n + m unknowns (a, lambda) per node.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/node.hpp"

namespace perilune::formulation {

class CoupledMatrix {
 public:
  /// Takes patterns only from `dynamics`.
  CoupledMatrix(const Dynamics& dynamics, int size);
  /// From nodes that were just linearized. Throws NumericalError when singular.
  void factor(const Coupling& coupling, std::span<const std::unique_ptr<Dynamics>> nodes, double t);
  /// The matrix last factored, and another one of the same size in place of it; false where that is singular.
  std::span<const double> values() const { return {solver_.values(), solver_.value_count()}; }
  bool factor_values(std::span<const double> values);
  void solve(double* x);
  void solve_transposed(double* x);
  void solve_many(double* x, int count);
  linalg::Pivoting pivoting() { return solver_.pivoting(); }
  void set_pivoting(const linalg::Pivoting& kept) { solver_.set_pivoting(kept); }
  long factorization_count() const { return solver_.factorization_count(); }

 private:
  int size_, n_, m_;
  double regularization_;
  linalg::LinearSolver solver_;
  std::vector<Dynamics::BlockSlots> slots_;  // block by block, row-major
  std::vector<double> correction_;
};

}  // namespace perilune::formulation
