// Radau IIA methods of order 3 and 5, with constant and with adaptive steps.
#include <catch2/catch.hpp>
#include <cmath>

#include "integrator_check.hpp"

using namespace perilune;
using formulation::Index1;
using formulation::Index3;
using formulation::Penalty;
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
    for (int order : {3, 5}) {
      INFO(make().name << ", order " << order);
      const auto observed = observed_orders(make, Index1{}, constant(order, 0.02), constant(order, 0.01));
      for (double x : {observed.q, observed.v, observed.values}) {
        CHECK(x > order - 0.3);
        CHECK(x < order + 0.4);
      }
    }
  }
}

TEST_CASE("radau: errors follow the tolerances", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, spatial_joints_mechanism}) {
    for (int order : {3, 5}) {
      for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{Index1{}, Index3{}}) {
        INFO(make().name << ", order " << order << ", " << formulation::name_of(form));
        const End exact = end_of(make(), Index1{}, integrator::DormandPrince{1e-12, 1e-13});
        long steps = 0;
        for (double tolerance : {1e-4, 1e-6, 1e-8}) {
          const End end = end_of(make(), form, adaptive(order, tolerance, 0.1 * tolerance));
          CHECK(largest_difference(end.q, exact.q) < 20 * tolerance);
          CHECK(end.statistics.steps > steps);
          CHECK(end.plans == 1);
          steps = end.statistics.steps;
        }
      }
    }
  }
}

TEST_CASE("radau: the steps do not feel the stiffness", "[integrator]") {
  for (int order : {3, 5}) {
    CAPTURE(order);
    // At 1e5 N/m accuracy still decides about the steps; beyond, the estimates behave as those of a constraint.
    const End stiff = end_of(spring_pendulum(1e7), Index1{}, adaptive(order, 1e-6, 1e-7));
    CHECK(stiff.statistics.steps < (order == 5 ? 300L : 2500L));
    for (double stiffness : {1e9, 1e11}) {
      CAPTURE(stiffness);
      const End stiffer = end_of(spring_pendulum(stiffness), Index1{}, adaptive(order, 1e-6, 1e-7));
      CHECK(stiffer.statistics.steps < 2 * stiff.statistics.steps);
      CHECK(largest_difference(stiffer.q, stiff.q) < 1e-5);
    }
  }
}

TEST_CASE("radau: all gradients agree", "[sensitivity]") {
  for (Mechanism (*make)() :
       {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism}) {
    for (const formulation::Formulation& form :
         std::initializer_list<formulation::Formulation>{Penalty{1e5, 1, 10}, Index1{}, Index3{}}) {
      for (int order : {3, 5}) {
        check_discrete_gradients(make(), form, constant(order, 0.025));
        check_discrete_gradients(make(), form, adaptive(order, 1e-5, 1e-6));
      }
    }
  }
}
