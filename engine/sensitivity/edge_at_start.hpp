// SPDX-License-Identifier: MIT
// Motions that begin right where a condition changes its side and something jumps: with other parameters they begin on
// either side, and derivatives are those of one of them.
#pragma once
#include <string>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Adds a sentence where one of the parameters `over` moves such a condition. Motions in phases are not looked at.
void warn_of_edge_at_start(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                           std::vector<std::string>& warnings);

}  // namespace perilune::sensitivity
