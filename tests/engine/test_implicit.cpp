// SPDX-License-Identifier: MIT
// Implicit Runge-Kutta methods: order on a constrained motion against an accurate one, and steps that do not feel the
// stiffness.
#include <catch2/catch.hpp>
#include <cmath>

#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "run_check.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Sdirk4;
using integrator::Trapezoidal;

namespace {

/// A mass of 1 kg on a critically damped spring with the double rate `rate` (1/s), whose other end moves slowly.
Mechanism stiff_mass(double rate) {
  Mechanism mechanism("stiff mass", {0, 0});
  model::Model& m = *mechanism.model;
  const model::Place P = add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol free = 1.0 + 0.1 * sin(Symbol(m.graph(), m.time()));
  const Symbol stretch = mechanism.signal("P.x") - free;
  add_force(m, "spring", P, {-rate * rate * stretch - 2 * rate * mechanism.signal("P.vx"), -mechanism.signal("P.y")},
            {});
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}

}  // namespace

TEST_CASE("implicit methods have their order on constrained motions", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, driven_linkage_mechanism, spatial_joints_mechanism}) {
    const OrderCheck order(make(), formulation::Index1{});
    order.state(Sdirk4{0.02}, 3.6, 4.6);
    order.state(Trapezoidal{0.01}, 1.9, 2.1);
  }
}

TEST_CASE("the step of an L-stable method does not feel the stiffness", "[integrator]") {
  // x'' + c x' + k (x - 1 - 0.1 sin t) = 0 with k = r^2 and c = 2 r: of the fast motion nothing is left after the first
  // steps; the particular solution in closed form. Explicit methods need steps below 3 / r.
  auto error = [](double rate) {
    const double k = rate * rate, c = 2 * rate, t = 2, real = k - 1, size = real * real + c * c;
    const double expected = 1 + 0.1 * k * (real * std::sin(t) - c * std::cos(t)) / size;
    const End end = end_of(stiff_mass(rate), {formulation::Index1{}, Sdirk4{0.1}});
    REQUIRE(end.statistics.steps == 20);
    return std::abs(end.q[0] - expected);
  };
  // Stages of order 1 leave an error of the size of h / r times the slow motion.
  for (double rate : {1e4, 1e5, 1e6}) CHECK(error(rate) < 0.1 * 0.1 / rate);
}
