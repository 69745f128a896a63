// SPDX-License-Identifier: MIT
// What both ways of differentiating a motion in phases need.
#pragma once
#include <memory>
#include <vector>

#include "sensitivity/problem.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

/// Parameters that change with those of `over`: with them, all that phases set.
std::vector<int> reached_parameters(const Problem& problem, const std::vector<int>& over);

/// The equations of the last phase at the end of the motion, linearized: what accelerations and multipliers there
/// depend on.
std::unique_ptr<Dynamics> linearized_end(const Problem& own, const Evaluation& motion);

}  // namespace perilune::sensitivity
