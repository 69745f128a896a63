// SPDX-License-Identifier: MIT
#include "mesh/shells.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

/// Half an edge: one triangle runs along it, away from the vertex with the smaller index or towards it.
struct Side {
  std::uint32_t other;  // vertex, with the larger index
  std::uint32_t triangle;
  bool away;
};

/// The sides of all edges, those of the same first vertex one after the other.
struct Sides {
  std::vector<std::size_t> begin;  // by the first vertex
  std::vector<Side> list;
};

/// Calls `use(first, side)` for each.
template <class Use>
void each_side(const Mesh& mesh, const Use& use) {
  Poll poll;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    poll();
    const Corners& corners = mesh.triangles[k];
    if (is_collapsed(corners)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = corners[i], to = corners[(i + 1) % 3];
      use(std::min(from, to), Side{std::max(from, to), static_cast<std::uint32_t>(k), from < to});
    }
  }
}

Sides sides_of(const Mesh& mesh) {
  Sides sides;
  sides.begin.assign(mesh.vertices.size() + 1, 0);
  each_side(mesh, [&](std::uint32_t first, const Side&) { ++sides.begin[first + 1]; });
  std::partial_sum(sides.begin.begin(), sides.begin.end(), sides.begin.begin());
  sides.list.resize(sides.begin.back());
  std::vector<std::size_t> next(sides.begin.begin(), sides.begin.end() - 1);
  each_side(mesh, [&](std::uint32_t first, const Side& side) { sides.list[next[first]++] = side; });
  Poll poll;
  for (std::size_t v = 0; v + 1 < sides.begin.size(); ++v) {
    poll();
    std::sort(sides.list.begin() + static_cast<std::ptrdiff_t>(sides.begin[v]),
              sides.list.begin() + static_cast<std::ptrdiff_t>(sides.begin[v + 1]), [&](const Side& a, const Side& b) {
                poll();
                return a.other != b.other ? a.other < b.other : a.triangle < b.triangle;
              });
  }
  return sides;
}

/// Calls `use(first vertex, its sides)` for each edge.
template <class Use>
void each_edge(const Sides& sides, const Use& use) {
  Poll poll;
  for (std::size_t v = 0; v + 1 < sides.begin.size(); ++v) {
    poll();
    for (std::size_t k = sides.begin[v]; k < sides.begin[v + 1];) {
      std::size_t end = k + 1;
      while (end < sides.begin[v + 1] && sides.list[end].other == sides.list[k].other) ++end;
      use(v, std::span<const Side>(sides.list).subspan(k, end - k));
      k = end;
    }
  }
}

std::size_t away_count(std::span<const Side> edge) {
  return static_cast<std::size_t>(std::count_if(edge.begin(), edge.end(), [](const Side& side) { return side.away; }));
}

std::string counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string text_of_edge(const Mesh& mesh, std::size_t first, std::span<const Side> edge) {
  return "from " + text_of(mesh.vertices[first]) + " to " + text_of(mesh.vertices[edge.front().other]);
}

void require_balance(const Mesh& mesh, const Sides& sides) {
  std::size_t open = 0, turned = 0;
  std::string first_open, first_turned;
  each_edge(sides, [&](std::size_t first, std::span<const Side> edge) {
    const std::size_t away = away_count(edge);
    if (2 * away == edge.size()) return;
    if (edge.size() % 2 == 1) {
      if (open++ == 0) {
        first_open = text_of_edge(mesh, first, edge) + " of " + name_of(mesh, edge.front().triangle);
      }
    } else if (turned++ == 0) {
      const Side& other = edge[edge[1].away == edge[0].away ? 1 : edge.size() - 1];
      first_turned = name_of(mesh, edge.front().triangle) + " and " + name_of(mesh, other.triangle) +
                     " along the edge " + text_of_edge(mesh, first, edge);
    }
  });
  if (open > 0) {
    throw Error("the surface is not closed, so it has no volume: " + counted(open, "edge") +
                " without a second triangle, " + "the first " + first_open +
                "; close the holes where it was made or with a mesh program, or give the body mass, center_of_mass and "
                "inertia");
  }
  if (turned > 0) {
    throw Error("some of its triangles are turned over: at " + counted(turned, "edge") +
                " two neighbours disagree about which side is outside, first " + first_turned +
                "; let a mesh program orient the faces (normals) coherently");
  }
}

/// Both would count. They share edges at which more than two triangles meet.
void refuse_twins(const Mesh& mesh, const Sides& sides) {
  std::vector<bool> is_crowded(mesh.triangles.size(), false);
  each_edge(sides, [&](std::size_t, std::span<const Side> edge) {
    if (edge.size() <= 2) return;
    for (const Side& side : edge) is_crowded[side.triangle] = true;
  });
  std::vector<std::pair<Corners, std::uint32_t>> turned;  // the smallest corner first, in the same order
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    if (!is_crowded[k]) continue;
    Corners corners = mesh.triangles[k];
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    turned.emplace_back(corners, k);
  }
  Poll poll;
  std::sort(turned.begin(), turned.end(), [&](const auto& a, const auto& b) {
    poll();
    return a < b;
  });
  std::size_t twins = 0;
  std::string first;
  for (std::size_t k = 1; k < turned.size(); ++k) {
    if (turned[k].first != turned[k - 1].first) continue;
    if (twins++ == 0) first = name_of(mesh, turned[k - 1].second) + " and " + name_of(mesh, turned[k].second);
  }
  if (twins == 0) return;
  throw Error(counted(twins, "triangle") + (twins == 1 ? " is" : " are") +
              " there twice and would count twice, first " + first +
              "; remove the copies, with a mesh program if need be");
}

/// Sets that are united step by step.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::uint32_t{0}); }
  std::uint32_t of(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

Shells closed_shells(const Mesh& mesh) {
  const Sides sides = sides_of(mesh);
  require_balance(mesh, sides);
  refuse_twins(mesh, sides);
  Sets sets(mesh.triangles.size());
  each_edge(sides, [&](std::size_t, std::span<const Side> edge) {
    for (const Side& side : edge) sets.unite(edge.front().triangle, side.triangle);
  });
  Shells shells;
  shells.of_triangle.assign(mesh.triangles.size(), no_shell);
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    if (is_collapsed(mesh.triangles[k])) continue;
    const std::uint32_t first = sets.of(k);  // the smallest of the set, so it has been numbered
    shells.of_triangle[k] = first == k ? static_cast<std::uint32_t>(shells.count++) : shells.of_triangle[first];
  }
  return shells;
}

}  // namespace perilune::mesh
