// SPDX-License-Identifier: MIT
// Where a gap is least around a wheel's edge.
#include <catch2/catch.hpp>
#include <cmath>

#include "model/contact/wheel_edge.hpp"
#include "model/law/symbolic.hpp"

using namespace perilune;

TEST_CASE("the least gap around an edge is found among several") {
  model::Model model("test", {0, 0, 0});
  const model::Symbol angle = model::edge_angle(model.graph());
  // cos 2a - sin a / 2 has minima near both quarter turns, the deeper one at pi / 2; the other way round with +.
  CHECK(std::abs(model::nearest_angle(model, cos(2.0 * angle) - 0.5 * sin(angle)) - std::acos(0.0)) < 1e-9);
  CHECK(std::abs(model::nearest_angle(model, cos(2.0 * angle) + 0.5 * sin(angle)) + std::acos(0.0)) < 1e-9);
  CHECK(std::abs(model::nearest_angle(model, -cos(angle - 1.3)) - 1.3) < 1e-9);
}
