// SPDX-License-Identifier: MIT
// What assembly changed of a declared start, in sentences.
#pragma once
#include <string>
#include <vector>

#include "analysis/assembly.hpp"

namespace perilune::analysis {

/// Where the numbers are from that assembly begins with.
enum class StartOrigin {
  Script,
  DrivenScript,  // where drivers decide about all velocities, whatever is declared
  Run
};

/// Sentences for the user about what assembly changed by more than roundly given numbers explain: a position and a
/// velocity, those that changed most.
std::vector<std::string> start_warnings(const System& system, double t, const Data& given, const ConsistentState& found,
                                        StartOrigin origin);

}  // namespace perilune::analysis
