// SPDX-License-Identifier: MIT
// Forces and torques gathered as generalized forces: power, action and reaction, frames.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/orientation.hpp"
#include "model/body/points.hpp"
#include "model/declare.hpp"
#include "model/force/forces.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::GeneralizedForce;
using model::Model;
using model::Place;
using model::Vector;

namespace {

/// Value of an expression at coordinates q and velocities v.
double value(Model& m, const Symbol& s, const std::vector<double>& q, const std::vector<double>& v) {
  const system::Measure measure(m.graph(), {s.in(m.graph())});
  auto work = measure.make_work();
  measure.evaluate({0.3, q.data(), v.data(), nullptr, nullptr, nullptr}, work);
  return measure.value(work, 0);
}

Symbol momentum(Mechanism& mechanism, const std::vector<std::pair<std::string, double>>& bodies, const char* axis) {
  Symbol sum = 0.0;
  for (const auto& [name, mass] : bodies) sum += mass * mechanism.signal(name + ".v" + axis);
  return sum;
}

}  // namespace

TEST_CASE("forces: the power on a natural-coordinate body is that of force and torque") {
  // Twelve coordinates as they stand in such a body: origin and three axes, here of four points.
  Model m("natural", {0, 0, 0});
  const Vector zero{0.0, 0.0, 0.0};
  const Place origin = add_point(m, "r", zero, zero, 1.0);
  for (const char* name : {"u", "v", "w"}) add_point(m, name, zero, zero, 1.0);
  const Place body{
      Place::Kind::NaturalBody, model::consecutive(origin.coordinates.front(), 12), {0.4, -0.3, 0.2}, "body", {}};
  GeneralizedForce force(m);
  const double F[3] = {1.5, -0.7, 0.6}, T[3] = {0.2, 0.9, -0.5};
  force.add_force(body, {F[0], F[1], F[2]});
  force.add_torque(body, {T[0], T[1], T[2]});

  const double a = 0.7, c = std::cos(a), s = std::sin(a);
  const double axes[3][3] = {{c, s, 0}, {-s * 0.6, c * 0.6, 0.8}, {s * 0.8, -c * 0.8, 0.6}};
  const double omega[3] = {0.3, -0.8, 1.1}, speed[3] = {0.25, -0.5, 0.75};
  std::vector<double> q{0.1, 0.2, 0.3}, v(speed, speed + 3);
  double arm[3] = {0, 0, 0};
  const double local[3] = {0.4, -0.3, 0.2};
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k) {
      q.push_back(axes[j][k]);
      v.push_back(omega[(k + 1) % 3] * axes[j][(k + 2) % 3] - omega[(k + 2) % 3] * axes[j][(k + 1) % 3]);
      arm[k] += local[j] * axes[j][k];
    }
  }
  double power = 0, expected = 0;
  for (const auto& [coordinate, Q] : force.terms())
    power += value(m, Q, q, v) * v[static_cast<std::size_t>(coordinate)];
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    expected += F[k] * (speed[k] + omega[i] * arm[j] - omega[j] * arm[i]) + T[k] * omega[k];
  }
  CHECK(power == Approx(expected).epsilon(1e-14));
  const Vector turning = angular_velocity(m, body), A = orientation(m, body);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(value(m, turning[k], q, v) == Approx(omega[k]).epsilon(1e-14));
    CHECK(value(m, A[3 * k + 1], q, v) == axes[1][k]);
  }
}

TEST_CASE("forces: a pair has neither resultant nor moment, in the plane") {
  Mechanism mechanism("pair", {0, 0});
  Model& m = *mechanism.model;
  const Place X = add_planar_body(m, "X", 2.0, 0.3, {0.0, 0.0}, 0.4, {0.3, -0.2}, 1.0);
  const Place Y = add_planar_body(m, "Y", 1.5, 0.2, {1.0, 0.5}, -0.3, {0.0, 0.4}, -2.0);
  const Place x = body_place(m, X, {0.3, 0.1}), y = body_place(m, Y, {-0.2, 0.2});
  // Not along the line between the places.
  add_force_pair(m, "f", y, x, {2.0 * sin(mechanism.signal("X.angle")), 1.0 - mechanism.signal("Y.vx")},
                 {0.5 * mechanism.signal("X.omega")});
  mechanism.compile();
  mechanism.problem.integrator = integrator::DormandPrince{1e-12, 1e-13};
  Symbol spin = 0.3 * mechanism.signal("X.omega") + 0.2 * mechanism.signal("Y.omega");
  for (const auto& [name, mass] : {std::pair<std::string, double>{"X", 2.0}, {"Y", 1.5}}) {
    spin += mass * (mechanism.signal(name + ".x") * mechanism.signal(name + ".vy") -
                    mechanism.signal(name + ".y") * mechanism.signal(name + ".vx"));
  }
  mechanism.terminal("px", momentum(mechanism, {{"X", 2.0}, {"Y", 1.5}}, "x"));
  mechanism.terminal("py", momentum(mechanism, {{"X", 2.0}, {"Y", 1.5}}, "y"));
  mechanism.terminal("L", spin);
  mechanism.terminal("motion", mechanism.signal("X.omega"));
  const auto run = simulation::evaluate(mechanism.problem, {});
  CHECK(run.values[0] == Approx(0.6).epsilon(1e-10));
  CHECK(run.values[1] == Approx(0.2).epsilon(1e-10));
  CHECK(run.values[2] == Approx(0.3 * 1.0 - 0.2 * 2.0 + 1.5 * 1.0 * 0.4).epsilon(1e-10));
  CHECK(std::abs(run.values[3] - 1) > 0.1);
}

TEST_CASE("forces: a pair has neither resultant nor moment, in space") {
  Model m("pair", {0, 0, 0});
  const std::vector<Symbol> J{0.3, 0.5, 0.4, 0.0, 0.0, 0.0};
  const Place X =
      add_spatial_body(m, "X", 2.0, J, {0.1, 0.0, 0.2}, {0.8, 0.4, -0.3, 0.2}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  const Place Y =
      add_spatial_body(m, "Y", 1.0, J, {1.0, -0.4, 0.3}, {0.5, -0.1, 0.7, 0.2}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  add_force_pair(m, "f", body_place(m, Y, {0.1, 0.2, -0.3}), body_place(m, X, {-0.3, 0.1, 0.2}), {1.0, -2.0, 0.7},
                 {0.3, 0.4, -0.6});
  const system::System s(m);
  const auto data = s.make_data({});
  system::Workspace w(s);
  const std::vector<double> still(14, 0.0);
  s.evaluate({0, data->initial_q.data(), still.data(), nullptr, nullptr}, *data, w);
  // The same motion of both bodies, a velocity and a turning about the origin of space, takes no power.
  const std::vector<double>& q = data->initial_q;
  for (int direction = 0; direction < 6; ++direction) {
    double speed[3] = {0, 0, 0}, omega[3] = {0, 0, 0};
    (direction < 3 ? speed[direction] : omega[direction - 3]) = 1;
    double power = 0, scale = 0;
    for (std::size_t b = 0; b < 14; b += 7) {
      double v[7];
      const double* p = &q[b + 3];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        v[k] = speed[k] + omega[i] * q[b + j] - omega[j] * q[b + i];
        v[4 + k] = 0.5 * (omega[k] * p[0] + omega[i] * p[1 + j] - omega[j] * p[1 + i]);
      }
      v[3] = -0.5 * (omega[0] * p[1] + omega[1] * p[2] + omega[2] * p[3]);
      for (std::size_t k = 0; k < 7; ++k) {
        power += w.force[b + k] * v[k];
        scale += std::abs(w.force[b + k] * v[k]);
      }
    }
    CHECK(std::abs(power) < 1e-14 * scale);
    CHECK(scale > 0.1);
  }
}

TEST_CASE("forces: a torque on an axis of a spinning body, fixed in the body") {
  // J omega' = T for a body that turns about a principal axis, whatever its orientation in space.
  Mechanism mechanism("wheel", {0, 0, 0});
  Model& m = *mechanism.model;
  const Place X = add_spatial_body(m, "X", 2.0, {0.3, 0.5, 0.4, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.8, 0.4, -0.3, 0.2},
                                   {0.0, 0.0, 0.0}, {0.0, 1.5, 0.0});
  add_force(m, "motor", X, {}, model::out_of_axes(orientation(m, X), {0.0, 0.7, 0.0}));
  mechanism.compile();
  mechanism.problem.integrator = integrator::DormandPrince{1e-11, 1e-12};
  mechanism.problem.end = 2;
  for (const char* name : {"X.omega_x", "X.omega_y", "X.omega_z"}) mechanism.terminal(name, mechanism.signal(name));
  const auto run = simulation::evaluate(mechanism.problem, {});
  CHECK(std::abs(run.values[0]) < 1e-9);
  CHECK(run.values[1] == Approx(1.5 + 2 * 0.7 / 0.5).epsilon(1e-9));
  CHECK(std::abs(run.values[2]) < 1e-9);
}

TEST_CASE("forces: a force along an expression does the work of its change") {
  Mechanism mechanism("along", {0, 0, 0});
  Model& m = *mechanism.model;
  const Place P = add_point(m, "P", {1.0, 2.0, 0.5}, {0.0, 0.0, 0.0}, 1.0);
  const Place X = add_spatial_body(m, "X", 2.0, {0.3, 0.5, 0.4, 0.0, 0.0, 0.0}, {0.1, 0.0, 0.2}, {0.8, 0.4, -0.3, 0.2},
                                   {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  const Place tip = body_place(m, X, {0.3, -0.2, 0.1});
  const Symbol length = length_of(m, P, tip);
  GeneralizedForce along(m), by_hand(m);
  along.add_along(length, 3.0);
  const Vector rp = position_of(m, P), rt = position_of(m, tip);
  Vector e;
  for (std::size_t k = 0; k < 3; ++k) e.push_back(3.0 * (rt[k] - rp[k]) / length);
  by_hand.add_force(tip, e);
  by_hand.add_force(P, {-e[0], -e[1], -e[2]});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> q(10), v(10);
  for (double& x : q) x = any(random);
  REQUIRE(along.terms().size() == by_hand.terms().size());
  for (const auto& [coordinate, Q] : by_hand.terms()) {
    CHECK(value(m, along.terms().at(coordinate), q, v) == Approx(value(m, Q, q, v)).epsilon(1e-13));
  }
  CHECK_THROWS_WITH(along.add_along(mechanism.signal("P.vx"), 1.0), Contains("reads 'P.vx'"));
}

TEST_CASE("forces: what does not fit is an error") {
  Model m("errors", {0, 0});
  const Place P = add_point(m, "P", {0.0, 0.0}, {0.0, 0.0}, 1.0), G = ground_place(m, {1.0, 0.0});
  const Place X = add_planar_body(m, "X", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  CHECK_THROWS_WITH(add_force(m, "f", G, {1.0, 0.0}, {}), Contains("a force on ground has no effect"));
  CHECK_THROWS_WITH(add_force(m, "f", P, {1.0, 0.0}, {1.0}), Contains("a torque cannot act on the point \"P\""));
  CHECK_THROWS_WITH(add_force_pair(m, "f", X, P, {}, {1.0}), Contains("a torque cannot act on the point \"P\""));
  CHECK_THROWS_WITH(add_force(m, "f", X, {1.0, 0.0}, {1.0, 2.0}), Contains("the torque needs 1 component"));
  CHECK_THROWS_WITH(orientation(m, P), Contains("has no axes"));
  CHECK_NOTHROW(add_force_pair(m, "f", X, G, {}, {1.0}));
}
