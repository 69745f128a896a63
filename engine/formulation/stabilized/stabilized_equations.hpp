// SPDX-License-Identifier: MIT
// The equations of one node in the stabilized index-1 form, and the matrix of nodes that are solved for together:
//   u - v + Phi_q^T mu = 0,  M a + Phi_q^T lambda - Q = 0,  Phi / h = 0,  (Phi_q v + Phi_t) / h = 0
// Unknowns are u, a, mu, lambda; the node's q and v move with u and a of its group by weights of the size of h, so that
// the scaled constraints depend on the unknowns as strongly as the others do, however small the step.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "formulation/node.hpp"
#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

using system::Data;
using system::System;

class StabilizedEquations {
 public:
  StabilizedEquations(std::shared_ptr<const System> system, std::shared_ptr<const Data> data);

  /// Evaluates the system and fills 2 (n + m) residuals.
  void residual(const Node& x, double h, double* r);
  void evaluate(const Node& x);
  /// Where the system was just evaluated. What follows refers to the last call.
  void linearize(const Node& x, bool with_data);

  /// Where the entries of one block of the group's matrix stand, each list in the order of the system's patterns.
  struct Slots {
    std::vector<int> u_u, a_u, a_a, rate_u, rate_a, position_u;  // row_column
    std::vector<int> u_u_diagonal, u_a_diagonal;
    std::vector<int> u_mu, a_lambda, reads;  // of a node's own block
    std::vector<int> mu_mu;                  // of the multipliers mu that constraints on velocities do not have
  };
  /// Adds the block that relates this node to u and a of another of its group, or of its own.
  void add_block(const Slots& slots, double h, double of_v, double of_q, bool is_own, double* values) const;
  /// out (2 (n + m) * count) = minus the residuals' change for directions of q, v and data stacked in z.
  void negative_partials(double h, const double* z, int count, double* out) const;
  /// Transpose: adds to z. The weights w are lost.
  void subtract_partials_transposed(double h, double* w, double* z) const;

 private:
  /// Phi_q, with zeros in the rows of constraints on velocities.
  std::span<const double> of_positions() const {
    return system_->constrains_velocities() ? std::span<const double>(of_positions_) : w_.jacobian;
  }

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  int n_, m_;
  system::Workspace w_;
  std::vector<double> of_positions_;
  system::Workspace of_mu_;  // stiffness and residual_data: derivatives of Phi_q^T mu
  std::vector<double> zero_;
};

class StabilizedMatrix {
 public:
  StabilizedMatrix(const System& system, int size);
  /// From nodes that were just linearized. Throws NumericalError when singular.
  void factor(const Coupling& coupling, std::span<const std::unique_ptr<StabilizedEquations>> nodes, double t);
  linalg::Pivoting pivoting() { return solver_.pivoting(); }
  void set_pivoting(const linalg::Pivoting& kept) { solver_.set_pivoting(kept); }
  void solve(double* x) { solver_.solve(x); }
  void solve_transposed(double* x) { solver_.solve_transposed(x); }
  void solve_many(double* x, int count) { solver_.solve_many(x, count); }

 private:
  int size_;
  linalg::LinearSolver solver_;
  std::vector<StabilizedEquations::Slots> slots_;  // block by block, row-major
};

}  // namespace perilune::formulation
