// SPDX-License-Identifier: MIT
// Events of adaptive runs: steps end where contacts begin and end, and gradients follow the moving events.
#include <catch2/catch.hpp>
#include <cmath>

#include "error.hpp"
#include "gradient_check.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/contact/contact.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/law/switches.hpp"
#include "model/place/places.hpp"
#include "offered.hpp"
#include "sensitivity/discrete/checkpoints.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Integrator;
using model::Place;

namespace {

std::vector<Integrator> adaptive(double relative) {
  const integrator::Tolerances tolerances{relative, relative / 100};
  return {integrator::DormandPrince{tolerances}, integrator::Radau{3, 0, tolerances},
          integrator::Radau{5, 0, tolerances}, integrator::Bdf{5, 0, tolerances},
          integrator::Rosenbrock{4, 0, tolerances}};
}

Place floor_of(const model::Model& model) { return ground_place(model, model::Vector(model.gravity().size(), 0.0)); }

/// A ball falls on a floor that a damper makes push at once, or not at all at the surface.
Mechanism bouncing_ball(bool jumps) {
  Mechanism mechanism(jumps ? "ball with a damper" : "ball of Hunt and Crossley", {0, -9.81});
  const Symbol height = mechanism.parameter("height", 0.2), stiffness = mechanism.parameter("stiffness", 2e4),
               damping = mechanism.parameter("damping", jumps ? 60 : 0.2);
  const Place ball = add_point(*mechanism.model, "P", {0.0, height + 0.1}, {0.3, 0.0}, mechanism.parameter("mass", 2));
  model::Contact contact{floor_of(*mechanism.model), {ball}, {0.1}, {}, {}, {}};
  contact.normal.stiffness = stiffness;
  (jumps ? contact.normal.damping : contact.normal.dissipation) = damping;
  if (!jumps) contact.normal.exponent = 1.5;
  add_contact(*mechanism.model, "floor", contact);
  mechanism.compile();
  mechanism.problem.end = 0.6;
  mechanism.terminal("end", mechanism.signal("P.y") + 0.1 * mechanism.signal("P.vy"));
  mechanism.both("force", mechanism.signal("P.x"), 1e-4 * pow(mechanism.signal("P.ay"), 2.0) + mechanism.signal("P.y"));
  return mechanism;
}

/// A box that is thrown flat onto an uneven, moving slope: its corners touch one after the other, stick and slide.
Mechanism thrown_box() {
  Mechanism mechanism("thrown box", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol speed = mechanism.parameter("speed", 1.5), mu = mechanism.parameter("mu", 0.4),
               rise = mechanism.parameter("rise", 0.05), damping = mechanism.parameter("damping", 40);
  const Place box = add_planar_body(m, "box", 2.0, 0.02, {0.0, 0.13}, 0.1, {speed, -0.5}, 0.2);
  Symbol x = model::terrain_variable(m.graph(), 0), t(m.graph(), m.time());
  model::Contact contact{floor_of(m), {body_place(m, box, {-0.1, -0.05}), body_place(m, box, {0.1, -0.05})},
                         {},          model::Terrain{0.1 * x + rise * sin(3.0 * x + 2.0 * t)},
                         {},          {}};
  contact.normal.stiffness = 2e4;
  contact.normal.damping = damping;
  contact.friction = model::StaticFriction{5e3, 30.0, mu};
  add_contact(m, "slope", contact);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.terminal("end", mechanism.signal("box.x") + 0.3 * mechanism.signal("box.angle"));
  mechanism.integral("work", pow(mechanism.signal("slope.normal_force"), 2.0) * 1e-4);
  return mechanism;
}

/// A pendulum that strikes a peg: a constrained motion with a jump of the force, half of which reads the velocity.
Mechanism struck_pendulum() {
  Mechanism mechanism("struck pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol length = mechanism.parameter("length", 1.0), damping = mechanism.parameter("damping", 20),
               peg = mechanism.parameter("peg", 0.15);
  const Place pivot = ground_place(m, {0.0, 0.0});
  const Place bob = add_point(m, "P", {length * std::cos(0.5), -(length * std::sin(0.5))}, {0.0, 0.0}, 1.0);
  add_distance(m, "rod", pivot, bob, &length);
  model::Contact contact{ground_place(m, {0.0, -1.1}), {bob}, {0.05}, model::Ball{peg}, {}, {}};
  contact.normal.stiffness = 5e3;
  contact.normal.damping = damping;
  add_contact(m, "stop", contact);
  mechanism.compile();
  mechanism.problem.end = 0.9;
  mechanism.terminal("end", mechanism.signal("P.x") - 0.2 * mechanism.signal("P.vy"));
  mechanism.both("path", mechanism.signal("P.ax") * 0.01, pow(mechanism.signal("P.y"), 2.0));
  return mechanism;
}

/// A mass swings on a spring whose length two stops limit, with dampers that act at once or without any.
Mechanism stopped_spring(double damping) {
  Mechanism mechanism(damping > 0 ? "stops with a damper" : "stops without a damper", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol stiffness = mechanism.parameter("stiffness", 2e3), lower = mechanism.parameter("lower", 0.9),
               upper = mechanism.parameter("upper", 1.15), c = mechanism.parameter("damping", damping);
  const Place pivot = ground_place(m, {0.0, 0.0}), mass = add_point(m, "P", {1.0, 0.0}, {-1.5, 0.5}, 1.0);
  const Symbol length = length_of(m, pivot, mass);
  add_spring(m, "spring", pivot, mass, 0.0, nullptr, 0.0, 0.0, {60.0 * (length - 1.0), 0.0, 0.0, 0.0});
  add_bump_stop(m, "stop", length, {&lower, &upper, stiffness, c, nullptr});
  mechanism.compile();
  mechanism.problem.end = 0.8;
  mechanism.terminal("end", mechanism.signal("P.x") - 0.2 * mechanism.signal("P.vy"));
  mechanism.both("path", mechanism.signal("P.y"), 1e-4 * pow(mechanism.signal("P.ax"), 2.0));
  return mechanism;
}

/// x'' = -4 x - 0.3 x' - a [x > b], from rest at x = 1: the reference page's problem T2.
Mechanism switched_oscillator() {
  Mechanism mechanism("switched oscillator", {0, 0});
  model::Model& m = *mechanism.model;
  const Symbol a = mechanism.parameter("a", 1.5), b = mechanism.parameter("b", 0.4);
  const Place mass = add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol x = mechanism.signal("P.x"), v = mechanism.signal("P.vx");
  const Symbol beyond = is_negative(m, "beyond b", b - x);
  add_force(m, "f", mass, {-4.0 * x - 0.3 * v - Symbol::where(beyond, a, 0.0), 0.0}, {});
  mechanism.compile();
  mechanism.problem.end = 3;
  mechanism.integral("g", 1e-3 * pow(mechanism.signal("P.ax"), 4.0) + x * x);
  return mechanism;
}

void check_gradients(Mechanism mechanism, const Integrator& method, double tolerance,
                     const sensitivity::FiniteDifference& by = {1e-3, 2}) {
  INFO(mechanism.name << ", " << integrator::name_of(method));
  mechanism.problem.integrator = method;
  const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
  INFO(run.solution.message);
  REQUIRE(run.solution.status == integrator::Status::Completed);
  CHECK(run.solution.events.size() >= 2);
  const std::vector<double> rho = mechanism.parameters();
  const Rows direct = derivatives(mechanism, sensitivity::DiscreteDirect{}),
             adjoint = derivatives(mechanism, sensitivity::DiscreteAdjoint{}),
             replayed = derivatives(mechanism, sensitivity::DiscreteAdjoint{3}),
             differences = derivatives(mechanism, by);
  CHECK(difference(direct, adjoint, rho) < 1e-9);
  CHECK(replayed == adjoint);
  CHECK(difference(direct, differences, rho) < tolerance);
}

}  // namespace

TEST_CASE("gradients follow the events of contacts and stops, whether forces jump or not", "[sensitivity]") {
  for (const Integrator& method : adaptive(1e-7)) {
    check_gradients(bouncing_ball(true), method, 2e-9);
    // Powers of the depth are not smooth at the surface: differences over lengths that move the event feel them.
    check_gradients(bouncing_ball(false), method, 2e-8, {5e-5, 3});
    check_gradients(thrown_box(), method, 2e-9);
    check_gradients(stopped_spring(20.0), method, 2e-9);
    check_gradients(stopped_spring(0.0), method, 2e-9);
    for (const formulation::Formulation& form : all_formulations()) {
      Mechanism mechanism = struck_pendulum();
      mechanism.problem.formulation = form;
      if (!integrator::objection(form, method).empty()) continue;
      INFO(formulation::name_of(form));
      check_gradients(std::move(mechanism), method, 2e-9);
    }
  }
}

TEST_CASE("a switched oscillator has the value and the gradient of the reference page", "[sensitivity]") {
  for (const Integrator& method : adaptive(1e-9)) {
    INFO(integrator::name_of(method));
    Mechanism mechanism = switched_oscillator();
    mechanism.problem.integrator = method;
    // Integrals are not under error control.
    const bool is_fine = !std::holds_alternative<integrator::Bdf>(method);
    for (const sensitivity::Method& how :
         {sensitivity::Method(sensitivity::DiscreteDirect{}), sensitivity::Method(sensitivity::DiscreteAdjoint{})}) {
      const auto found = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), how);
      CHECK(found.values[0] == Approx(1.742217819).epsilon(is_fine ? 1e-8 : 1e-6));
      CHECK(found.derivatives[0][0] == Approx(0.54617753).epsilon(is_fine ? 1e-7 : 1e-5));
      CHECK(found.derivatives[0][1] == Approx(-0.67064208).epsilon(is_fine ? 1e-7 : 1e-5));
    }
  }
}

TEST_CASE("touch-down is found at its time, and events are many times more exact than steps across them",
          "[integrator]") {
  // Without gravity, a spring alone holds the ball for half a period; with fixed steps the force is as exact.
  const double K = 1e4, mass = 2, v = 1.5, touch = 0.1 / v, held = std::acos(-1.0) / std::sqrt(K / mass);
  auto final_speed_error = [&](const Integrator& method, long& evaluations, std::vector<integrator::Event>& events) {
    Mechanism mechanism("spring", {0, 0});
    const Place ball = add_point(*mechanism.model, "P", {0.0, 0.2}, {0.0, -v}, mass);
    model::Contact contact{floor_of(*mechanism.model), {ball}, {0.1}, {}, {}, {}};
    contact.normal.stiffness = K;
    add_contact(*mechanism.model, "floor", contact);
    mechanism.compile();
    mechanism.problem.end = 0.2;
    mechanism.problem.integrator = method;
    mechanism.terminal("y", mechanism.signal("P.y"));
    const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    evaluations = run.solution.statistics.evaluations;
    events = run.solution.events;
    return std::abs(run.values[0] - (0.1 + v * (0.2 - touch - held)));
  };
  long spent = 0, again = 0;
  std::vector<integrator::Event> events;
  const double located = final_speed_error(integrator::DormandPrince{{1e-8, 1e-10}}, spent, events);
  REQUIRE(events.size() == 2);
  CHECK(std::abs(events[0].t - touch) < 1e-13);
  CHECK(std::abs(events[1].t - touch - held) < 1e-8);
  const double across = final_speed_error(integrator::Rk4{0.8 / static_cast<double>(spent)}, again, events);
  CHECK(events.empty());
  CHECK(located < 1e-8);
  CHECK(located < 1e-2 * across);
}

TEST_CASE("nothing is passed through, not even in one long step", "[integrator]") {
  for (const Integrator& method : adaptive(1e-6)) {
    INFO(integrator::name_of(method));
    Mechanism mechanism("collision", {0, 0});
    const Place a = add_point(*mechanism.model, "A", {0.0, 0.0}, {1.0, 0.0}, 1.0),
                b = add_point(*mechanism.model, "B", {3.0, 0.0}, {-1.0, 0.0}, 1.0);
    model::Contact contact{a, {b}, {0.01}, model::Ball{0.01}, {}, {}};
    contact.normal.stiffness = 1e6;
    contact.normal.exponent = 1.5;
    add_contact(*mechanism.model, "hit", contact);
    mechanism.compile();
    mechanism.problem.end = 4;
    mechanism.problem.integrator = method;
    const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    REQUIRE(run.solution.events.size() == 2);
    CHECK(run.solution.events[0].t == Approx(1.49).epsilon(1e-9));
    CHECK(run.solution.mesh.v_at(run.solution.mesh.size() - 1)[0] == Approx(-1).epsilon(1e-3));
  }
}

TEST_CASE("chattering, resting and grazing come to an end", "[integrator]") {
  for (const Integrator& method : adaptive(1e-6)) {
    INFO(integrator::name_of(method));
    {  // A relay with damping: switches faster and faster until it rests at x = 0.
      Mechanism mechanism("relay", {0, 0});
      const Place mass = add_point(*mechanism.model, "P", {0.01, 0.0}, {0.0, 0.0}, 1.0);
      const Symbol x = mechanism.signal("P.x"), v = mechanism.signal("P.vx");
      const Symbol push = Symbol::where(is_negative(*mechanism.model, "side", x), 1.0, -1.0);
      add_force(*mechanism.model, "relay", mass, {push - 8.0 * v, 0.0}, {});
      mechanism.compile();
      mechanism.problem.end = 1;
      mechanism.problem.integrator = method;
      const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
      INFO(run.solution.message);
      CHECK(run.solution.statistics.steps < 50'000);
      if (run.solution.status == integrator::Status::Completed) {
        CHECK(std::abs(run.solution.mesh.q_at(run.solution.mesh.size() - 1)[0]) < 1e-4);
      }
    }
    {  // A ball that starts on the floor exactly, and one that only touches it at the top of its flight upwards.
      Mechanism mechanism("rest", {0, -9.81});
      const Place ball = add_point(*mechanism.model, "P", {0.0, 0.1}, {0.0, 0.0}, 1.0);
      const Place other = add_point(*mechanism.model, "Q", {1.0, 0.0}, {0.0, std::sqrt(2 * 9.81)}, 1.0);
      for (const Place& place : {ball, other}) {
        const bool is_ball = is_same_object(place, ball);
        model::Contact contact{
            is_ball ? floor_of(*mechanism.model) : ground_place(*mechanism.model, {0.0, 1.0}), {place}, {}, {}, {}, {}};
        if (is_ball) contact.round.radius = 0.1;
        if (!is_ball) contact.a.axes = {std::acos(-1.0)};
        contact.normal.stiffness = 1e4;
        contact.normal.damping = 100;
        add_contact(*mechanism.model, is_ball ? "floor" : "ceiling", contact);
      }
      mechanism.compile();
      mechanism.problem.end = 0.8;
      mechanism.problem.integrator = method;
      const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
      REQUIRE(run.solution.status == integrator::Status::Completed);
      CHECK(run.solution.mesh.q_at(run.solution.mesh.size() - 1)[1] == Approx(0.1 - 9.81 / 1e4).epsilon(1e-4));
      CHECK(run.solution.statistics.steps < 5'000);
    }
  }
}
