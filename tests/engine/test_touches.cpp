// SPDX-License-Identifier: MIT
// Adaptive runs end steps at every touch, jump and kink, also where their steps would have gone past it unseen, and
// gradients follow. Closed forms.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/contact/contact.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Integrator;
using model::Place;

namespace {

constexpr double g = 9.81;

std::vector<Integrator> adaptive() {
  return {integrator::DormandPrince{}, integrator::Radau{}, integrator::Bdf{}, integrator::Rosenbrock{}};
}

Place floor_of(const model::Model& model) { return ground_place(model, model::Vector(model.gravity().size(), 0.0)); }

/// The first time in [0, to] at which f is negative, f being resolved by a million samples.
template <class F>
double first_negative(F&& f, double to) {
  constexpr int samples = 1000000;
  int k = 0;
  while (k < samples && f(to * k / samples) >= 0) ++k;
  double low = to * (k - 1) / samples, high = to * k / samples;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) >= 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

TEST_CASE("no ridge is so narrow that a point flies through it", "[sensitivity]") {
  for (const double width : {0.5, 0.1, 0.02}) {
    const auto gap = [&](double t) {
      return 1 + 3 * t - g / 2 * t * t - 3 * std::exp(-std::pow((10 * t - 5) / width, 2));
    };
    const double touch = first_negative(gap, 0.9);
    for (const Integrator& method : adaptive()) {
      INFO(integrator::name_of(method) << ", " << width);
      Mechanism mechanism("ridge", {0, -g});
      model::Model& m = *mechanism.model;
      const Place ball = add_point(m, "P", {0.0, 1.0}, {10.0, 3.0}, 1.0);
      const Symbol u = (model::terrain_variable(m.graph(), 0) - 5.0) / width;
      const Symbol bell(m.graph(), m.graph().unary(expr::Op::Exp, (-(u * u)).in(m.graph())));
      model::Contact contact{floor_of(m), {ball}, {}, model::Terrain{3.0 * bell}, {}, {}};
      contact.normal.stiffness = 1e4;
      contact.normal.exponent = 1.5;
      contact.normal.dissipation = 0.1;
      add_contact(m, "ridge", contact);
      mechanism.compile();
      mechanism.problem.integrator = method;
      mechanism.problem.end = 0.9;
      const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
      REQUIRE(!run.solution.events.empty());
      CHECK(run.solution.events.front().t == Approx(touch).epsilon(1e-9));
    }
  }
}

TEST_CASE("a stop condition that changes its sign twice within a step ends the run", "[sensitivity]") {
  for (const Integrator& method : adaptive()) {
    for (const double below : {1e-2, 1e-6}) {
      INFO(integrator::name_of(method) << ", " << below);
      Mechanism mechanism("throw", {0, -g});
      add_point(*mechanism.model, "P", {0.0, 0.0}, {1.0, 5.0}, 1.0);
      mechanism.compile();
      mechanism.problem.end = 2;
      mechanism.problem.integrator = method;
      mechanism.stop("height", mechanism.signal("P.y") - (25 / (2 * g) - below));
      const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
      REQUIRE(run.solution.stop);
      CHECK(run.solution.mesh.t.back() == Approx(5 / g - std::sqrt(2 * below / g)).epsilon(1e-6));
    }
  }
}

TEST_CASE("forces that jump in a narrow band or in time, and their gradients", "[sensitivity]") {
  const double fast = std::sqrt(100 + 2 * 500 * 0.02), slope = 0.02 / fast;
  for (const Integrator& method : adaptive()) {
    INFO(integrator::name_of(method));
    Mechanism mechanism("band", {0, 0});
    model::Model& m = *mechanism.model;
    const Symbol force = mechanism.parameter("F", 500), until = mechanism.parameter("until", 0.15);
    const Place ball = add_point(m, "P", {0.0, 0.0}, {10.0, 0.0}, 1.0);
    const Symbol x = position_of(m, ball)[0], t(m.graph(), m.time());
    const Symbol within = Symbol::where(less(x, 5.0), 0.0, Symbol::where(less(x, 5.02), force, 0.0));
    add_force(m, "band", ball, {within, Symbol::where(less(t, until), 1.0, -1.0)}, {});
    mechanism.compile();
    mechanism.problem.integrator = method;
    mechanism.problem.end = 1;
    mechanism.terminal("x", mechanism.signal("P.x"));
    mechanism.terminal("y", mechanism.signal("P.y"));
    const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    CHECK(run.solution.events.size() == 3);
    CHECK(run.values[0] == Approx(5.02 + fast * (0.5 - (fast - 10) / 500)).epsilon(1e-7));
    CHECK(run.values[1] == Approx(0.15 * 0.15 / 2 + 0.15 * 0.85 - 0.85 * 0.85 / 2).epsilon(1e-9));
    const double in_force = slope * (0.5 - (fast - 10) / 500) + fast * ((fast - 10) / 250000 - slope / 500);
    // In the band bdf has orders for which a constant force is not exact: its error is in proportion to the tolerance.
    const double precision = std::holds_alternative<integrator::Bdf>(method) ? 1e-5 : 1e-7;
    for (const auto& found :
         {sensitivity::discrete_adjoint(mechanism.problem, mechanism.parameters(), mechanism.over()),
          sensitivity::discrete_direct(mechanism.problem, mechanism.parameters(), mechanism.over())}) {
      CHECK(found.derivatives[0][0] == Approx(in_force).epsilon(precision));
      CHECK(found.derivatives[1][1] == Approx(2 * 0.85).epsilon(1e-6));
    }
  }
}

TEST_CASE("continuous methods resolve a short contact after a fall", "[sensitivity]") {
  for (const Integrator& method : adaptive()) {
    INFO(integrator::name_of(method));
    Mechanism mechanism("fall", {0, -g});
    model::Model& m = *mechanism.model;
    const Symbol height = mechanism.parameter("h", 0.9), stiffness = mechanism.parameter("k", 2e6);
    const Place ball = add_point(m, "P", {0.0, height}, {0.0, 0.0}, 1.0);
    model::Contact contact{floor_of(m), {ball}, {0.1}, {}, {}, {}};
    contact.normal.stiffness = stiffness;
    contact.normal.exponent = 1.5;
    add_contact(m, "floor", contact);
    mechanism.compile();
    mechanism.problem.integrator = method;
    mechanism.problem.end = 0.6;
    mechanism.terminal("y", mechanism.signal("P.y"));
    const auto p = mechanism.parameters();
    // From the time of contact, 2 times the integral of 1 / sqrt(v^2 + 2 g d - 4/5 k d^(5/2)) over the depth, by
    // quadrature.
    constexpr double in_height = -0.0632550, in_stiffness = 3.12570e-9;
    for (const auto& found : {sensitivity::continuous_adjoint(mechanism.problem, p, mechanism.over(), {}),
                              sensitivity::continuous_direct(mechanism.problem, p, mechanism.over(), {})}) {
      CHECK(found.derivatives[0][0] == Approx(in_height).epsilon(5e-4));
      CHECK(found.derivatives[0][1] == Approx(in_stiffness).epsilon(5e-4));
    }
  }
}

TEST_CASE("what is left at the end of a run is no step of its own", "[sensitivity]") {
  const formulation::Formulation forms[] = {formulation::Index3{}, formulation::StabilizedIndex1{}};
  for (const formulation::Formulation& form : forms) {
    for (int i = 1; i <= 40; ++i) {
      const double end = 0.001 * i;
      INFO(formulation::name_of(form) << " until " << end);
      Mechanism mechanism("pendulum", {0, -g});
      const Place pivot = ground_place(*mechanism.model, {0.0, 0.0});
      const Place bob = add_point(*mechanism.model, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
      add_distance(*mechanism.model, "rod", pivot, bob, nullptr);
      mechanism.compile();
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = integrator::Radau{};
      mechanism.problem.end = end;
      const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
      const double* v = run.solution.mesh.v_at(run.solution.mesh.size() - 1);
      CHECK(v[0] == Approx(-g * end * g * end * end / 2).margin(1e-4));
      CHECK(v[1] == Approx(-g * end).margin(1e-4));
    }
  }
}

TEST_CASE("fixed steps say which force jumped on the way", "[sensitivity]") {
  Mechanism mechanism("ball", {0, -g});
  model::Model& m = *mechanism.model;
  const Place ball = add_point(m, "P", {0.0, 0.3}, {0.0, 0.0}, 1.0);
  model::Contact contact{floor_of(m), {ball}, {0.1}, {}, {}, {}};
  contact.normal.stiffness = 2e4;
  contact.normal.damping = 60;
  add_contact(m, "floor", contact);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
  REQUIRE(!run.warnings.empty());
  CHECK(run.warnings[0].find("\"floor.gap\"") != std::string::npos);
}
