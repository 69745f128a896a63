// SPDX-License-Identifier: MIT
// A constrained problem as the method sees it: variables, objective and constraints over their scales, failures
// remembered, and every point judged.
#pragma once
#include <Eigen/Core>
#include <string>

#include "optimize/constrained/constrained.hpp"
#include "optimize/constrained/kkt.hpp"

namespace perilune::optimize {

struct JudgedPoint {
  Eigen::VectorXd u;         ///< variables over their scales (n)
  Eigen::VectorXd values;    ///< objective and constraints over theirs (1 + m)
  Eigen::MatrixXd jacobian;  ///< by u (1 + m x n); zero for fixed variables
  bool is_good = false;      ///< all of it is finite
  double violation = 0, kkt = 0;
  Multipliers multipliers;
};

class ScaledConstrained {
 public:
  /// Throws Error as minimize does. `problem` and `options` must outlive this object.
  ScaledConstrained(const ConstrainedProblem& problem, const ConstrainedOptions& options);

  /// The first point, which gives the scales of the functions. Throws NumericalError if it cannot be evaluated.
  const JudgedPoint& begin();
  /// Evaluates at u, projected onto the bounds, unless that is the last point. May throw Interrupted.
  const JudgedPoint& at(const Eigen::VectorXd& u);

  Eigen::Index size() const { return scale_.size(); }
  Eigen::Index count() const { return static_cast<Eigen::Index>(problem_.constraints.size()); }
  const Eigen::VectorXd& lower() const { return lower_; }
  const Eigen::VectorXd& upper() const { return upper_; }
  /// Limits of constraint k over its scale.
  double least(Eigen::Index k) const;
  double most(Eigen::Index k) const;
  /// By how much constraint k violates them (positive above, negative below) at a point.
  double excess(const JudgedPoint& point, Eigen::Index k) const;
  bool is_feasible(const JudgedPoint& point) const { return point.violation <= options_.feasibility; }
  /// Whether a is better than b by more than noise.
  bool is_better(const JudgedPoint& a, const JudgedPoint& b) const;

  Eigen::VectorXd unscaled(const Eigen::VectorXd& u) const;
  double value_of(const JudgedPoint& point) const { return point.values[0] * objective_scale_; }
  const Eigen::VectorXd& variable_scale() const { return scale_; }
  double objective_scale() const { return objective_scale_; }
  const Eigen::VectorXd& constraint_scale() const { return constraint_scale_; }
  /// Sides at a point: which limits and bounds hold it.
  std::vector<Side> constraint_sides(const JudgedPoint& point) const;
  std::vector<Side> bound_sides(const JudgedPoint& point) const;

  int evaluations() const { return evaluations_; }
  int evaluations_left() const { return options_.max_evaluations - evaluations_; }
  int failures() const { return failures_; }
  const std::string& last_failure() const { return last_failure_; }

 private:
  void evaluate(const Eigen::VectorXd& u);
  void judge();
  void find_scales();

  const ConstrainedProblem& problem_;
  const ConstrainedOptions& options_;
  Eigen::VectorXd scale_, lower_, upper_, constraint_scale_;
  double objective_scale_ = 1, start_gradient_ = 0;
  JudgedPoint last_;
  int evaluations_ = 0, failures_ = 0;
  std::string last_failure_;
};

}  // namespace perilune::optimize
