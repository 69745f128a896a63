// SPDX-License-Identifier: MIT
// Nonlinear least squares within bounds: Levenberg-Marquardt with a radius of trust, built to survive failing
// evaluations.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "optimize/fit/robust_loss.hpp"

namespace perilune::optimize {

/// Whose squares to minimize. The three vectors have one entry for each of the n variables, each in its own unit.
struct LeastSquaresProblem {
  Eigen::VectorXd start;  ///< finite; where it lies outside the bounds it is projected onto them
  Eigen::VectorXd lower;  ///< may be -infinity
  Eigen::VectorXd upper;  ///< may be +infinity; equal to `lower` where a variable is fixed

  /// Writes the residuals at x (m, the same number at every x, each divided by the standard deviation or scale of its
  /// signal) and, unless the pointer is null, their Jacobian (m x n). Never called outside the bounds. Numbers that are
  /// not finite, or a NumericalError, mean that the step to x was too long. Interrupted ends the search with the best
  /// point so far; any other exception passes through.
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian)> evaluate;

  RobustLoss loss = {};

  /// Costs that differ by a smaller fraction of their magnitude cannot be told apart, and their gradients decide. A fit
  /// also ends where the residuals fall to this fraction of those at the start: what is left of them is noise.
  double noise = 8 * std::numeric_limits<double>::epsilon();
};

/// A point that the search accepted. Number 0 is the projected start.
struct LeastSquaresIterate {
  int iteration;              ///< steps accepted so far
  int evaluations;            ///< calls of `LeastSquaresProblem::evaluate` so far
  double cost;                ///< half the sum of the losses
  double projected_gradient;  ///< as LeastSquaresOptions says
  double damping;             ///< mu of the step that led here; 0 where it was not shortened
  Eigen::VectorXd x;          ///< the user's variables (n)
};

/// Why the search ended.
enum class LeastSquaresReason {
  ProjectedGradient,  ///< the projected gradient fell to its tolerance: a stationary point
  RelativeStep,       ///< the next step would not change the variables by a relevant amount
  RelativeDecrease,   ///< the cost does not decrease any more by a relevant amount
  Noise,              ///< what a step could gain, or all that is left, is lost in the noise of the residuals
  EvaluationLimit,    ///< the allowed evaluations are used up
  Stalled,            ///< no step decreases the cost although the Jacobian promises it
  Interrupted         ///< the user asked to stop
};

struct LeastSquaresOptions {
  /// Stop when the projected gradient is at most this: the largest cosine of an angle between the residuals and a
  /// column of their Jacobian, among the variables that can move down the gradient. It does not depend on units.
  double projected_gradient = 1e-10;
  /// Stop when the next whole step is at most this fraction of the variables, both weighted by the Jacobian's columns.
  double relative_step = 1e-12;
  /// Stop when two steps running each decrease the cost by at most this fraction of its magnitude.
  double relative_decrease = 1e-14;
  int max_evaluations = 1000;  ///< calls of `LeastSquaresProblem::evaluate`; never exceeded
  std::function<void(const LeastSquaresIterate&)>
      on_iteration;  ///< for every entry of the history; may throw Interrupted
};

struct LeastSquaresResult {
  Eigen::VectorXd x;          ///< best point whose Jacobian is known (n), always within the bounds
  Eigen::VectorXd residuals;  ///< at x (m), as the user's function wrote them
  Eigen::MatrixXd jacobian;   ///< at x (m x n), as the user's function wrote it
  double initial = std::numeric_limits<double>::quiet_NaN();  ///< cost at the projected start
  double cost = std::numeric_limits<double>::quiet_NaN();     ///< half the sum of the losses at x
  double projected_gradient = std::numeric_limits<double>::quiet_NaN();
  int iterations = 0;
  int evaluations = 0;           ///< all of them
  int jacobian_evaluations = 0;  ///< those that asked for a Jacobian
  LeastSquaresReason reason = LeastSquaresReason::Stalled;
  std::string message;  ///< the reason as a sentence with its numbers
  std::vector<LeastSquaresIterate> history;
};

/// Minimizes half the sum of the losses of the residuals within the bounds. A step minimizes the linear model of the
/// residuals within the bounds and within a radius of trust, which the agreement of model and residuals sets: J. J.
/// More, The Levenberg-Marquardt Algorithm: Implementation and Theory (1978), with the bounds in the model itself.
/// Throws Error if the problem or the options make no sense, or there are more free variables than residuals;
/// NumericalError if the start cannot be evaluated; and Interrupted if the very first evaluation is interrupted.
LeastSquaresResult least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options = {});

}  // namespace perilune::optimize
