// SPDX-License-Identifier: MIT
// What solids look like from any side, as dots.
#pragma once
#include <vector>

#include "output/scene/scene.hpp"

namespace perilune::output {

/// Dots on the surface of a shape, in its frame, whose hull is its outline.
std::vector<Triple> outline(const SceneShape& shape);
/// Dots on what touches a surface, in its frame, whose hull is its outline.
std::vector<Triple> outline(const SceneRound& round);

}  // namespace perilune::output
