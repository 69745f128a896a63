// SPDX-License-Identifier: MIT
#include "mesh/mesh.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "format/text.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

/// Mixes all bits of the coordinates into the low ones.
std::size_t hash_of(const Point& point) {
  std::uint64_t hash = 0;
  for (const double x : point) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

std::string name_of(const Mesh& mesh, std::size_t triangle) {
  std::string name = "triangle " + std::to_string(triangle + 1);
  if (!mesh.lines.empty()) name += " (line " + std::to_string(mesh.lines[triangle]) + ")";
  return name;
}

std::string text_of(const Point& point) {
  constexpr int digits = 7;  // as many as binary files have
  return "(" + format::significant(point[0], digits) + ", " + format::significant(point[1], digits) + ", " +
         format::significant(point[2], digits) + ")";
}

Box box_of(const Mesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Corners& corners : mesh.triangles) {
    for (const std::uint32_t corner : corners) {
      for (std::size_t i = 0; i < 3; ++i) {
        box.lowest[i] = std::min(box.lowest[i], mesh.vertices[corner][i]);
        box.highest[i] = std::max(box.highest[i], mesh.vertices[corner][i]);
      }
    }
  }
  return box;
}

void merge_vertices(Mesh& mesh) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t slots = std::bit_ceil(2 * mesh.vertices.size() + 1);
  std::vector<std::uint32_t> table(slots, none), merged(mesh.vertices.size());
  std::vector<Point> kept;
  Poll poll;
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    poll();
    Point point = mesh.vertices[k];
    for (double& x : point) x += 0.0;  // -0 is 0
    std::size_t slot = hash_of(point) & (slots - 1);
    while (table[slot] != none && kept[table[slot]] != point) slot = (slot + 1) & (slots - 1);
    if (table[slot] == none) {
      table[slot] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(point);
    }
    merged[k] = table[slot];
  }
  mesh.vertices = std::move(kept);
  for (Corners& corners : mesh.triangles) {
    for (std::uint32_t& corner : corners) corner = merged[corner];
  }
}

}  // namespace perilune::mesh
