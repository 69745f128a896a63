// SPDX-License-Identifier: MIT
// First-order conditions of a constrained minimum (Karush, Kuhn and Tucker): the multipliers, and what they leave.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace perilune::optimize {

/// Where a value stands between its limits.
enum class Side { Inside, AtLower, AtUpper, Fixed };

/// With the gradient g (n) and the Jacobian J (m x n) of the constraints,
///   g + J^T lambda + mu = rest,
/// lambda and mu are zero inside, not negative at upper and not positive at lower limits, and free where both are one.
struct Multipliers {
  Eigen::VectorXd constraints;  ///< lambda (m)
  Eigen::VectorXd bounds;       ///< mu (n)
  Eigen::VectorXd rest;         ///< (n), the least in the Euclidean norm
};

Multipliers multipliers_of(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& jacobian,
                           const std::vector<Side>& constraints, const std::vector<Side>& bounds);

}  // namespace perilune::optimize
