// SPDX-License-Identifier: MIT
// Linear and nonlinear systems on the constraints, as assembly, kinematics and statics need them: with the matrix
//   [W + H  Phi_q^T  B^T]
//   [Phi_q    -mu      0]      W: weights, H: curvature, B: rows of the coordinates that keep given values
//   [B         0       0]
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

using system::Data;
using system::System;

class ConstraintSolver {
 public:
  /// `kept`: coordinate numbers of B. Throws Error for a number that is no coordinate.
  ConstraintSolver(std::shared_ptr<const System> system, std::vector<int> kept);
  /// There will be a few matrices alone.
  void expect_few() { solver_.expect_few(); }

  const System& system() const { return *system_; }
  system::Workspace& workspace() { return w_; }
  const std::vector<int>& kept() const { return kept_; }
  int size() const { return n_ + m_ + static_cast<int>(kept_.size()); }
  /// Weight of coordinate i in "nearest": none where it follows from the others.
  double weight(int i) const { return system_->role(i) == model::Role::Auxiliary ? 0 : 1; }

  /// Phi, Phi_q and Phi_t (as the rate) at rest.
  void evaluate(double t, const double* q, const Data& data);
  /// Constraints on velocities have no part in what is done with the point last evaluated until the next: their rows
  /// are empty, their multipliers zero. close() leaves them out by itself.
  void leave_out_velocity_rows();
  /// Keeps the matrix solvable with redundant constraints; the effect on a solution is of the same relative size.
  static constexpr double regularization = 1e-13;
  /// Factors the matrix of the point last evaluated; with_curvature adds the stiffness last linearized. mu counts for
  /// constraints scaled to gradients of length 1: that of a distance is as small as the mechanism. Throws
  /// NumericalError.
  void factor(bool with_curvature, double t, double mu = regularization);
  /// The same with other values, in the nn pattern, in place of W + H. `beside`, in the mn pattern, unless null: what
  /// is added to Phi_q below, but not to Phi_q^T. False when singular.
  bool factor_with(const std::vector<double>& upper_left, double mu = regularization,
                   const std::vector<double>* beside = nullptr);
  void solve(double* x);
  void solve_transposed(double* x);

  /// Moves q to a point where the constraints hold, near where it is, with q_i = target_i for the coordinates kept.
  /// False when there is none in reach; q is then where they are as nearly closed as can be.
  bool close(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q);
  /// At the point last evaluated: which constraints stay open, by how much.
  std::string describe_gaps() const;
  /// At q, the point last evaluated: whether they are so narrow that digits of the declared numbers make them.
  bool gaps_are_of_digits(const std::vector<double>& q) const;

 private:
  enum class Progress { Closed, Open, Stuck };
  void evaluate_positions(double t, const double* q, const Data& data);
  double gradient_square(int row) const;
  /// Between the constraints as they are and as they stand in the matrix.
  void scale_constraints(double* x) const;
  double relative_gap(const double* q) const;
  void fill_step(const std::vector<double>& target, const std::vector<double>& q);
  /// How much of the step may be taken: a joint's angle turns by half a radian at most. Its constraint holds as well
  /// half a turn away, so that a longer step might lose the angle.
  double allowed_length() const;
  bool newton(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q);
  bool damped(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q);
  double scaled_square(const std::vector<double>& scale) const;
  double open_length(int row, std::string& unit) const;

  std::shared_ptr<const System> system_;
  std::vector<int> kept_;
  int n_, m_;
  system::Workspace w_;
  linalg::LinearSolver solver_;
  std::vector<double> zero_, step_, trial_, upper_left_;
  std::vector<double> factored_;  // the matrix of the last factorization; empty: it failed
  std::vector<double> scale_;   // of each constraint in the matrix last factored
  std::vector<int> of_angles_;  // constraints of joint angles only, such as drivers and gears
};

/// Throws Error where some constraint is on velocities. `what`: "m:equilibrium"; `remedy` ends the sentence.
void refuse_velocity_constraints(const System& system, const std::string& what, const std::string& remedy);
/// Throws Error where something is sampled: what it becomes at a tick is no part of equations of rest or small motions.
void refuse_sampled(const System& system, const std::string& what);
/// Largest size in x; NaN if there is one.
double largest(const double* x, int n);

}  // namespace perilune::analysis
