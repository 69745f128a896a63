// SPDX-License-Identifier: MIT
// How the two ends of a joint become markers.
#pragma once
#include <string_view>
#include <utility>

#include "model/joint/joint_kinds.hpp"
#include "values/args.hpp"

namespace perilune::lua {

using model::EndNeeds;

/// The ends of the fields a and b. Whole bodies are taken at the field `at`, or where the other end is; axes are those
/// of the markers, or else of the field `axis` (and axis_b), which are directions in space in the declared
/// configuration.
std::pair<model::Place, model::Place> read_ends(Args& args, const EndNeeds& needs);

}  // namespace perilune::lua
