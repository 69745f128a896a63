// SPDX-License-Identifier: MIT
// How far to go along a direction, with an objective that may fail to evaluate.
#pragma once
#include <Eigen/Core>

#include "optimize/scaled_objective.hpp"

namespace perilune::optimize {

enum class Search {
  Accepted,
  Failed,  ///< no step decreases the objective by a relevant amount
  Stopped  ///< interrupted, or no evaluation left
};

/// Looks for a step along `direction` (n, in scaled variables) that satisfies the strong Wolfe conditions, starting
/// with step 1. Where the bounds or failing evaluations leave no such step, the best one with sufficient decrease will
/// do, as long as it gains more than `relevant` (in units of the objective). `reached` is set if the result is
/// Accepted.
Search line_search(ScaledObjective& objective, const Point& origin, const Eigen::VectorXd& direction, double relevant,
                   Point& reached);

/// Backtracks along the path P(u - t gradient) until the decrease is sufficient (Armijo) and more than `relevant`. The
/// longest step tried moves the variables by up to `reach`. `reached` is set if the result is Accepted.
Search projected_gradient_step(ScaledObjective& objective, const Point& origin, double reach, double relevant,
                               Point& reached);

/// P(u - t gradient) - u, with t such that the variables that are free to move do so by up to `reach`; zero at a
/// stationary point.
Eigen::VectorXd steepest_descent(const ScaledObjective& objective, const Point& origin, double reach);

}  // namespace perilune::optimize
