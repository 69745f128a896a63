// SPDX-License-Identifier: MIT
// The flexible lines of a run on a page.
#pragma once
#include <vector>

#include "format/json.hpp"
#include "output/scene/scene.hpp"

namespace perilune::output {

/// Writes the member "lines": of each its samples and its quantities at these times. `rest`, where not null:
/// coordinates of a position; the one quantity is the distance to where the line is there, over the largest one.
void write_lines(format::JsonWriter& json, const Scene& scene, const simulation::Trajectory& trajectory,
                 const std::vector<double>& times, const std::vector<double>* rest);

}  // namespace perilune::output
