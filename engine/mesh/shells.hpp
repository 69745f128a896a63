// SPDX-License-Identifier: MIT
// Whether triangles enclose something.
#pragma once
#include "mesh/mesh.hpp"

namespace perilune::mesh {

/// The closed surfaces of a mesh: those of its triangles that hang together by edges. Parts that touch along an edge
/// are one.
struct Shells {
  std::vector<std::uint32_t> of_triangle;  // collapsed triangles have no_shell
  std::size_t count = 0;
};
inline constexpr std::uint32_t no_shell = 0xFFFFFFFF;

/// Throws Error, with how many edges or triangles are wrong, the first of them and a remedy, unless every edge is run
/// through as often in one direction as in the other, and no triangle is there twice. The vertices must have been
/// merged. Edges at which four triangles meet are good: parts may touch.
Shells closed_shells(const Mesh& mesh);

}  // namespace perilune::mesh
