// SPDX-License-Identifier: MIT
#include "mesh/volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "format/text.hpp"
#include "mesh/nesting.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

/// Over the tetrahedra from the origin to each triangle: 6 V, 24 times the first moments, 120 times the second ones.
struct Moments {
  double volume = 0, double_area = 0;
  Point first = {};
  std::array<double, 6> second = {};  // xx, yy, zz, xy, xz, yz

  /// Returns six times the volume of the tetrahedron.
  double add(const Point& a, const Point& b, const Point& c) {
    Point normal;  // of twice the area
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
    const double det = a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2];
    volume += det;
    double_area += std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const Point sum{a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
    constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (std::size_t i = 0; i < 3; ++i) first[i] += det * sum[i];
    for (std::size_t n = 0; n < 6; ++n) {
      const auto [i, j] = pairs[n];
      second[n] += det * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
    return det;
  }
};

/// Whether second moments (xx, yy, zz, xy, xz, yz) could be sums of squares, up to rounding.
bool are_of_a_body(const std::array<double, 6>& m) {
  const auto [xx, yy, zz, xy, xz, yz] = m;
  const double size = xx + yy + zz, least = -1e-12;
  const double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return size > 0 && std::min({xx, yy, zz}) >= least * size &&
         std::min({xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz}) >= least * size * size &&
         det >= least * size * size * size;
}

}  // namespace

Volume volume_of(const Mesh& mesh) {
  if (mesh.triangles.empty()) throw Error("it has no triangles; export the part as a solid");
  const Shells shells = closed_shells(mesh);
  const Box box = box_of(mesh);
  // From the middle of the box and in half its largest edge: a part far from the origin loses no digits, and no power
  // of a length leaves the range of numbers.
  Point middle;
  double unit = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    middle[i] = box.lowest[i] / 2 + box.highest[i] / 2;
    unit = std::max(unit, box.highest[i] / 2 - box.lowest[i] / 2);
  }
  if (unit == 0) throw Error("all of its triangles are one point; export the part again");
  std::vector<Point> points(mesh.vertices.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) points[k][i] = (mesh.vertices[k][i] - middle[i]) / unit;
  }
  Moments moments;
  std::vector<double> of_shells(shells.count, 0.0);
  Poll poll;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    poll();
    if (is_collapsed(mesh.triangles[k])) continue;
    const auto [a, b, c] = mesh.triangles[k];
    of_shells[shells.of_triangle[k]] += moments.add(points[a], points[b], points[c]);
  }
  Volume result;
  result.lowest = box.lowest;
  result.highest = box.highest;
  result.area = moments.double_area / 2 * unit * unit;
  // What rounding leaves of a sheet whose both sides are the same triangles.
  constexpr double flat = 1e-12;
  if (!(std::abs(moments.volume) > flat * moments.double_area)) {
    throw Error(
        "it is closed but encloses no volume; give it a thickness, or give the body mass, center_of_mass and inertia");
  }
  result.is_inside_out = moments.volume < 0;
  for (double& volume : of_shells) {
    if (std::abs(volume) <= flat * moments.double_area) volume = 0;
    if (result.is_inside_out) volume = -volume;
  }
  require_nesting(mesh, shells, of_shells);
  const double six_volumes = std::abs(moments.volume), sign = result.is_inside_out ? -1.0 : 1.0;
  result.volume = six_volumes / 6 * unit * unit * unit;
  Point center;
  for (std::size_t i = 0; i < 3; ++i) {
    center[i] = sign * moments.first[i] / (4 * six_volumes);
    result.center[i] = middle[i] + unit * center[i];
  }
  // Second moments per volume about the centre.
  std::array<double, 6> spread;
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t n = 0; n < 6; ++n) {
    const auto [i, j] = pairs[n];
    spread[n] = sign * moments.second[n] / (20 * six_volumes) - center[i] * center[j];
  }
  if (!are_of_a_body(spread)) {
    throw Error(
        "the surface crosses itself: no body has its moments of inertia; repair it where it was made or with a mesh "
        "program");
  }
  const double scale = result.volume * unit * unit;
  for (std::size_t i = 0; i < 3; ++i) {
    result.inertia[i] = scale * (spread[(i + 1) % 3] + spread[(i + 2) % 3]);
    result.inertia[3 + i] = -scale * spread[3 + i];
  }
  if (!(scale > 0) || !std::isfinite(scale)) {
    throw Error("its size of " + format::significant(2 * unit, 3) +
                " leaves the range of numbers; scale it where it was made");
  }
  return result;
}

}  // namespace perilune::mesh
