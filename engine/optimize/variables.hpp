// SPDX-License-Identifier: MIT
// The variables of an optimization or a fit: what makes sense as a start within bounds, and by how much each may move.
#pragma once
#include <Eigen/Core>

namespace perilune::optimize {

/// Throws Error unless there is at least one variable, each starts at a finite number, and each has one lower and one
/// upper bound (n entries each) with a finite value between them.
void check_variables(const Eigen::VectorXd& start, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);

/// By how much each variable may move (n): its bound width or the magnitude of its start, where it is within the
/// bounds. Powers of two, so that scaling back and forth does not round.
Eigen::VectorXd variable_scales(const Eigen::VectorXd& start, const Eigen::VectorXd& lower,
                                const Eigen::VectorXd& upper);

}  // namespace perilune::optimize
