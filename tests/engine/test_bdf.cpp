// SPDX-License-Identifier: MIT
// Backward differentiation formulas of variable order and step.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "integrator/method/bdf.hpp"
#include "integrator/stepping.hpp"
#include "numbers.hpp"
#include "run_check.hpp"

using namespace perilune;
using formulation::Index1;
using formulation::Index3;
using integrator::Bdf;

namespace {

Bdf constant(int order, double step) {
  Bdf method;
  method.max_order = order;
  method.step = step;
  return method;
}

Bdf adaptive(double relative, double absolute) {
  Bdf method;
  method.tolerances.relative = relative;
  method.tolerances.absolute = absolute;
  return method;
}

}  // namespace

TEST_CASE("bdf: constant steps have the order asked for, from the start", "[integrator]") {
  for (Mechanism (*make)() : {five_bar_mechanism, driven_linkage_mechanism, spatial_pendulum_mechanism}) {
    const OrderCheck order(make(), Index1{});
    for (int k = 1; k <= 5; ++k) order.all(constant(k, 0.005), k - 0.25, k + 0.25);
  }
}

TEST_CASE("bdf: positions of the index-3 form have the order too", "[integrator]") {
  for (Mechanism (*make)() : {five_bar_mechanism, spatial_pendulum_mechanism}) {
    const OrderCheck order(make(), Index3{});
    for (int k = 1; k <= 4; ++k) order.positions(constant(k, 0.01), k - 0.4, k + 0.6);
  }
}

namespace {

End oscillator_end(double omega, double end, const Bdf& method) {
  Mechanism mechanism = oscillator_mechanism(omega);
  mechanism.problem.end = end;
  return end_of(mechanism, {Index1{}, method});
}

}  // namespace

TEST_CASE("bdf: integrals of a closed form", "[integrator]") {
  const double omega = 3, end = 1;
  const double exact = end / 2 + std::sin(2 * omega * end) / (4 * omega);
  for (int order = 1; order <= 5; ++order) {
    CAPTURE(order);
    auto error = [&](double step) {
      return std::abs(oscillator_end(omega, end, constant(order, step)).values[0] - exact);
    };
    CHECK(std::log2(error(0.01) / error(0.005)) > order - 0.3);
  }
}

TEST_CASE("bdf: a last step of another length costs no accuracy", "[integrator]") {
  for (int order = 1; order <= 5; ++order) {
    CAPTURE(order);
    auto error = [&](double step) {  // steps of 0.01 end at 1.005 with half a step, those of 0.005 do not
      return std::abs(oscillator_end(3, 1.005, constant(order, step)).q[0] - std::cos(3 * 1.005));
    };
    CHECK(error(0.01) < std::pow(2, order + 0.7) * error(0.005));
  }
  // Fewer steps than the order.
  CHECK(std::abs(oscillator_end(3, 0.025, constant(5, 0.01)).q[0] - std::cos(3 * 0.025)) < 1e-9);
}

TEST_CASE("bdf: there are five orders", "[integrator]") {
  for (int order : {0, 6}) CHECK_THROWS(oscillator_end(3, 0.1, constant(order, 0.01)));
}

TEST_CASE("bdf: the steps do not feel the stiffness", "[integrator]") {
  const End soft = end_of(spring_pendulum_mechanism(1e5), {Index1{}, adaptive(1e-6, 1e-7)});
  CHECK(soft.statistics.steps < 400);
  for (double stiffness : {1e7, 1e9, 1e11}) {
    CAPTURE(stiffness);
    const End stiff = end_of(spring_pendulum_mechanism(stiffness), {Index1{}, adaptive(1e-6, 1e-7)});
    CHECK(2 * stiff.statistics.steps < 3 * soft.statistics.steps);
    CHECK(largest_difference(stiff.q, soft.q) < 1e-3);
  }
}

TEST_CASE("bdf: iterations start close to their ends", "[integrator]") {
  // With a guess of the formula's order two corrections do, of which the second finds that the first was enough.
  for (int order : {3, 4, 5}) {
    const End end = end_of(four_bar_mechanism(), {Index1{}, constant(order, 0.0025)});
    INFO(order << ": " << end.statistics.newton_iterations << " iterations in " << end.statistics.steps << " steps");
    CHECK(2 * end.statistics.newton_iterations < 5 * end.statistics.steps);
  }
}

TEST_CASE("steps of BDF share a plan only where rounding alone tells them apart") {
  Mechanism mechanism = five_bar_mechanism();
  const auto run_of = simulation::prepare(mechanism.problem, mechanism.parameters());
  const auto motion = formulation::make_motion(mechanism.problem.system, run_of.data, formulation::Index1{});
  integrator::March march(*motion, {});
  const integrator::Options options;
  integrator::Solution solution;
  integrator::Run run(march, options, solution);
  integrator::BdfPlans plans(run, {});
  auto past_of = [](double latest) {  // three points, the youngest interval of this length
    integrator::Past past;
    past.advance(1, 0, 0, 0.01);
    past.advance(1, 0, 0, latest);
    return past;
  };
  const integrator::Plan& plan = plans.plan(2, past_of(0.01), 0.01);
  CHECK(&plans.plan(2, past_of(0.01 * (1 + 4e-16)), 0.01) == &plan);
  CHECK(&plans.plan(1, past_of(0.01), 0.01) != &plan);
  for (double change : {1e-3, 1e-6, 1e-9, 1e-12}) {
    CAPTURE(change);
    const integrator::Past past = past_of(0.01 * (1 + change));
    CHECK(&plans.plan(2, past, 0.01) != &plan);
    const integrator::Plan own = integrator::bdf_plan(2, past, 0.01, {});
    const auto& kept = plans.plan(2, past, 0.01).nodes[0].q;
    REQUIRE(kept.size() == own.nodes[0].q.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      CHECK(kept[i].weight == Approx(own.nodes[0].q[i].weight).epsilon(1e-13));
    }
  }
}
