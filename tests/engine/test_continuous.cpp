// SPDX-License-Identifier: MIT
// Every form of the continuous equations: they converge to the discrete gradient as the step shrinks, whatever
// integrated the motion, and refuse what they are not made for.
#include <catch2/catch.hpp>
#include <cmath>

#include "gradient_check.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using formulation::Formulation;
using sensitivity::AdjointForm;
using sensitivity::ContinuousAdjoint;
using sensitivity::ContinuousDirect;
using sensitivity::Method;
using sensitivity::PiecewiseAdjoint;

namespace {

Rows derivatives(Mechanism& mechanism, const integrator::Integrator& integrator, const Method& method) {
  mechanism.problem.integrator = integrator;
  return derivatives(mechanism, method);
}

double error(Mechanism mechanism, const integrator::Integrator& integrator, const Method& method, const Rows& exact) {
  mechanism.problem.integrator = integrator;
  return difference(derivatives(mechanism, method), exact, mechanism.parameters());
}

/// The discrete gradient of the same motion, finely integrated.
Rows exact_derivatives(Mechanism mechanism) {
  if (!std::holds_alternative<formulation::Penalty>(mechanism.problem.formulation)) {
    mechanism.problem.formulation = formulation::Index1{};
  }
  return derivatives(mechanism, integrator::Rk4{1e-3}, sensitivity::DiscreteAdjoint{});
}

struct FixedRadau : integrator::Radau {
  explicit FixedRadau(double h) : integrator::Radau{5, h, {}} {}
};

}  // namespace

TEST_CASE("continuous forms: Maggi's independent coordinates change where they have to", "[sensitivity][continuous]") {
  // Twice around: neither x nor y stays a good coordinate.
  Mechanism mechanism("wheel", {0, -9.81});
  model::Model& m = *mechanism.model;
  const auto mass = mechanism.parameter("m", 2), L = mechanism.parameter("L", 0.5), c = mechanism.parameter("c", 0.3);
  const auto A = mechanism.parameter("A", 0.1);
  const model::Place P = add_point(m, "P", {0.1, -0.49}, {5.0, 0.0}, mass);
  add_distance(m, "rod", ground_place(m, {A, 0.0}), P, &L);
  const auto x = mechanism.signal("P.x"), vx = mechanism.signal("P.vx"), vy = mechanism.signal("P.vy");
  add_force(m, "drag", P, {-c * vx, -c * vy}, {});
  mechanism.compile();
  mechanism.problem.end = 1.5;
  mechanism.both("psi", x * vy, x * x * mechanism.signal("rod.lambda"));
  mechanism.problem.formulation = formulation::Index1{};
  const Rows exact = derivatives(mechanism, integrator::Rk4{5e-4}, sensitivity::DiscreteAdjoint{});
  mechanism.problem.formulation = formulation::Maggi{};
  for (const Method& method : continuous_methods(mechanism)) {
    CAPTURE(sensitivity::name_of(method));
    CHECK(error(mechanism, integrator::Rk4{5e-4}, method, exact) < 1e-5);
    CHECK(error(mechanism, integrator::DormandPrince{{1e-9, 1e-11}}, method, exact) < 1e-6);
  }
}

TEST_CASE("continuous forms: after any integrator, with tolerances of their own", "[sensitivity][continuous]") {
  const integrator::Tolerances forward{1e-9, 1e-11};
  const integrator::Integrator integrators[] = {integrator::Sdirk4{2e-3},           integrator::Radau{5, 0, forward},
                                                integrator::Bdf{5, 0, forward},     integrator::Newmark{2e-4},
                                                integrator::GeneralizedAlpha{2e-4}, integrator::Trapezoidal{2e-4}};
  for (const Formulation& form :
       {Formulation(formulation::Penalty{1e3, 1, 10}), Formulation(formulation::Index1{}),
        Formulation(formulation::AugmentedLagrangian{1, 1e6, 1, 10}), Formulation(formulation::Maggi{})}) {
    for (const integrator::Integrator& integrator : integrators) {
      Mechanism mechanism = with_plain_ends(four_bar_mechanism());
      mechanism.problem.end = mechanism.problem.start + 0.2;
      mechanism.problem.formulation = form;
      const Rows exact = exact_derivatives(mechanism);
      for (Method method : continuous_methods(mechanism)) {
        if (auto* adjoint = std::get_if<ContinuousAdjoint>(&method)) adjoint->tolerances = {1e-9, 1e-11};
        if (auto* direct = std::get_if<ContinuousDirect>(&method)) direct->tolerances = {1e-9, 1e-11};
        CAPTURE(formulation::name_of(form), integrator::name_of(integrator), sensitivity::name_of(method));
        CHECK(error(mechanism, integrator, method, exact) < 2e-5);
      }
    }
  }
}

namespace {

/// A point on `rods` equal rods, which is redundant for more than one.
Mechanism pendulum_on(const std::vector<const char*>& rods) {
  Mechanism mechanism("pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const auto mass = mechanism.parameter("m", 2), L = mechanism.parameter("L", 1), c = mechanism.parameter("c", 0.3);
  const model::Place P = add_point(m, "P", {0.6, -0.8}, {0.0, 0.0}, mass);
  for (const char* name : rods) add_distance(m, name, ground_place(m, {0.0, 0.0}), P, &L);
  const auto vx = mechanism.signal("P.vx"), vy = mechanism.signal("P.vy");
  add_force(m, "drag", P, {-c * vx, -c * vy}, {});
  mechanism.compile();
  mechanism.problem.end = 0.5;
  return mechanism;
}

}  // namespace

TEST_CASE("continuous forms: redundant constraints with an augmented Lagrangian", "[sensitivity][continuous]") {
  Mechanism mechanism = pendulum_on({"rod", "twin"});
  const auto x = mechanism.signal("P.x");
  mechanism.both("psi", x * mechanism.signal("P.vy"), x * x * mechanism.signal("rod.lambda"));
  for (int index : {1, 3}) {
    mechanism.problem.formulation = formulation::AugmentedLagrangian{index, 1e6, 1, 10};
    const Rows exact = derivatives(mechanism, FixedRadau{2e-3}, sensitivity::DiscreteAdjoint{});
    for (const Method& method : continuous_methods(mechanism)) {
      CAPTURE(index, sensitivity::name_of(method));
      CHECK(error(mechanism, FixedRadau{2e-3}, method, exact) < 1e-6);
      CHECK(error(mechanism, integrator::Trapezoidal{2e-3}, method, exact) < 1e-4);
    }
  }
}

TEST_CASE("continuous forms: what does not go together is said", "[sensitivity][continuous]") {
  Mechanism mechanism = pendulum_on({"rod"});
  mechanism.terminal("place", mechanism.signal("P.x"));
  auto refusal = [&](const Formulation& form, AdjointForm adjoint) {
    mechanism.problem.formulation = form;
    return sensitivity::objection(mechanism.problem, ContinuousAdjoint{adjoint, {}});
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(refusal(formulation::Penalty{}, AdjointForm::Approach1),
             Contains("approach 1 equations are not those of penalty, which has: continuous adjoint, first-order "
                      "explicit; continuous adjoint, first-order implicit; continuous adjoint, second-order"));
  CHECK_THAT(refusal(formulation::Index3{}, AdjointForm::FirstOrderExplicit),
             Contains("which has: continuous adjoint, second-order"));
  CHECK(refusal(formulation::Index1{}, AdjointForm::Approach1).empty());
  CHECK(refusal(formulation::Index3{}, AdjointForm::Default).empty());
  mechanism.terminal("pull", mechanism.signal("rod.lambda"));
  for (const Formulation& form : {Formulation(formulation::Index3{}), Formulation(formulation::StabilizedIndex1{})}) {
    CHECK_THAT(refusal(form, AdjointForm::Default), Contains("in the terminal part of an objective, as in \"pull\""));
  }
  CHECK_THAT(refusal(formulation::Index1{}, AdjointForm::Approach1), Contains("as in \"pull\""));
  CHECK(refusal(formulation::Index1{}, AdjointForm::Approach2).empty());
  CHECK_THROWS_WITH(sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                          ContinuousAdjoint{AdjointForm::Approach1, {}}),
                    Contains("as in \"pull\""));
}

TEST_CASE("continuous forms: those that do not know constraints on velocities say so", "[sensitivity][continuous]") {
  using Catch::Matchers::Contains;
  const auto refusal = [](const Mechanism& declared, const Formulation& form, const Method& method) {
    Mechanism mechanism = with_plain_ends(declared);
    mechanism.problem.formulation = form;
    return sensitivity::objection(mechanism.problem, method);
  };
  const Mechanism trailer = trailer_mechanism(), rubbing = rubbing_crank_mechanism();
  const ContinuousAdjoint twice{AdjointForm::SecondOrder, {}};
  for (const Formulation& form : {Formulation(formulation::Maggi{}), Formulation(formulation::CoordinatePartitioning{}),
                                  Formulation(formulation::StabilizedIndex1{})}) {
    CHECK_THAT(refusal(trailer, form, twice), Contains("constraints on velocities, such as that of \"knife\"") &&
                                                  Contains("and so does: continuous adjoint, first-order explicit"));
    CHECK(refusal(rubbing, form, twice).empty());
    CHECK(refusal(trailer, form, ContinuousAdjoint{}).empty());
    CHECK(refusal(trailer, form, ContinuousDirect{}).empty());
  }
  CHECK_THAT(refusal(trailer, formulation::Maggi{}, PiecewiseAdjoint{}),
             Contains("piecewise adjoint equations of stabilized_index1 are not known for constraints on velocities"));
  CHECK(refusal(trailer, formulation::Maggi{}, ContinuousAdjoint{AdjointForm::FirstOrderImplicit, {}}).empty());
  for (const Formulation& form : {Formulation(formulation::Index3{}), Formulation(formulation::Penalty{1e5, 1, 10})}) {
    CHECK(refusal(trailer, form, twice).empty());
  }
}
