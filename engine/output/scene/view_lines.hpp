// SPDX-License-Identifier: MIT
// The flexible lines of a run on a page.
#pragma once
#include <vector>

#include "format/json.hpp"
#include "output/scene/scene.hpp"

namespace perilune::output {

/// Writes the member "lines": of each its samples and its quantities at these times.
void write_lines(format::JsonWriter& json, const Scene& scene, const simulation::Trajectory& trajectory,
                 const std::vector<double>& times);

}  // namespace perilune::output
