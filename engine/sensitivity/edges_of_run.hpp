// SPDX-License-Identifier: MIT
// Motions that begin or end right where a condition changes its side and something jumps: with other parameters they
// begin on either side, or the condition changes before the end or not at all, and derivatives are those of one of them.
#pragma once
#include <string>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Adds a sentence for the start and for the end where one of the parameters `over` moves such a condition, at the end
/// where it is one on time. Motions in phases are not looked at.
void warn_of_edges(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                   std::vector<std::string>& warnings);

}  // namespace perilune::sensitivity
