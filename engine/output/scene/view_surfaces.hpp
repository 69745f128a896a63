// SPDX-License-Identifier: MIT
// Surfaces of files on a page of the viewer.
#pragma once
#include <vector>

#include "format/json.hpp"
#include "output/scene/view_page.hpp"

namespace perilune::output {

/// Each once, whatever shows it, in order of appearance.
using Surfaces = std::vector<const model::Triangles*>;
Surfaces surfaces_of(const std::vector<ViewedRun>& runs);

/// An object with the box around it (lowest, highest), corners as shares of that box of 16 bits each, and the corners
/// of triangles, of 32 bits if it is `wide`, else 16.
void write_surface(format::JsonWriter& json, const model::Triangles& surface);

}  // namespace perilune::output
