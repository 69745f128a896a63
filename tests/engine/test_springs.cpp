// SPDX-License-Identifier: MIT
// Springs, stops and bushings: closed forms, forces by hand, and the balance of energy.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "error.hpp"
#include "expr/spline.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/bushing.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::BumpStop;
using model::Model;
using model::Place;
using model::Resistance;

namespace {

std::vector<double> run(Mechanism& mechanism, const integrator::Integrator& method, double end) {
  if (!mechanism.problem.system) mechanism.compile();
  mechanism.problem.integrator = method;
  mechanism.problem.end = end;
  return simulation::evaluate(mechanism.problem, mechanism.parameters()).values;
}

/// Value of an expression in the declared configuration.
double at_start(Mechanism& mechanism, const Symbol& s) {
  mechanism.compile();
  const auto data = mechanism.problem.system->make_data(mechanism.parameters());
  const system::Measure measure(mechanism.model->graph(), {s.in(mechanism.model->graph())});
  auto work = measure.make_work();
  measure.evaluate({0, data->initial_q.data(), data->initial_v.data(), nullptr, nullptr, nullptr}, work);
  return measure.value(work, 0);
}

/// Energy at the end and what was dissipated until then, less the energy at the start, in parts of what was dissipated.
double imbalance(Mechanism mechanism, const integrator::Integrator& method, double end) {
  Symbol dissipation = 0.0;
  for (const std::string& name : signal_names(*mechanism.model)) {
    if (name.ends_with(".dissipation")) dissipation += mechanism.signal(name);
  }
  const Symbol energy = mechanism.signal("energy.total");
  mechanism.compile();
  mechanism.both("energy", energy, dissipation);
  mechanism.integral("dissipated", dissipation);
  mechanism.problem.formulation = formulation::Index1{};  // the energy of a penalty is not among the signals
  mechanism.problem.integrator = method;
  mechanism.problem.end = end;
  const auto result = simulation::evaluate(mechanism.problem, {});
  const system::Measure measure(mechanism.model->graph(), {energy.in(mechanism.model->graph())});
  auto work = measure.make_work();
  const integrator::Mesh& mesh = result.solution.mesh;
  measure.evaluate({mesh.t[0], mesh.q_at(0), mesh.v_at(0), mesh.a_at(0), mesh.lambda_at(0), nullptr}, work);
  return std::abs(result.values[0] - measure.value(work, 0)) / result.values[1];
}

/// The balance closes, and with half the step at the order of the integrator.
void check_balance(Mechanism (*make)(), double end) {
  CHECK(imbalance(make(), integrator::DormandPrince{1e-12, 1e-13}, end) < 1e-10);
  const double coarse = imbalance(make(), integrator::Rk4{end / 320}, end),
               fine = imbalance(make(), integrator::Rk4{end / 640}, end);
  CAPTURE(coarse, fine);
  CHECK(coarse / fine > 12);
  CHECK(coarse / fine < 20);
}

Place hinged_arm(Mechanism& mechanism) {
  Model& m = *mechanism.model;
  const Place arm = add_planar_body(m, "arm", 2.0, 0.15, {0.4, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  add_joint(m, "revolute", "pin", ground_place(m, {0.0, 0.0}), body_place(m, arm, {-0.4, 0.0}));
  return arm;
}

Mechanism polynomial_spring() {
  Mechanism mechanism("polynomial spring", {0, -9.81});
  Model& m = *mechanism.model;
  const Place P = add_point(m, "P", {0.6, -0.8}, {0.5, 0.0}, 1.2), G = ground_place(m, {0.0, 0.0});
  const Symbol x = length_of(m, G, P) - 0.8, v = length_rate(m, G, P);
  add_spring(m, "s", G, P, 0.0, nullptr, 0.0, 0.0,
             {40.0 * x + 900.0 * x * x * x, v + 0.5 * v * v * v, 0.0, 20.0 * x * x + 225.0 * x * x * x * x});
  return mechanism;
}

Mechanism tabulated_spring() {
  Mechanism mechanism("tabulated spring", {0, 0});
  Model& m = *mechanism.model;
  const Place arm = hinged_arm(mechanism);
  const Place tip = body_place(m, arm, {0.4, 0.1}), G = ground_place(m, {0.9, 0.7});
  const expr::Spline elastic({-0.4, 0.0, 0.3, 0.8}, {-10.0, 0.0, 15.0, 60.0}, {}, {}),
      viscous({-2.0, -0.5, 0.0, 0.5, 2.0}, {-6.0, -2.0, 0.0, 1.0, 3.0}, {}, {});
  const Symbol x = length_of(m, G, tip) - 0.2;
  add_spring(m, "s", G, tip, 0.0, nullptr, 0.0, 0.0,
             {elastic(x), viscous(length_rate(m, G, tip)), 0.0, elastic.integral(x)});
  return mechanism;
}

Mechanism torsion_pendulum() {
  Mechanism mechanism("torsion pendulum", {0, -9.81});
  hinged_arm(mechanism);
  const Symbol angle = mechanism.signal("pin.angle") - 1.2;
  add_torsion_spring(*mechanism.model, "s", mechanism.signal("pin.angle"),
                     {20.0 * angle + 30.0 * angle * angle * angle, 0.3 * mechanism.signal("arm.omega"), 0.0,
                      10.0 * angle * angle + 7.5 * angle * angle * angle * angle});
  return mechanism;
}

Mechanism stopped_pendulum(bool smooth) {
  Mechanism mechanism("stopped pendulum", {0, -9.81});
  hinged_arm(mechanism);
  const Symbol lower = -1.0, upper = 0.2, width = 0.4;
  BumpStop stop{&lower, &upper, 60.0, 2.0, smooth ? &width : nullptr};
  add_bump_stop(*mechanism.model, "stop", mechanism.signal("arm.angle"), stop);
  return mechanism;
}

Mechanism planar_bushing() {
  Mechanism mechanism("planar bushing", {0, -9.81});
  Model& m = *mechanism.model;
  const Place A = add_planar_body(m, "A", 2.0, 0.3, {0.0, 0.0}, 0.2, {0.0, 0.0}, 1.0);
  const Place B = add_planar_body(m, "B", 1.0, 0.1, {0.5, 0.1}, 0.6, {0.4, 0.0}, -2.0);
  Place a = body_place(m, A, {0.3, 0.0}), b = body_place(m, B, {-0.2, 0.1});
  a.axes = {0.5};
  add_bushing(m, "b", a, b, {200.0, 30.0, 4.0, 30.0, 100.0, 0.0, 4.0, 0.0, 5.0},
              {3.0, 0.0, 0.1, 0.0, 2.0, 0.0, 0.1, 0.0, 0.2});
  return mechanism;
}

Mechanism spatial_bushing() {
  Mechanism mechanism("spatial bushing", {0, 0, 0});
  Model& m = *mechanism.model;
  const std::vector<Symbol> J{0.06, 0.08, 0.07, 0.004, 0.0, -0.003};
  const Place A =
      add_spatial_body(m, "A", 2.0, J, {0.0, 0.0, 0.0}, {0.9, 0.2, 0.1, -0.1}, {0.1, 0.0, 0.0}, {0.5, 1.0, -1.0});
  const Place B =
      add_spatial_body(m, "B", 1.0, J, {0.4, 0.1, 0.0}, {0.8, -0.2, 0.3, 0.4}, {0.0, 0.2, 0.5}, {-1.0, 0.5, 2.0});
  std::vector<Symbol> K(36, 0.0), C(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    K[7 * i] = i < 3 ? 150.0 : 4.0;
    C[7 * i] = i < 3 ? 3.0 : 0.08;
  }
  K[4] = K[24] = 5.0;
  K[1] = K[6] = 20.0;
  add_bushing(m, "b", with_axis(m, body_place(m, A, {0.2, 0.0, 0.1}), {1.0, 0.4, 0.2}),
              with_axis(m, body_place(m, B, {-0.2, 0.1, 0.0}), {1.0, 0.3, -0.1}), K, C);
  return mechanism;
}

Mechanism smoothly_stopped_pendulum() { return stopped_pendulum(true); }

}  // namespace

TEST_CASE("energy of springs, stops and bushings balances to the integrator's order", "[spring]") {
  SECTION("polynomial spring and damper") { check_balance(polynomial_spring, 1); }
  SECTION("tabulated spring and damper") { check_balance(tabulated_spring, 1); }
  SECTION("torsion spring") { check_balance(torsion_pendulum, 1); }
  SECTION("smooth stop") { check_balance(smoothly_stopped_pendulum, 1.5); }
  SECTION("planar bushing") { check_balance(planar_bushing, 0.8); }
  SECTION("spatial bushing") { check_balance(spatial_bushing, 0.6); }
  SECTION("sharp stop: the jump of its damper costs order") {
    const double coarse = imbalance(stopped_pendulum(false), integrator::Rk4{2e-4}, 1.5),
                 fine = imbalance(stopped_pendulum(false), integrator::Rk4{1e-5}, 1.5);
    CAPTURE(coarse, fine);
    CHECK(coarse < 2e-3);
    CHECK(fine < 1e-4);
  }
}

TEST_CASE("a spring by law is the linear spring, between all kinds of places", "[spring]") {
  Model m("springs", {0, 0});
  const Place G = ground_place(m, {0.2, 0.1});
  const Place P = add_point(m, "P", {1.0, 2.0}, {0.0, 0.0}, 1.0), Q = add_point(m, "Q", {0.0, 2.0}, {0.0, 0.0}, 1.0);
  const Place X = add_planar_body(m, "X", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0),
              Y = add_planar_body(m, "Y", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place x = body_place(m, X, {0.3, 0.1}), y = body_place(m, Y, {-0.2, 0.4});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  for (const auto& [a, b] : {std::pair{G, P}, {P, Q}, {G, x}, {x, P}, {x, y}}) {
    Mechanism twins[] = {Mechanism("linear", {0, 0}), Mechanism("law", {0, 0})};
    std::vector<double> forces[2], q, v;
    for (int i = 0; i < 10; ++i) {
      q.push_back(any(random));
      v.push_back(any(random));
    }
    for (std::size_t twin = 0; twin < 2; ++twin) {
      Model& t = *twins[twin].model;
      add_point(t, "P", {1.0, 2.0}, {0.0, 0.0}, 1.0);
      add_point(t, "Q", {0.0, 2.0}, {0.0, 0.0}, 1.0);
      add_planar_body(t, "X", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);
      add_planar_body(t, "Y", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);
      const Symbol free = 0.7;
      if (twin == 0) {
        add_spring(t, "s", a, b, 30.0, &free, 2.0, 5.0);
      } else {
        const Symbol stretch = length_of(t, a, b) - free;
        add_spring(t, "s", a, b, 0.0, nullptr, 0.0, 0.0,
                   {30.0 * stretch, 2.0 * length_rate(t, a, b), 5.0, 15.0 * stretch * stretch});
      }
      const system::System s(t);
      system::Workspace w(s);
      s.evaluate({0, q.data(), v.data(), nullptr, nullptr}, *s.make_data({}), w);
      forces[twin].assign(w.force.begin(), w.force.end());
      const system::Measure measure(t.graph(), {t.signal("s.force"), t.signal("s.dissipation"),
                                                t.signal("energy.potential"), t.signal("s.rate")});
      auto work = measure.make_work();
      measure.evaluate({0, q.data(), v.data(), nullptr, nullptr, nullptr}, work);
      for (int k = 0; k < 4; ++k) forces[twin].push_back(measure.value(work, k));
    }
    for (std::size_t i = 0; i < forces[0].size(); ++i) {
      CHECK(forces[1][i] == Approx(forces[0][i]).epsilon(1e-12).margin(1e-12));
    }
  }
}

TEST_CASE("a torsion spring on a spatial joint counts full turns", "[spring]") {
  // A wheel on its axis, J = 0.5 about it: J theta'' = -k (theta - 10) from rest at 0.
  Mechanism mechanism("wheel", {0, 0, 0});
  Model& m = *mechanism.model;
  const Place wheel = add_spatial_body(m, "wheel", 2.0, {0.3, 0.3, 0.5, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0},
                                       {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  add_joint(m, "revolute", "axle", ground_place(m, {0.0, 0.0, 0.0}), wheel);
  const Symbol angle = mechanism.signal("axle.angle");
  add_torsion_spring(m, "spring", angle, {2.0 * (angle - 10.0), 0.0, 0.0, (angle - 10.0) * (angle - 10.0)});
  mechanism.terminal("angle", mechanism.signal("spring.angle"));
  mechanism.terminal("omega", mechanism.signal("wheel.omega_z"));
  mechanism.terminal("torque", mechanism.signal("spring.torque"));
  mechanism.terminal("energy", mechanism.signal("energy.total"));
  const double end = 1.2;  // s, when it has turned 17 rad
  const auto got = run(mechanism, integrator::DormandPrince{1e-11, 1e-12}, end);
  const double angle_at_end = 10 * (1 - std::cos(2 * end));
  CHECK(angle_at_end > 12);
  CHECK(got[0] == Approx(angle_at_end).epsilon(1e-8));
  CHECK(got[1] == Approx(20 * std::sin(2 * end)).epsilon(1e-8));
  CHECK(got[2] == Approx(2 * (angle_at_end - 10)).epsilon(1e-8));
  CHECK(got[3] == Approx(100).epsilon(1e-8));
}

TEST_CASE("a sharp stop turns a mass around in half a period of its spring", "[spring]") {
  Mechanism mechanism("stop", {0, 0});
  Model& m = *mechanism.model;
  add_point(m, "P", {0.5, 0.0}, {-2.0, 0.0}, 0.8);
  const Symbol lower = 0.1;
  add_bump_stop(m, "stop", mechanism.signal("P.x"), {&lower, nullptr, 500.0, 0.0, nullptr});
  mechanism.terminal("x", mechanism.signal("P.x"));
  mechanism.terminal("vx", mechanism.signal("P.vx"));
  mechanism.terminal("force", mechanism.signal("stop.force"));
  const double contact = 0.2, omega = std::sqrt(500 / 0.8), half = 3.14159265358979323846 / omega;
  const integrator::Integrator fine = integrator::Rk4{1e-5};
  auto got = run(mechanism, fine, contact + half / 2);  // the deepest point
  CHECK(got[0] == Approx(0.1 - 2 / omega).epsilon(1e-7));
  CHECK(std::abs(got[1]) < 1e-4);
  CHECK(got[2] == Approx(-500 * 2 / omega).epsilon(1e-7));
  got = run(mechanism, fine, contact + half + 0.1);
  CHECK(got[0] == Approx(0.1 + 2 * 0.1).epsilon(1e-6));
  CHECK(got[1] == Approx(2).epsilon(1e-7));
  CHECK(got[2] == 0);
}

TEST_CASE("the force of a smooth stop by hand, on both sides", "[spring]") {
  const double k = 100, c = 3, w = 0.2;
  struct Case {
    double x, v, force, dissipation;  // the force acts against the growth of x
  };
  for (const Case& at : std::initializer_list<Case>{{0, 1, 0, 0},                               // free
                                                    {1.1, 1, k * w * 3 / 32 + c / 2, c / 2},    // u = 1/2
                                                    {1.2, 2, k * w / 2 + 2 * c, 4 * c},         // u = 1
                                                    {1.5, -1, k * (0.5 - w / 2) - c, c},        // beyond
                                                    {-1.1, 1, -k * w * 3 / 32 + c / 2, c / 2},  // the lower one
                                                    {-1.4, 0, -k * (0.4 - w / 2), 0}}) {
    Mechanism mechanism("stop", {0, 0});
    add_point(*mechanism.model, "P", {at.x, 0.0}, {at.v, 0.0}, 1.0);
    const Symbol lower = -1.0, upper = 1.0, width = w;
    add_bump_stop(*mechanism.model, "stop", mechanism.signal("P.x"), {&lower, &upper, k, c, &width});
    CAPTURE(at.x);
    CHECK(at_start(mechanism, mechanism.signal("stop.force")) == Approx(at.force).margin(1e-12));
    CHECK(at_start(mechanism, mechanism.signal("stop.dissipation")) == Approx(at.dissipation).margin(1e-12));
  }
  Mechanism mechanism("stop", {0, 0});
  add_point(*mechanism.model, "P", {0.0, 0.0}, {0.0, 0.0}, 1.0);
  CHECK_THROWS_WITH(add_bump_stop(*mechanism.model, "stop", mechanism.signal("P.x"), {}), Contains("upper limit"));
  const Symbol upper = 1.0;
  CHECK_THROWS_WITH(add_bump_stop(*mechanism.model, "stop", mechanism.signal("P.vx"), {nullptr, &upper, 1.0}),
                    Contains("reads 'P.vx'"));
}

TEST_CASE("a bushing's stretch and forces by hand", "[spring]") {
  // The body is displaced and turned by theta about the direction n against the ground.
  const double theta = 0.9, n[3] = {2 / 3.0, -1 / 3.0, 2 / 3.0};
  const double c = std::cos(theta / 2), s = std::sin(theta / 2);
  Mechanism mechanism("bushing", {0, 0, 0});
  Model& m = *mechanism.model;
  const Place B = add_spatial_body(m, "B", 1.0, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, {0.1, 0.2, -0.1},
                                   {c, s * n[0], s * n[1], s * n[2]}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  std::vector<Symbol> K(36, 0.0);
  const std::vector<Symbol> none(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) K[7 * i] = i < 3 ? 10.0 * static_cast<double>(i + 1) : 3.0;
  const Place G = ground_place(m, {0.0, 0.0, 0.0});
  add_bushing(m, "b", G, B, K, none);
  const double turn = 2 * s;
  const char* names[] = {"b.x", "b.y", "b.z", "b.rx", "b.ry", "b.rz", "b.fx", "b.fy", "b.fz", "b.tx", "b.ty", "b.tz"};
  const double expected[] = {0.1, 0.2, -0.1, turn * n[0],      turn * n[1],      turn * n[2],
                             -1,  -4,  3,    -3 * turn * n[0], -3 * turn * n[1], -3 * turn * n[2]};
  for (std::size_t i = 0; i < 12; ++i) {
    CAPTURE(names[i]);
    CHECK(at_start(mechanism, mechanism.signal(names[i])) == Approx(expected[i]).epsilon(1e-13).margin(1e-14));
  }
  // 3 (2 sin)^2 / 2 = 3 (1 - cos theta), the energy of a torque 3 sin theta.
  CHECK(at_start(mechanism, mechanism.signal("energy.potential")) ==
        Approx((0.1 + 0.8 + 0.3) / 2 + 3 * (1 - std::cos(theta))).epsilon(1e-13));
  mechanism.terminal("alpha", Symbol(m.graph(), m.graph().variable(expr::Quantity::Time, 0, "t")));
  const system::System system(m);
  system::Workspace w(system);
  const auto data = system.make_data({});
  const std::vector<double> still(7, 0.0);
  system.evaluate({0, data->initial_q.data(), still.data(), nullptr, nullptr}, *data, w);
  // A rotation about n: Q_p . p' with p' = (-s, c n) / 2 is the torque about n.
  double torque = -s * w.force[3] / 2;
  for (std::size_t k = 0; k < 3; ++k) torque += c * n[k] * w.force[4 + k] / 2;
  CHECK(torque == Approx(-3 * std::sin(theta)).epsilon(1e-13));

  std::vector<Symbol> skew = K;
  skew[1] = 1.0;
  CHECK_THROWS_WITH(add_bushing(m, "no", G, B, skew, none), Contains("must be symmetric"));
  CHECK_THROWS_WITH(add_bushing(m, "no", G, B, {1.0}, none), Contains("6 x 6"));
  const Place P = add_point(m, "P", {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0);
  CHECK_THROWS_WITH(add_bushing(m, "no", P, B, K, none), Contains("is a point and has no axes"));
}
