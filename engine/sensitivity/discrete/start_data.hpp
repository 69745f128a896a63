// SPDX-License-Identifier: MIT
// Which data the initial state of a motion follows from: assembly is differentiated for no others.
#pragma once
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// By datum: those of constraints, and declared values; at rest all. The datum of time is none: no parameter moves it.
std::vector<char> data_of_start(const Problem& problem);

}  // namespace perilune::sensitivity
