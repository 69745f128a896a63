// SPDX-License-Identifier: MIT
// Rosenbrock steps of the singular form q' = v, v' = a, 0 = R(t, q, v, a, lambda), with their derivatives. The
// accelerations and multipliers are unknowns like any other, so a mass matrix that depends on positions needs no
// derivatives of its own; the increments of q and v are eliminated, which leaves the matrix
//   R_a + gamma h R_v + (gamma h)^2 R_q,  bordered by lambda.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/motion.hpp"
#include "formulation/step_solver.hpp"
#include "system/motion_rates.hpp"
#include "system/second_order.hpp"

namespace perilune::formulation {

class RosenbrockStep final : public StepSolver {
 public:
  /// `effort`: where the work is counted.
  RosenbrockStep(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, const Formulation& formulation,
                 const RosenbrockScheme& scheme, Effort& effort);

  /// The increments u of all stages, in the arrays of nodes whose times are those of the stages.
  void solve(double h, const Node& start, std::span<const Node> u, double tolerance) override;
  const system::Workspace& workspace(std::size_t) const override { return base_.workspace(); }
  void tangent(int count, const TangentNode& start, std::span<const TangentNode> u, const double* by_length) override;
  void linearize(double h, const Node& start, std::span<const Node> u) override;
  void adjoint(const AdjointNode& start, std::span<const AdjointNode> u) override;
  std::vector<linalg::Pivoting> pivoting() override { return {base_.pivoting()}; }
  void set_pivoting(std::span<const linalg::Pivoting> kept) override { base_.set_pivoting(kept.front()); }

 private:
  /// Numbers of a node side by side.
  Node block(std::vector<double>& storage, std::size_t index) const;
  void set(double h, const Node& start, std::span<const Node> u);
  void factor();
  /// The values of stage i, start + sum of a_ij u_j.
  void place(int i, const Node& start, std::span<const Node> u, const Node& y) const;
  /// The increments of q and v that stage i, with the values y, would have without one of a.
  void propose(int i, const Node& y, std::span<const Node> u) const;
  /// From the residual r_ that is left to the increments of stage i.
  void correct(const Node& u);
  /// Throws NumericalError when the increments of a stage with the values y are not finite.
  void check(int i, const Node& y, const Node& u);
  system::SecondOrder& products();
  /// Whether every stage has equations of its own, which keep what they found for its derivatives.
  bool serves_derivatives() const;
  void serve_derivatives();
  /// The equations at the values of stage i; the first stage stands at the start.
  Dynamics& stage(int i);
  void linearize_stage(int i);
  /// r_ += DR [u] by q and v at the start.
  void add_start_tangent(const Node& u);
  /// The increments of stage i in all directions, interleaved.
  void tangent_stage(int i, const TangentNode& start, std::span<const TangentNode> u);
  /// The tangents of the values of stage i, of the proposed increments of q and v, and what both leave in the residual.
  void place_tangents(int i, const TangentNode& start, std::span<const TangentNode> u);
  void propose_tangents(int i, std::span<const TangentNode> u);
  void subtract_residuals(int i, double* x);
  /// What h as such does to the times of stage i and of the term with R_t; and to the proposed increments.
  void move_times(int i, const TangentNode& start);
  void add_length(int i, double* q, double* v) const;
  void adjoint_stage(int i, const AdjointNode& start, std::span<const AdjointNode> u);
  /// Of correct(): w in r_, the adjoint of the residual in minus_.
  void adjoint_correction(const AdjointNode& own);
  /// Of DR(start) u in the residual: leaves the adjoints of what propose() gave in `own`, and what the start gets of
  /// all stages together, in residuals_ and directions_.
  void adjoint_of_start(int i, const AdjointNode& own);
  /// Of R at the stage's values and of propose(): y_adjoint_.
  void adjoint_of_values(int i, const AdjointNode& start, const AdjointNode& own);

  system::Kinematics kinematics(const Node& x) const { return {x.t, x.q, x.v, x.a, x.lambda}; }
  const ConstraintLaw& law() const { return base_.law(); }

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  Formulation formulation_;
  Effort& effort_;
  std::size_t n_, m_, data_count_;
  Dynamics base_;                                  // at the start of the step, with its matrix
  std::vector<std::unique_ptr<Dynamics>> stages_;  // all but the first: one for all in runs without derivatives
  system::MotionRates rates_;
  std::optional<system::SecondOrder> products_;  // once derivatives are asked for
  const RosenbrockScheme* scheme_;
  double h_ = 0, eta_ = 0;  // eta = gamma h
  Node start_;
  std::vector<Node> u_, values_;               // of the stages
  std::size_t width_ = 0;                      // number of directions
  const double* by_length_ = nullptr;          // how h changes with each; nullptr: not at all
  std::vector<system::Direction> directions_;  // of the start, as the tangents
  std::vector<double> value_storage_, residuals_;
  std::vector<double> direction_storage_;  // tangents of the start, one behind the other
  std::vector<double> y_z_, y_x_;          // tangents of the values of a stage, as in a TangentNode
  std::vector<double> u_z_, of_start_;     // of its increments, with data that stand still; what they leave in R
  std::vector<double> r_, minus_, by_time_, z_, y_adjoint_;
};

}  // namespace perilune::formulation
