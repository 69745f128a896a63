// SPDX-License-Identifier: MIT
// Which constraints contradict each other near a point.
#pragma once
#include <string>
#include <vector>

#include "optimize/constrained/scaled_problem.hpp"

namespace perilune::optimize {

/// At the point of the least violation that was found: names of the constraints that are violated there, and of those
/// and the bounds that they push against. Empty where something near reduces the violation, or the point is not good.
std::vector<std::string> contradiction(const ConstrainedProblem& problem, const ScaledConstrained& scaled,
                                       double feasibility, const JudgedPoint& point);

}  // namespace perilune::optimize
