// SPDX-License-Identifier: MIT
// Minimization of a smooth function within bounds on its variables: L-BFGS-B, built to survive failing evaluations.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace perilune::optimize {

/// What to minimize. The three vectors have one entry for each of the n variables, each in its own unit.
struct Problem {
  Eigen::VectorXd start;  ///< finite; where it lies outside the bounds it is projected onto them
  Eigen::VectorXd lower;  ///< may be -infinity
  Eigen::VectorXd upper;  ///< may be +infinity; equal to `lower` where a variable is fixed

  /// Returns the objective at x (n) and writes its gradient (n, of size n on entry). Never called outside the bounds.
  /// A value or gradient that is not finite, or a NumericalError, means that the step to x was too long.
  /// Interrupted ends the minimization with the best point so far; any other exception passes through.
  std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)> evaluate;

  /// Values that differ by a smaller fraction of their magnitude cannot be told apart, and their gradients decide.
  /// Rounding by default; more where steps of a simulation follow its tolerances and so change with x.
  double noise = 8 * std::numeric_limits<double>::epsilon();

  bool maximizes = false;  ///< the objective is the negative of what the user maximizes, of which sentences speak
};

/// A point that the minimization accepted. Number 0 is the projected start.
struct Iterate {
  int iteration;              ///< steps accepted so far
  int evaluations;            ///< calls of `Problem::evaluate` so far
  double value;               ///< objective
  double projected_gradient;  ///< infinity norm of P(x - g) - x in scaled variables; 0 at a stationary point
  Eigen::VectorXd x;          ///< the user's variables (n)
};

/// Why the minimization ended.
enum class Reason {
  ProjectedGradient,  ///< the projected gradient fell to its tolerance: a stationary point
  RelativeDecrease,   ///< the objective does not decrease any more by a relevant amount
  EvaluationLimit,    ///< the allowed evaluations are used up
  Stalled,            ///< no step decreases the objective although the gradient promises it
  Interrupted         ///< the user asked to stop
};

struct Options {
  /// Stop when the projected gradient in scaled variables is at most this: how much the objective would change, to
  /// first order, if one variable moved by its scale (its bound width or the magnitude of its start). An absolute
  /// number.
  double projected_gradient = 1e-8;
  /// Stop when two steps running each decrease the objective by at most this fraction of its magnitude.
  double relative_decrease = 1e-14;
  int max_evaluations = 1000;   ///< calls of `Problem::evaluate`, those of the gradient check included; never exceeded
  int memory = 10;              ///< pairs of steps and gradient changes that model the curvature
  bool check_gradient = false;  ///< compare the gradient at the start with a difference, at two or three evaluations
  std::function<void(const Iterate&)> on_iteration;  ///< called for every entry of the history; may throw Interrupted
};

/// The gradient at the start along one direction into which every variable that can move enters. Both numbers are
/// rates of change per unit of the scaled direction; the relative error of a correct smooth gradient is about 1e-8.
struct GradientCheck {
  double directional;     ///< gradient times direction
  double difference;      ///< central difference of the objective
  double relative_error;  ///< |directional - difference| over the greater, or over 1.5e-8 |objective| if that is more
};

struct Result {
  Eigen::VectorXd x;         ///< best point found (n), always within the bounds
  Eigen::VectorXd gradient;  ///< of the objective at x (n), with respect to the user's variables
  double initial = std::numeric_limits<double>::quiet_NaN();  ///< objective at the projected start
  double value = std::numeric_limits<double>::quiet_NaN();    ///< objective at x
  int iterations = 0;
  int evaluations = 0;
  int products = 0;  ///< of the Hessian with a direction, of methods that take them
  /// The least curvature at x along directions that the bounds leave, in scaled variables, of methods that look at it;
  /// NaN where they did not.
  double least_curvature = std::numeric_limits<double>::quiet_NaN();
  Reason reason = Reason::Stalled;
  std::string message;  ///< the reason as a sentence with its numbers
  std::vector<Iterate> history;
  std::optional<GradientCheck> gradient_check;  ///< empty unless asked for, affordable and possible near the start
};

/// Minimizes `problem.evaluate` within the bounds and returns the best point it evaluated, however the search ended.
/// Throws Error if the problem or the options make no sense, NumericalError if the start cannot be evaluated, and
/// Interrupted if the very first evaluation is interrupted, when there is no point to return.
Result minimize(const Problem& problem, const Options& options = {});

}  // namespace perilune::optimize
