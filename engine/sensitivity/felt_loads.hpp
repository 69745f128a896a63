// SPDX-License-Identifier: MIT
// What derivatives do not see of forces that feel loads: reactions of joints, as friction in them does.
#pragma once
#include <string>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Adds a sentence where steps of index 3 go through events: in those behind one multipliers have not converged, which
/// forces feel, and derivatives more than values.
void warn_of_loads_behind_events(const Problem& problem, const Evaluation& run, std::vector<std::string>& warnings);

/// Adds one for second derivatives: a load's size has a corner where it changes its sign, and no step ends there.
void warn_of_turning_loads(const Problem& problem, std::vector<std::string>& warnings);

}  // namespace perilune::sensitivity
