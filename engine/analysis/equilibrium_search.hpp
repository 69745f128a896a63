// SPDX-License-Identifier: MIT
// The search for a static equilibrium.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "analysis/assembly.hpp"
#include "analysis/rolling_way.hpp"
#include "analysis/small_motion/linearization.hpp"

namespace perilune::analysis {

/// Which way a search goes its caller says; what it has found so far it tells at any time.
class EquilibriumSearch {
 public:
  EquilibriumSearch(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, double t);
  /// Begins at a place where the constraints hold. Throws NumericalError where something is driven there.
  void start(const ConsistentState& at);

  /// Small steps downhill first, Newton's method in the end. False where that leads nowhere: forces without a potential
  /// (controllers) may balance at a point that is not below the others.
  bool descend();

  /// Newton's method as it stands: to an equilibrium nearby, stable or not. With constraints on velocities the one to
  /// which the way of rolling_way.hpp leads.
  void newton();

  /// The last digits: the position from which Newton's method has the shortest way to go. A residual does not tell
  /// them: a beam's end that moves across, as it should, strains the beam along, and what is left of that in forces, or
  /// their rounding, may be far above what bends it.
  void polish();

  /// Moves off along a shape. False when no position there can be closed.
  bool push_along(const Mode& mode);

  std::optional<Linearization> linearization() const;

  double residual();
  /// V of the way of rolling, and what to say of it (ConsistentState). Throws NumericalError where something is driven.
  void describe_way(ConsistentState& state);

  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }
  const std::vector<double>& lambda() const { return lambda_; }
  int iterations() const { return iterations_; }

 private:
  bool is_state(int i) const { return system_->role(i) == model::Role::State; }
  system::Workspace& w() { return constraints_.workspace(); }

  void count_iteration();
  bool is_far() const;

  void evaluate(const std::vector<double>& q, const std::vector<double>& v);

  // The mass matrix, so that steps are downhill as a motion is; unit mass where there is none.
  void make_metric();

  void update_residual() { system_->residual(w(), nullptr, lambda_.data(), residual_.data()); }

  void find_multipliers();

  /// At the place and with the multipliers that are reached, unless that is done already.
  void linearize_here();
  /// A step without a shift; false where nothing holds some part, which is found out once.
  bool solve_unshifted();

  /// How stiff the mechanism is, per unit of the metric (1/s^2).
  double natural_shift();

  bool solve_step(double shift);

  double allowed_length() const;

  /// Forces that act on the step, times the step.
  double work();

  bool is_balanced();

  /// The work at the end of the step, with the multipliers that the step predicts; nothing where the constraints cannot
  /// be closed or the forces are not finite.
  std::optional<double> try_step(double length);

  void add_multipliers(double length);

  void accept(double length);

  void restore() { evaluate(q_, v_); }

  [[noreturn]] void fail();

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> moving_, data_;  // as for motions, and with the switch of statics thrown
  double t_, size_ = 1;
  int n_, m_, iterations_ = 0;
  /// Statics, and what closes positions: each goes on with its own pivots, as their matrices have none in common.
  ConstraintSolver constraints_, closing_;
  std::vector<double> zero_, q_, v_, lambda_, trial_q_, trial_v_;
  std::vector<double> step_, residual_, metric_, matrix_;
  RollingWay way_;
  /// Steps go to where the way of rolling leads, not only along what rolls.
  bool is_on_way_ = false;
  bool is_linearized_ = false;  // what w() has of slopes is of q_, v_ and lambda_
  bool is_loose_ = false;       // the matrix without a shift is singular around here
};

}  // namespace perilune::analysis
