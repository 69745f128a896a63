// SPDX-License-Identifier: MIT
// What the tolerances of adaptive integrators promise.
#include <catch2/catch.hpp>
#include <cmath>

#include "numbers.hpp"
#include "run_check.hpp"

using namespace perilune;
using formulation::Formulation;
using integrator::Bdf;
using integrator::DormandPrince;
using integrator::Integrator;
using integrator::Radau;
using integrator::Rosenbrock;
using integrator::Tolerances;

namespace {

struct Method {
  Integrator (*with)(const Tolerances&);
  double factor;  // errors in positions are below this times the relative tolerance
};

const Method methods[] = {
    {[](const Tolerances& t) -> Integrator { return DormandPrince{t}; }, 20},
    {[](const Tolerances& t) -> Integrator {
       return DormandPrince{t, 8};
     },
     20},
    {[](const Tolerances& t) -> Integrator {
       return Radau{3, 0, t};
     },
     20},
    {[](const Tolerances& t) -> Integrator {
       return Radau{5, 0, t};
     },
     20},
    {[](const Tolerances& t) -> Integrator {
       return Rosenbrock{3, 0, t};
     },
     20},
    {[](const Tolerances& t) -> Integrator {
       return Rosenbrock{4, 0, t};
     },
     20},
    {[](const Tolerances& t) -> Integrator {
       return Bdf{5, 0, t};
     },
     50},
};

/// Smaller tolerances: smaller errors, more steps. A plan serves many steps: all of them in methods of one step.
void check(const Mechanism& mechanism, const Formulation& form, const Method& method) {
  const End exact = exact_end_of(mechanism, form);
  long steps = 0;
  for (double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Integration how{form, method.with({tolerance, 0.1 * tolerance})};
    INFO(mechanism.name << ", " << how.name() << ", tolerance " << tolerance);
    const End end = end_of(mechanism, how);
    CHECK(largest_difference(end.q, exact.q) < method.factor * tolerance);
    CHECK(end.statistics.steps > steps);
    if (std::holds_alternative<Bdf>(how.integrator)) {
      CHECK(end.statistics.steps < 2 * steps + 200);
      CHECK(end.plans < static_cast<std::size_t>(end.statistics.steps));
    } else {
      CHECK(end.plans == 1);
    }
    steps = end.statistics.steps;
  }
}

}  // namespace

TEST_CASE("errors follow the tolerances", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, spatial_joints_mechanism}) {
    for (const Formulation& form : std::initializer_list<Formulation>{formulation::Index1{}, formulation::Index3{},
                                                                      formulation::AugmentedLagrangian{}}) {
      for (const Method& method : methods) {
        if (integrator::objection(form, method.with({})).empty()) check(make(), form, method);
      }
    }
  }
}

TEST_CASE("the error of Dormand-Prince is proportional to its tolerance", "[integrator][order]") {
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.end = 1;
  const formulation::Penalty form{1e7, 1, 10};
  const std::vector<double> exact = exact_end_of(mechanism, form).state();
  std::vector<double> errors;
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    const End end = end_of(mechanism, {form, DormandPrince{{tolerance, tolerance}}});
    errors.push_back(largest_difference(end.state(), exact));
    CHECK(errors.back() < 20 * tolerance);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double exponent = std::log10(errors[k] / errors[k + 1]) / 2;
    CHECK(exponent > 0.75);
    CHECK(exponent < 1.25);
  }
}
