// SPDX-License-Identifier: MIT
#include "mesh/nesting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

struct Shell {
  std::vector<std::uint32_t> triangles;
  Point lowest, highest;
};

std::vector<Shell> shells_of(const Mesh& mesh, const Shells& shells) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Shell> list(shells.count, {{}, {infinity, infinity, infinity}, {-infinity, -infinity, -infinity}});
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    if (shells.of_triangle[k] == no_shell) continue;
    Shell& shell = list[shells.of_triangle[k]];
    shell.triangles.push_back(k);
    for (const std::uint32_t corner : mesh.triangles[k]) {
      for (std::size_t i = 0; i < 3; ++i) {
        shell.lowest[i] = std::min(shell.lowest[i], mesh.vertices[corner][i]);
        shell.highest[i] = std::max(shell.highest[i], mesh.vertices[corner][i]);
      }
    }
  }
  return list;
}

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double product(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// How often the shell goes around the point: the solid angles of its triangles (A. Van Oosterom, J. Strackee, The
/// Solid Angle of a Plane Triangle, IEEE Trans. Biomed. Eng. 30, 1983) over that of a sphere.
double winding(const Mesh& mesh, const Shell& shell, const Point& point) {
  double sum = 0;
  Poll poll;
  for (const std::uint32_t k : shell.triangles) {
    poll();
    const auto [i, j, l] = mesh.triangles[k];
    const Point a = difference(mesh.vertices[i], point), b = difference(mesh.vertices[j], point),
                c = difference(mesh.vertices[l], point);
    const double x = std::sqrt(product(a, a)), y = std::sqrt(product(b, b)), z = std::sqrt(product(c, c));
    const double det =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    sum += 2 * std::atan2(det, x * y * z + product(a, b) * z + product(b, c) * x + product(c, a) * y);
  }
  return sum / (4 * std::numbers::pi);
}

bool is_in_box(const Shell& outer, const Shell& inner) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (inner.lowest[i] < outer.lowest[i] || inner.highest[i] > outer.highest[i]) return false;
  }
  return true;
}

/// Not if all vertices that are tried lie on the outer shell.
bool lies_inside(const Mesh& mesh, const Shell& outer, const Shell& inner) {
  constexpr std::size_t most_tries = 9;
  const std::size_t step = std::max(std::size_t{1}, inner.triangles.size() / most_tries);
  for (std::size_t k = 0; k < inner.triangles.size(); k += step) {
    const double times = std::abs(winding(mesh, outer, mesh.vertices[mesh.triangles[inner.triangles[k]][0]]));
    if (std::abs(times - std::round(times)) < 0.01) return times > 0.5;
  }
  return false;
}

}  // namespace

void require_nesting(const Mesh& mesh, const Shells& shells, const std::vector<double>& volumes) {
  if (shells.count < 2) return;
  const std::vector<Shell> list = shells_of(mesh, shells);
  const auto name = [&](std::size_t k) {
    return "the closed surface of " + std::to_string(list[k].triangles.size()) + " triangles with " +
           name_of(mesh, list[k].triangles.front());
  };
  // In the order in which a plane across x meets them; only those that it cuts can lie around the next one.
  std::vector<std::size_t> order(list.size()), cut;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto j, auto k) { return list[j].lowest[0] < list[k].lowest[0]; });
  std::size_t next = 0;
  Poll poll;
  for (const std::size_t k : order) {
    const double x = list[k].lowest[0];
    std::erase_if(cut, [&](std::size_t j) { return list[j].highest[0] < x; });
    for (; next < order.size() && list[order[next]].lowest[0] <= x; ++next) cut.push_back(order[next]);
    int around = 0;  // of what adds, less what subtracts
    for (const std::size_t j : cut) {
      poll();
      if (j == k || volumes[j] == 0 || !is_in_box(list[j], list[k])) continue;
      if (lies_inside(mesh, list[j], list[k])) around += volumes[j] > 0 ? 1 : -1;
    }
    if (volumes[k] > 0 && around > 0) {
      throw Error(name(k) +
                  " lies inside another one and would count twice; turn its faces inwards if it is a cavity, " +
                  "remove it if it is not");
    }
    if (volumes[k] < 0 && around < 1) {
      throw Error(name(k) + " faces inwards but is no cavity of another one, and would be subtracted; turn its faces");
    }
  }
}

}  // namespace perilune::mesh
