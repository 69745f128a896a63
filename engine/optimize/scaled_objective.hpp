// SPDX-License-Identifier: MIT
// The user's objective as the method sees it: scaled variables, bounds kept, failures and limits turned into outcomes.
#pragma once
#include <Eigen/Core>
#include <cmath>
#include <optional>
#include <string>

#include "optimize/lbfgsb.hpp"

namespace perilune::optimize {

/// An evaluated point in scaled variables.
struct Point {
  Eigen::VectorXd u;              ///< scaled variables (n), within the scaled bounds
  Eigen::VectorXd gradient;       ///< with respect to u (n); zero for fixed variables
  Eigen::VectorXd user_gradient;  ///< as the user's function wrote it (n)
  double value = 0;
  double projected_gradient = 0;  ///< infinity norm of P(u - gradient) - u
};

enum class Evaluation {
  Good,
  Failed,  ///< not finite, or a NumericalError: the step was too long
  Stop     ///< interrupted, or no evaluation left; see ScaledObjective::stop_reason
};

/// Evaluates `problem` at scaled variables u = x / scale, counts, and remembers the best point. The scales are powers
/// of two, so that scaling back and forth does not round.
class ScaledObjective {
 public:
  /// Throws Error if sizes, bounds or start make no sense. `problem` must outlive this object.
  ScaledObjective(const Problem& problem, int max_evaluations);

  bool maximizes() const { return problem_.maximizes; }

  /// The projected start in scaled variables (n).
  Eigen::VectorXd start() const;

  /// Evaluates at the start. Throws NumericalError where that fails, and Interrupted.
  Point begin();

  /// Evaluates at u (n), which is clamped to the bounds first. `point` is unspecified unless the result is Good.
  Evaluation evaluate(const Eigen::VectorXd& u, Point& point);

  /// P(u): the nearest point within the scaled bounds.
  Eigen::VectorXd project(const Eigen::VectorXd& u) const { return u.cwiseMax(lower_).cwiseMin(upper_); }

  /// P(u - gradient) - u (n), computed so that a small gradient is not lost beside a large u.
  Eigen::VectorXd projected_step(const Point& point) const;

  /// origin + step * direction, within the bounds. A variable that arrives at a bound up to rounding is put onto it.
  Eigen::VectorXd along(const Eigen::VectorXd& origin, const Eigen::VectorXd& direction, double step) const;

  /// The longest step along `direction` that stays within the bounds; infinity if none is in the way.
  double longest_step(const Eigen::VectorXd& origin, const Eigen::VectorXd& direction) const;

  /// The user's variables at u, within the user's bounds to the last bit.
  Eigen::VectorXd unscaled(const Eigen::VectorXd& u) const;

  const Eigen::VectorXd& lower() const { return lower_; }
  const Eigen::VectorXd& upper() const { return upper_; }
  /// How far two values of this magnitude may differ by noise alone.
  double noise_of(double value) const { return problem_.noise * std::abs(value); }
  int evaluations() const { return evaluations_; }
  int evaluations_left() const { return max_evaluations_ - evaluations_; }
  /// One evaluation less: another run was spent.
  void give_up_one() { --max_evaluations_; }
  /// By which the user's variables are divided (n).
  const Eigen::VectorXd& scale() const { return scale_; }
  int failures() const { return failures_; }
  /// What the last failed simulation said; empty if none did.
  const std::string& last_failure() const { return last_failure_; }
  Reason stop_reason() const { return stop_reason_; }

  /// The best point so far: lowest value, and smallest projected gradient among values that noise makes alike.
  const Point& best() const { return best_; }

 private:
  void remember(const Point& point);

  const Problem& problem_;
  Eigen::VectorXd scale_, lower_, upper_;
  int max_evaluations_;
  int evaluations_ = 0;
  int failures_ = 0;
  std::string last_failure_;
  Reason stop_reason_ = Reason::EvaluationLimit;
  Point best_;
  double first_ = 0;
  double lowest_;
};

}  // namespace perilune::optimize
