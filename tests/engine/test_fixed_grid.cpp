// SPDX-License-Identifier: MIT
// The times of fixed steps, which are computed where they are asked for.
#include <catch2/catch.hpp>

#include "integrator/stepping.hpp"

using perilune::integrator::FixedGrid;

TEST_CASE("fixed steps are whole but for the last, which ends exactly") {
  const FixedGrid even(0.1, 1.0, 0.3);
  REQUIRE(even.steps() == 3);
  CHECK(even[0] == 0.1);
  CHECK(even[1] == 0.1 + 0.3);
  CHECK(even[2] == 0.1 + 2 * 0.3);
  CHECK(even[3] == 1.0);

  const FixedGrid shortened(0, 1, 0.3);
  REQUIRE(shortened.steps() == 4);
  CHECK(shortened[3] == 3 * 0.3);
  CHECK(shortened[4] == 1);

  const FixedGrid single(0, 1, 5);
  REQUIRE(single.steps() == 1);
  CHECK(single[1] == 1);
}

TEST_CASE("a grid of a hundred million steps takes no memory") {
  const FixedGrid grid(0, 1e6, 0.01);
  CHECK(grid.steps() == 100'000'000);
  CHECK(grid[99'999'999] == 99'999'999 * 0.01);
  CHECK(grid[100'000'000] == 1e6);
  CHECK(sizeof grid <= 4 * sizeof(double));
}
