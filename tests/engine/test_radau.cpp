// SPDX-License-Identifier: MIT
// Radau IIA methods of order 3 and 5, with constant and with adaptive steps.
#include <catch2/catch.hpp>
#include <cmath>

#include "numbers.hpp"
#include "run_check.hpp"

using namespace perilune;
using formulation::Index1;
using integrator::Radau;

namespace {

Radau constant(int order, double step) {
  Radau method;
  method.order = order;
  method.step = step;
  return method;
}

Radau adaptive(int order, double relative, double absolute) {
  Radau method;
  method.order = order;
  method.tolerances.relative = relative;
  method.tolerances.absolute = absolute;
  return method;
}

}  // namespace

TEST_CASE("radau: constant steps have their order", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, five_bar_mechanism, spatial_pendulum_mechanism}) {
    const OrderCheck order(make(), Index1{});
    for (int k : {3, 5}) order.all(constant(k, 0.02), k - 0.3, k + 0.4);
  }
}

TEST_CASE("radau: the steps do not feel the stiffness", "[integrator]") {
  for (int order : {3, 5}) {
    CAPTURE(order);
    // At 1e5 N/m accuracy still decides about the steps; beyond, the estimates behave as those of a constraint.
    const End stiff = end_of(spring_pendulum_mechanism(1e7), {Index1{}, adaptive(order, 1e-6, 1e-7)});
    CHECK(stiff.statistics.steps < (order == 5 ? 300L : 2500L));
    for (double stiffness : {1e9, 1e11}) {
      CAPTURE(stiffness);
      const End stiffer = end_of(spring_pendulum_mechanism(stiffness), {Index1{}, adaptive(order, 1e-6, 1e-7)});
      CHECK(stiffer.statistics.steps < 2 * stiff.statistics.steps);
      CHECK(largest_difference(stiffer.q, stiff.q) < 1e-5);
    }
  }
}
