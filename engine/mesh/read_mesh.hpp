// SPDX-License-Identifier: MIT
// Files of triangles. Each function throws Error with a sentence that lacks the file's name, with the line or the
// triangle, where something is not as the format says; vertices are not merged.
#pragma once
#include <string_view>

#include "mesh/mesh.hpp"

namespace perilune::mesh {

/// STL, binary or ASCII. Normals are not read: the order of the corners says the same.
Mesh read_stl(std::string_view bytes);

/// Wavefront OBJ: v and f, whose polygons are cut into fans. What is for pictures is passed over: normals, textures,
/// materials, groups, lines and points. Curves and curved surfaces are refused.
Mesh read_obj(std::string_view bytes);

}  // namespace perilune::mesh
