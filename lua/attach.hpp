// SPDX-License-Identifier: MIT
// How the two ends of a joint become markers.
#pragma once
#include <string_view>
#include <utility>

#include "args.hpp"

namespace perilune::lua {

/// What a joint needs of its ends.
struct EndNeeds {
  bool position = true;        // not only directions
  bool axis_a = false;         // axes on a
  bool axis_b = false;         // axes on b
  bool own_axis_b = false;     // b's axis is the field axis_b, not that of a
  bool any_direction = false;  // the axes only have to agree, as in a weld
};

/// The ends of the fields a and b. Whole bodies are taken at the field `at`, or where the other end is; axes are those
/// of the markers, or else of the field `axis` (and axis_b), which are directions in space in the declared
/// configuration.
std::pair<model::Place, model::Place> read_ends(Args& args, const EndNeeds& needs);

}  // namespace perilune::lua
