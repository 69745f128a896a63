// SPDX-License-Identifier: MIT
#include "mesh/picture.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

double longest_edge(const Box& box) {
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, box.highest[k] - box.lowest[k]);
  return longest;
}

/// With so many cells of the grid along the longest edge of the box.
Mesh gathered(const Mesh& mesh, const Box& box, std::uint64_t cells) {
  const double longest = longest_edge(box);
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_cell;
  std::vector<std::uint32_t> number;
  std::vector<double> counts;
  Mesh out;
  Poll poll;
  for (const Point& p : mesh.vertices) {
    poll();
    std::uint64_t cell = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double share = std::clamp((p[k] - box.lowest[k]) / longest, 0.0, 1.0);
      const auto along = static_cast<std::uint64_t>(share * static_cast<double>(cells));
      cell = cell * (cells + 1) + along;
    }
    const auto [found, is_new] = number_of_cell.try_emplace(cell, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) {
      out.vertices.push_back({});
      counts.push_back(0);
    }
    number.push_back(found->second);
    for (std::size_t k = 0; k < 3; ++k) out.vertices[found->second][k] += p[k];
    counts[found->second] += 1;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (double& x : out.vertices[i]) x /= counts[i];
  }
  for (const Corners& corners : mesh.triangles) {
    const Corners merged{number[corners[0]], number[corners[1]], number[corners[2]]};
    if (!is_collapsed(merged)) out.triangles.push_back(merged);
  }
  return out;
}

}  // namespace

std::shared_ptr<const model::Triangles> picture_of(const Mesh& mesh, std::size_t most) {
  Mesh kept{mesh.vertices, {}};
  for (const Corners& corners : mesh.triangles) {
    if (!is_collapsed(corners)) kept.triangles.push_back(corners);
  }
  if (kept.triangles.empty()) throw Error("has no triangle with three different corners");
  const Box box = box_of(kept);
  constexpr double largest = 1e30;  // of single precision, with room to spare
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::max(std::abs(box.lowest[k]), std::abs(box.highest[k])) < largest) continue;
    throw Error("has corners farther than 1e30 of its units away, which no picture shows");
  }
  constexpr std::uint64_t finest = 2048;
  for (std::uint64_t cells = finest; kept.triangles.size() > most && cells > 1; cells = cells * 3 / 4) {
    Mesh coarser = gathered(mesh, box, cells);
    if (coarser.triangles.empty()) break;  // all of it is in one cell, far from a corner that makes the box large
    kept = std::move(coarser);
  }
  auto out = std::make_shared<model::Triangles>(model::Triangles{{}, {}, box.lowest, box.highest});
  for (const Point& p : kept.vertices) {
    out->vertices.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
  }
  out->triangles = std::move(kept.triangles);
  return out;
}

}  // namespace perilune::mesh
