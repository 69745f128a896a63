// SPDX-License-Identifier: MIT
// What assembly changed of a declared start, in sentences.
#pragma once
#include <string>
#include <vector>

#include "analysis/assembly.hpp"

namespace perilune::analysis {

/// Sentences for the user about what assembly changed by more than roundly declared numbers explain: a declared
/// position and, unless `with_velocities` is false, a declared velocity, those that changed most.
std::vector<std::string> start_warnings(const System& system, const Data& declared, const ConsistentState& found,
                                        bool with_velocities);

}  // namespace perilune::analysis
