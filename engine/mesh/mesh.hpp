// SPDX-License-Identifier: MIT
// Surfaces of triangles as files hold them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perilune::mesh {

using Point = std::array<double, 3>;
/// Of a triangle, as indices of vertices, against the clock as seen from outside.
using Corners = std::array<std::uint32_t, 3>;

/// Triangles two of whose corners are one stay in the lists, so that they are counted as in the file.
struct Mesh {
  std::vector<Point> vertices;
  std::vector<Corners> triangles;
  std::vector<std::uint32_t> lines = {};  // of the file, where each triangle begins; none of binary files
};

inline bool is_collapsed(const Corners& c) { return c[0] == c[1] || c[1] == c[2] || c[2] == c[0]; }

/// "triangle 12", with its line if the file has lines.
std::string name_of(const Mesh& mesh, std::size_t triangle);
/// "(0, 1.5, 2)", in the unit of the file.
std::string text_of(const Point& point);

struct Box {
  Point lowest, highest;
};

/// Around its triangles.
Box box_of(const Mesh& mesh);

/// Vertices with the same coordinates become one. Without that no two triangles of an STL file have an edge in common.
void merge_vertices(Mesh& mesh);

}  // namespace perilune::mesh
