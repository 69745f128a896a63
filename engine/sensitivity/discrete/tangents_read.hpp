// SPDX-License-Identifier: MIT
// What objectives, and a stop condition, read of a motion's points: whoever differentiates need not find the tangents
// of the rest, or adjoints, which are zero.
#pragma once
#include <optional>

#include "formulation/node.hpp"
#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Nothing where conditions may read anything: of switches, and of samples.
std::optional<formulation::TangentsRead> tangents_read(const Problem& problem);

}  // namespace perilune::sensitivity
