// SPDX-License-Identifier: MIT
// The adjoint through phases: a rod that hooks on and lets go, and a ball of two masses that hops.
#include <catch2/catch.hpp>

#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "offered.hpp"
#include "phases_check.hpp"
#include "simulation/phases.hpp"

using namespace perilune;
using expr::Symbol;
using formulation::Formulation;
using integrator::Integrator;

namespace {

/// A rod is thrown, hooks on with its end where that comes to a line, swings, and lets go. Where it hangs, and since
/// when it flies again, are parameters that phases set; the drag reads the latter.
struct HookedRod {
  Mechanism mechanism{"hooked rod", {0, 0}};
  std::vector<int> over{0, 1, 2, 3, 4, 5, 6};

  HookedRod() {
    model::Model& model = *mechanism.model;
    const Symbol speed = mechanism.parameter("speed", 2.0, "m/s"), spin = mechanism.parameter("spin", 0.5, "rad/s"),
                 arm = mechanism.parameter("arm", 0.6, "m"), line = mechanism.parameter("line", 1.0, "m"),
                 leave = mechanism.parameter("leave", 1.6, "rad"), mass = mechanism.parameter("mass", 1.5, "kg"),
                 g = mechanism.parameter("g", 9.81, "m/s^2"), x = mechanism.parameter("x", 3.0, "m"),
                 y = mechanism.parameter("y", 4.0, "m"), since = mechanism.parameter("since", 0.2, "s");
    model.set_gravity({0.0, -g});
    const model::Place rod = add_planar_body(model, "rod", mass, 0.1 * mass, {0.0, 0.3}, 0.2, {speed, 1.0}, spin);
    add_joint(model, "revolute", "hook", ground_place(model, {x, y}), body_place(model, rod, {arm, 0.0}));
    auto s = [&](const char* name) { return mechanism.signal(name); };
    add_force(model, "drag", rod, {-since * s("rod.vx"), -since * s("rod.vy")}, {-0.1 * s("rod.omega")});
    const Symbol angle = s("rod.angle"), at_x = s("rod.x") + arm * cos(angle), at_y = s("rod.y") + arm * sin(angle);
    const Symbol arrives = at_x - line, leaves = angle + 0.02 * s("rod.omega") - leave;
    mechanism.compile();
    auto& phases = mechanism.problem.phases;
    phases.push_back(make_phase(mechanism, "flies", {"hook"}, &arrives));
    phases.push_back(make_phase(mechanism, "hangs", {}, &leaves, {{7, at_x}, {8, at_y}, {9, 0.1 * s("t") * line}}));
    phases.push_back(make_phase(mechanism, "flies on", {"hook"}, nullptr, {{9, since * s("t") + s("rod.vx") * arm}}));
    mechanism.problem.end = 1.0;
    mechanism.terminal("distance", s("rod.x") * mass + x * s("t"));
    mechanism.both("reaction", 0.1 * s("rod.ay") * s("rod.vx"), 0.01 * s("hook.lambda_x") * s("hook.lambda_y"));
    mechanism.integral("path", s("t") * s("rod.vy") * s("rod.vy") + since * s("rod.ax") + x * y);
  }
};

/// Two masses on a spring fall, the lower one sticks to the ground until that would have to pull, and again.
struct Hopper {
  Mechanism mechanism{"hopper", {0, -9.81}};
  std::vector<int> over{0, 1, 2, 3, 4};

  Hopper() {
    model::Model& model = *mechanism.model;
    const Symbol height = mechanism.parameter("height", 0.3, "m"), speed = mechanism.parameter("speed", 0.1, "m/s"),
                 stiffness = mechanism.parameter("stiffness", 300, "N/m"),
                 foot = mechanism.parameter("foot", 0.3, "kg"), limit = mechanism.parameter("limit", 1.0, "N"),
                 place = mechanism.parameter("place", 2.0, "m"), length = 0.5;
    const model::Place low = add_point(model, "low", {0.0, height}, {speed, 0.0}, foot);
    const model::Place high = add_point(model, "high", {0.02, height + 0.5}, {speed, 0.0}, 1.0);
    add_spring(model, "spring", low, high, stiffness, &length, 1.5, 0.0);
    add_coincidence(model, "sole", ground_place(model, {place, 0.0}), low);
    auto s = [&](const char* name) { return mechanism.signal(name); };
    const Symbol lands = -s("low.y"), lifts = s("sole.lambda_y") + limit;
    mechanism.compile();
    auto& phases = mechanism.problem.phases;
    for (int hop : {1, 2}) {
      const std::string number = " " + std::to_string(hop);
      phases.push_back(make_phase(mechanism, "falls" + number, {"sole"}, &lands));
      phases.push_back(make_phase(mechanism, "stands" + number, {}, &lifts, {{5, s("low.x")}}));
    }
    phases.push_back(make_phase(mechanism, "rises", {"sole"}, nullptr));
    mechanism.problem.end = 1.2;
    mechanism.terminal("height", s("high.y") + place);
    mechanism.both("force", s("high.vy") * s("t"), 0.01 * s("sole.lambda_y") * s("spring.length") * s("t"));
    mechanism.integral("swing", s("high.vx") * s("low.vx") + place * s("high.ay"));
  }
};

std::vector<Integrator> precise_integrators(const Formulation& form) {
  std::vector<Integrator> methods{integrator::Rk4{4e-3}, integrator::DormandPrince{{1e-9, 1e-10}},
                                  integrator::Radau{5, 0, {1e-9, 1e-10}}, integrator::GeneralizedAlpha{4e-3}};
  std::erase_if(methods, [&](const Integrator& method) { return !integrator::objection(form, method).empty(); });
  return methods;
}

const std::vector<Formulation> forms{formulation::Maggi{}, formulation::Index1{5, 5}, formulation::Penalty{1e6, 1, 10},
                                     formulation::Index3{}};

void check_all(Mechanism mechanism, const std::vector<int>& over) {
  for (const Formulation& form : forms) {
    mechanism.problem.formulation = form;
    for (const Integrator& method : precise_integrators(form)) {
      INFO(formulation::name_of(form) << ", " << integrator::name_of(method));
      mechanism.problem.integrator = method;
      check_gradients_of_phases(mechanism, over);
    }
  }
}

}  // namespace

TEST_CASE("a rod that hooks on and lets go has the gradient of differences", "[sensitivity]") {
  const HookedRod rod;
  const auto run = simulation::evaluate(rod.mechanism.problem, rod.mechanism.parameters());
  REQUIRE(run.solution.message == "reached the end time in phase \"flies on\"");
  check_all(rod.mechanism, rod.over);
}

TEST_CASE("a ball of two masses that hops has the gradient of differences", "[sensitivity]") {
  const Hopper hopper;
  const auto run = simulation::evaluate(hopper.mechanism.problem, hopper.mechanism.parameters());
  REQUIRE(run.solution.message == "reached the end time in phase \"rises\"");
  check_all(hopper.mechanism, hopper.over);
}

TEST_CASE("the adjoint through phases is the direct method's transpose with all forms and integrators",
          "[sensitivity]") {
  HookedRod rod;
  simulation::Problem& problem = rod.mechanism.problem;
  for (const Formulation& form : all_formulations()) {
    problem.formulation = form;
    for (const Integrator& method : integrators_for(form, 1e-2)) {
      INFO(formulation::name_of(form) << ", " << integrator::name_of(method) << " " << integrator::fixed_step(method));
      problem.integrator = method;
      check_adjoint_is_direct(rod.mechanism, rod.over);
    }
  }
}

TEST_CASE("checkpoints change no bit of a gradient through phases", "[sensitivity]") {
  Hopper hopper;
  for (const Integrator& method :
       std::initializer_list<Integrator>{integrator::DormandPrince{}, integrator::GeneralizedAlpha{2e-3}}) {
    hopper.mechanism.problem.integrator = method;
    const std::vector<double> rho = hopper.mechanism.parameters();
    const auto all = sensitivity::adjoint_through_phases(hopper.mechanism.problem, rho, hopper.over);
    const auto few = sensitivity::adjoint_through_phases(hopper.mechanism.problem, rho, hopper.over, {3});
    CHECK(few.derivatives == all.derivatives);
  }
}
