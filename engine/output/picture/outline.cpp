// SPDX-License-Identifier: MIT
#include "output/picture/outline.hpp"

#include <cmath>
#include <numbers>

namespace perilune::output {

std::vector<Triple> outline(const SceneShape& shape) {
  std::vector<Triple> own;
  const auto& s = shape.size;
  if (shape.kind == model::Shape::Kind::Box) {
    for (int corner = 0; corner < 8; ++corner) {
      own.push_back(
          {(corner & 1 ? s[0] : -s[0]) / 2, (corner & 2 ? s[1] : -s[1]) / 2, (corner & 4 ? s[2] : -s[2]) / 2});
    }
  } else if (shape.kind == model::Shape::Kind::Cylinder) {
    for (int k = 0; k < 64; ++k) {
      const int around = k / 2;
      const double turn = 2 * std::numbers::pi * around / 32.0;
      own.push_back({s[0] * std::cos(turn), s[0] * std::sin(turn), (k % 2 ? s[2] : -s[2]) / 2});
    }
  } else if (shape.kind == model::Shape::Kind::Rod) {
    own = {{0, 0, s[0] / 2}, {0, 0, -s[0] / 2}};
  } else if (shape.kind == model::Shape::Kind::Surface) {
    for (const auto& p : shape.surface->vertices) own.push_back({s[0] * p[0], s[1] * p[1], s[2] * p[2]});
  } else {
    own = {{0, 0, 0}};
  }
  for (Triple& p : own) p = shape.point(p);
  return own;
}

std::vector<Triple> outline(const SceneRound& round) {
  constexpr int sides = 48, rings = 12;
  std::vector<Triple> own;
  for (int ring = 0; ring <= (round.is_wheel ? 1 : rings); ++ring) {
    const double polar = std::numbers::pi * ring / rings;
    const double radius = round.is_wheel ? 1 : std::sin(polar), z = round.is_wheel ? 2.0 * ring - 1 : std::cos(polar);
    for (int k = 0; k < sides; ++k) {
      const double turn = 2 * std::numbers::pi * k / sides;
      const Triple p{radius * std::cos(turn), radius * std::sin(turn), z};
      Triple at = round.at;
      for (std::size_t i = 0; i < 3; ++i)
        at[i] += round.axes[3 * i] * p[0] + round.axes[3 * i + 1] * p[1] + round.axes[3 * i + 2] * p[2];
      own.push_back(at);
    }
  }
  return own;
}

}  // namespace perilune::output
