// Backward differentiation formulas of variable order and step.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "integrator_check.hpp"

using namespace perilune;
using formulation::Index1;
using formulation::Index3;
using formulation::Penalty;
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

/// A mass of 1 kg on a spring, in a plane: x = cos(omega t).
Mechanism oscillator(double omega, double end) {
  Mechanism mechanism("oscillator", {0, 0});
  model::Model& m = *mechanism.model;
  const model::Place P = m.add_point("P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  m.add_force("spring", P, {-omega * omega * mechanism.signal("P.x"), -mechanism.signal("P.y")}, {});
  mechanism.compile();
  mechanism.problem.end = end;
  mechanism.integral("square", mechanism.signal("P.x") * mechanism.signal("P.x"));
  return mechanism;
}

}  // namespace

TEST_CASE("bdf: constant steps have the order asked for, from the start", "[integrator]") {
  for (Mechanism (*make)() : {five_bar_mechanism, driven_linkage_mechanism, spatial_pendulum_mechanism}) {
    for (int order = 1; order <= 5; ++order) {
      INFO(make().name << ", order " << order);
      // The objectives have integrals, which are found by the same formulas.
      const auto observed = observed_orders(make, Index1{}, constant(order, 0.005), constant(order, 0.0025));
      for (double x : {observed.q, observed.v, observed.values}) {
        CHECK(x > order - 0.25);
        CHECK(x < order + 0.25);
      }
    }
  }
}

TEST_CASE("bdf: positions of the index-3 form have the order too", "[integrator]") {
  for (Mechanism (*make)() : {five_bar_mechanism, spatial_pendulum_mechanism}) {
    for (int order = 1; order <= 4; ++order) {
      INFO(make().name << ", order " << order);
      const auto observed = observed_orders(make, Index3{}, constant(order, 0.01), constant(order, 0.005));
      CHECK(observed.q > order - 0.4);
      CHECK(observed.q < order + 0.6);
    }
  }
}

TEST_CASE("bdf: integrals of a closed form", "[integrator]") {
  const double omega = 3, end = 1;
  const double exact = end / 2 + std::sin(2 * omega * end) / (4 * omega);
  for (int order = 1; order <= 5; ++order) {
    CAPTURE(order);
    auto error = [&](double step) {
      return std::abs(end_of(oscillator(omega, end), Index1{}, constant(order, step)).values[0] - exact);
    };
    CHECK(std::log2(error(0.01) / error(0.005)) > order - 0.3);
  }
}

TEST_CASE("bdf: a last step of another length costs no accuracy", "[integrator]") {
  for (int order = 1; order <= 5; ++order) {
    CAPTURE(order);
    auto error = [&](double step) {  // steps of 0.01 end at 1.005 with half a step, those of 0.005 do not
      return std::abs(end_of(oscillator(3, 1.005), Index1{}, constant(order, step)).q[0] - std::cos(3 * 1.005));
    };
    CHECK(error(0.01) < std::pow(2, order + 0.7) * error(0.005));
  }
  // Fewer steps than the order.
  CHECK(std::abs(end_of(oscillator(3, 0.025), Index1{}, constant(5, 0.01)).q[0] - std::cos(3 * 0.025)) < 1e-9);
}

TEST_CASE("bdf: there are five orders", "[integrator]") {
  for (int order : {0, 6}) CHECK_THROWS(end_of(oscillator(3, 0.1), Index1{}, constant(order, 0.01)));
}

TEST_CASE("bdf: errors follow the tolerances", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, spatial_joints_mechanism}) {
    for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{Index1{}, Index3{}}) {
      INFO(make().name << ", " << formulation::name_of(form));
      const End exact = end_of(make(), Index1{}, integrator::DormandPrince{1e-12, 1e-13});
      long steps = 0;
      for (double tolerance : {1e-4, 1e-6, 1e-8}) {
        const End end = end_of(make(), form, adaptive(tolerance, 0.1 * tolerance));
        CHECK(largest_difference(end.q, exact.q) < 50 * tolerance);
        CHECK(end.statistics.steps > steps);
        CHECK(end.statistics.steps < 2 * steps + 200);
        CHECK(end.plans < static_cast<std::size_t>(end.statistics.steps));
        steps = end.statistics.steps;
      }
    }
  }
}

TEST_CASE("bdf: the steps do not feel the stiffness", "[integrator]") {
  const End soft = end_of(spring_pendulum(1e5), Index1{}, adaptive(1e-6, 1e-7));
  CHECK(soft.statistics.steps < 400);
  for (double stiffness : {1e7, 1e9, 1e11}) {
    CAPTURE(stiffness);
    const End stiff = end_of(spring_pendulum(stiffness), Index1{}, adaptive(1e-6, 1e-7));
    CHECK(2 * stiff.statistics.steps < 3 * soft.statistics.steps);
    CHECK(largest_difference(stiff.q, soft.q) < 1e-3);
  }
}

TEST_CASE("bdf: all gradients agree", "[sensitivity]") {
  for (Mechanism (*make)() :
       {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism}) {
    for (const formulation::Formulation& form :
         std::initializer_list<formulation::Formulation>{Penalty{1e5, 1, 10}, Index1{}, Index3{}}) {
      check_discrete_gradients(make(), form, constant(5, 0.012));  // ends with a shorter step
      check_discrete_gradients(make(), form, constant(2, 0.01));
      check_discrete_gradients(make(), form, adaptive(1e-5, 1e-6));
    }
  }
}
