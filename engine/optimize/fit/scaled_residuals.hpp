// SPDX-License-Identifier: MIT
// The user's residuals as the method sees them: scaled variables, bounds kept, failures and limits turned into
// outcomes.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "optimize/fit/bounded_step.hpp"
#include "optimize/fit/least_squares.hpp"
#include "optimize/scaled_objective.hpp"

namespace perilune::optimize {

/// Residuals at a point in scaled variables, and if they were asked for what follows from their Jacobian.
struct ResidualPoint {
  Eigen::VectorXd u;          ///< scaled variables (n), within the scaled bounds
  Eigen::VectorXd residuals;  ///< as the user's function wrote them (m)
  double cost = 0;
  Eigen::MatrixXd jacobian;      ///< as the user's function wrote it (m x n)
  Eigen::MatrixXd matrix;        ///< the Jacobian by u, corrected for the loss, or the triangle of its QR decomposition
  Eigen::VectorXd right;         ///< the residuals that belong to `matrix`
  Eigen::VectorXd gradient;      ///< of the cost by u (n)
  Eigen::VectorXd column_norms;  ///< of the Jacobian by u, corrected for the loss (n)
  double projected_gradient = 0;
};

/// Evaluates `problem` at scaled variables u = x / scale, and counts.
class ScaledResiduals {
 public:
  /// Throws Error if sizes, bounds, start or loss make no sense. `problem` must outlive this object.
  ScaledResiduals(const LeastSquaresProblem& problem, int max_evaluations);

  /// The projected start in scaled variables (n).
  Eigen::VectorXd start() const;

  /// Evaluates at u (n), which is clamped to the bounds first. `point` is unspecified unless the result is Good.
  Evaluation evaluate(const Eigen::VectorXd& u, bool with_jacobian, ResidualPoint& point);

  /// The linear model around a point in steps t = size * (change of u), with the box that the bounds leave.
  LinearModel model(const ResidualPoint& point, const Eigen::VectorXd& size) const;

  /// Where the step t leads, within the bounds; a variable whose step is as long as the box allows is put onto its
  /// bound to the last bit.
  Eigen::VectorXd moved(const ResidualPoint& point, const LinearModel& model, const Eigen::VectorXd& size,
                        const Eigen::VectorXd& t) const;

  /// The user's variables at u, within the user's bounds to the last bit.
  Eigen::VectorXd unscaled(const Eigen::VectorXd& u) const;

  /// Per variable: whether it is not fixed and yet would change the residuals at the point by less than their rounding,
  /// to first order, if it changed by its scale or its magnitude.
  std::vector<bool> without_influence(const ResidualPoint& point) const;

  /// By how much half the sum of squares of the linear model falls along the directions that the residuals tell: whose
  /// singular value is more than 1e-7 of the largest, with columns of unit norm. `untold` counts the others.
  double told_promise(const ResidualPoint& point, int& untold) const;

  /// By what fraction of it the cost would change, to first order, if one variable that can move down the gradient
  /// moved by its scale or its magnitude; the largest.
  double relative_gradient(const ResidualPoint& point) const;

  /// How far two costs of this magnitude may differ by noise alone.
  double noise_of(double cost) const { return problem_.noise * cost; }
  int evaluations() const { return evaluations_; }
  int jacobian_evaluations() const { return jacobian_evaluations_; }
  int evaluations_left() const { return max_evaluations_ - evaluations_; }
  int failures() const { return failures_; }
  /// What the last failed simulation said; empty if none did.
  const std::string& last_failure() const { return last_failure_; }
  LeastSquaresReason stop_reason() const { return stop_reason_; }

 private:
  bool is_blocked(const ResidualPoint& point, Eigen::Index variable) const;
  void check_sizes(const ResidualPoint& point, bool with_jacobian);
  void linearize(ResidualPoint& point) const;

  const LeastSquaresProblem& problem_;
  Eigen::VectorXd scale_, lower_, upper_;
  Eigen::Index count_ = -1;  // of residuals; unknown before the first evaluation
  int max_evaluations_;
  int evaluations_ = 0;
  int jacobian_evaluations_ = 0;
  int failures_ = 0;
  std::string last_failure_;
  LeastSquaresReason stop_reason_ = LeastSquaresReason::EvaluationLimit;
};

}  // namespace perilune::optimize
