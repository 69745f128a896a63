// SPDX-License-Identifier: MIT
// Projection of proposed positions q* and velocities v* onto the constraints, along directions taken at the proposals:
//   M (q - q*) + Phi_q^T mu = 0,     Phi(q, t) = 0
//   M (v - v*) + Phi_q^T sigma = 0,  Phi_q(q, t) v + Phi_t(q, t) = 0
// with M and the transposed Phi_q at q*: the mass-orthogonal projections of Bayo and Ledesma (1996).
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/node.hpp"

namespace perilune::formulation {

class Projection {
 public:
  /// Redundant constraints are allowed where `formulation` allows them.
  Projection(const std::shared_ptr<const System>& system, const std::shared_ptr<const Data>& data,
             const Formulation& formulation);

  /// x.q and x.v become q and v, x.proposed keeps q* and v*. Throws NumericalError (singular position, no positions
  /// near those proposed).
  void project(const Node& x);
  /// Derivatives at a node projected earlier; the products below refer to the last call.
  void linearize(const Node& x);
  /// Directions stand as in TangentNode. In: those of q*, v* and the data in z. Out: q and v in place of q* and v*.
  void tangent(int count, double* z);
  /// In: adjoints of q, v and the data in z. Out: q* and v* in place of q and v; those of the data are added to.
  void adjoint(double* z);

  /// Of what projects velocities, and positions where that is another matrix; and of the same for their derivatives.
  std::vector<linalg::Pivoting> pivoting();
  void set_pivoting(std::span<const linalg::Pivoting> kept);
  long evaluation_count() const { return evaluations_ + at_proposal_.evaluation_count(); }

 private:
  /// Derivatives by q* and the data of M c + Phi_q^T mu for a correction c.
  struct Curvature {
    std::vector<double> stiffness, residual_data;
  };
  const System& system() const { return at_proposal_.system(); }
  /// With the constraints that the positions are projected onto.
  Dynamics& metric_of_positions() { return of_positions_alone_ ? *of_positions_alone_ : at_proposal_; }
  /// Adds to `state` (n) what takes away a violation (m) of the constraints; its largest number.
  double correct(Dynamics& metric, std::span<const double> violation, double* state);
  void evaluate_end(const Node& x);
  void project_positions(const Node& x);
  void project_velocities(const Node& x);
  /// `solver`: with the matrix of factor_end() for these constraints.
  void find_curvature(Dynamics& metric, linalg::LinearSolver& solver, const Node& x, const double* corrected,
                      const double* proposed, Curvature& out);
  /// Factors [M Phi_q(q*)^T; Phi_q(q) 0], in `solver`.
  void factor_end(linalg::LinearSolver& solver, bool of_positions_alone, double t);

  Dynamics at_proposal_;
  std::unique_ptr<Dynamics> of_positions_alone_;  // of systems with constraints on velocities
  int n_, m_;
  system::Workspace end_;        // constraints at q, v
  linalg::LinearSolver solver_;  // of [M Phi_q(q*)^T; Phi_q(q) 0]
  std::optional<linalg::LinearSolver> solver_of_positions_;
  Dynamics::BlockSlots slots_;
  Curvature base_, of_positions_, of_velocities_;
  std::vector<double> x_, c_, zero_, violation_, many_, dq_, correction_;
  long evaluations_ = 0;
};

}  // namespace perilune::formulation
