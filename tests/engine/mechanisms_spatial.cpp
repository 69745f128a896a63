#include "mechanisms.hpp"

using perilune::expr::Symbol;
using perilune::model::Model;
using perilune::model::Place;
using perilune::model::Vector;

Mechanism spatial_pendulum_mechanism() {
  Mechanism mechanism("spatial pendulum", {0, 0, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 1.4, "kg");
  const Symbol J = mechanism.parameter("J", 0.3, "kg m^2");
  const Symbol product = mechanism.parameter("Jxy", 0.04, "kg m^2");
  const Symbol arm = mechanism.parameter("arm", 0.5, "m");
  const Symbol e1 = mechanism.parameter("e1", 0.3);
  const Symbol spin = mechanism.parameter("spin", 1.5, "rad/s");
  const Symbol slant = mechanism.parameter("slant", 0.6);
  const Symbol g = mechanism.parameter("g", 9.81, "m/s^2");
  m.set_gravity({0.0, 0.0, -g});
  const Place first = m.add_spatial_body("first", 2.0, {J, 0.35, 0.25, product, -0.03, 0.02}, {0.4, 0.05, -0.3},
                                         {1.0, e1, -0.2, 0.1}, {0.0, 0.0, 0.0}, {spin, -0.4, 0.8});
  const Place second = m.add_spatial_body("second", mass, {0.2, 0.5 * J, 0.22, 0.01, -0.5 * product, 0.03},
                                          {0.8, 0.4, -0.9}, {1.0, -0.1, 0.4, e1}, {0.2, 0.0, 0.0}, {0.3, spin, 0.0});
  m.add_coincidence("ball", m.ground_place({0.0, 0.1, 0.0}), m.body_place(first, {-arm, 0.05, 0.2}));
  const Vector axis{0.4, 1.0, slant};
  m.add_joint("revolute", "hinge",
              m.with_axis(m.body_place(first, {0.4, 0.1, -0.3}), m.to_local_direction(first, axis)),
              m.with_axis(m.body_place(second, {-0.1, arm * -0.8, 0.3}), m.to_local_direction(second, axis)));
  m.add_spring("strut", m.ground_place({1.5, 0.0, -0.5}), m.body_place(second, {0.1, 0.2, arm}), 30.0, nullptr, 0.8,
               0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector tip = m.position(m.body_place(second, {0.1, 0.2, arm})), rate = m.velocity(second);
  mechanism.integral("tip", tip[0] * tip[0] + tip[1] * tip[2]);
  mechanism.terminal("speed", rate[0] * rate[2] + s("second.omega_y") + 0.5 * s("first.omega_x"));
  mechanism.both("accelerations", 0.1 * s("second.az"), 0.01 * s("first.ax") * s("second.ay"));
  mechanism.both("reactions", s("ball.lambda_z") + s("hinge.lambda_axis1"),
                 0.01 * s("hinge.lambda_x") * s("hinge.lambda_axis2") + 0.1 * s("t") * s("ball.lambda_y"));
  mechanism.both("energy", s("energy.total"), s("energy.kinetic") * J);
  return mechanism;
}

Mechanism spatial_net_mechanism() {
  Mechanism mechanism("spatial net", {0, 0, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.9, "kg");
  const Symbol k = mechanism.parameter("k", 50, "N/m");
  const Symbol c = mechanism.parameter("c", 1.2, "N s/m");
  const Symbol mount = mechanism.parameter("mount", 0.25, "m");
  const Symbol start = mechanism.parameter("start", 0.4, "m");
  const Symbol spin = mechanism.parameter("spin", 2.0, "rad/s");
  const Symbol length = mechanism.parameter("length", 1.0, "m");
  const Symbol swirl = mechanism.parameter("cs", 0.6, "N s/m");
  const Place P = m.add_point("P", {start, 0.0, 0.3}, {0.0, 0.7, 0.0}, mass);
  const Place Q = m.add_point("Q", {1.1, 0.3, 0.0}, {0.0, 0.0, 0.4}, 0.5);
  const Place X = m.add_spatial_body("X", 1.6, {0.2, 0.3, 0.1 + 0.2 * mass, 0.02, 0.01, -0.03}, {1.7, 0.5, -0.2},
                                     {0.9, 0.2, mount, -0.1}, {0.0, 0.0, 0.0}, {0.5, spin, -0.3});
  const Place Y = m.add_spatial_body("Y", 2.0 * mass, {0.3, 0.25, 0.2, 0.0, -0.02, 0.04}, {2.2, -0.4, -0.7},
                                     {1.0, 0.0, 0.3, 0.2}, {0.1, 0.0, spin}, {0.0, 0.6, 0.0});
  m.add_bar("bar", P, Q, 0.4 * mass, nullptr);
  m.add_coincidence("ball", m.body_place(X, {-0.4, 0.0, mount}), Q);
  m.add_distance("rod", m.body_place(Y, {-0.1, 0.2, mount}), m.body_place(X, {0.2, -0.1, 0.0}), &length);
  m.add_spring("ground-point", m.ground_place({0.0, mount, 1.0}), P, k, &length, c, 0.0);
  m.add_spring("ground-body", m.ground_place({2.5, 0.0, 1.0}), m.body_place(Y, {0.1, mount, 0.2}), k, nullptr, c, 1.0);
  m.add_spring("body-point", m.body_place(Y, {0.0, 0.0, 0.3}), P, 0.4 * k, &length, 0.2 * c, -2.0);
  m.add_spring("point-point", Q, m.add_point("R", {0.8, 0.9, -0.6}, {0.0, 0.0, 0.0}, 0.3), 25.0, &length, c, 0.0);
  m.add_spring("body-body", m.body_place(X, {0.1, 0.3, mount}), m.body_place(Y, {0.0, 0.0, 0.0}), k, &length, c, mass);
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector v = m.velocity(m.body_place(Y, {0.2, 0.0, mount}));
  m.add_force("swirl", m.body_place(Y, {0.2, 0.0, mount}), {-swirl * v[1], swirl * v[0] * s("P.z"), -swirl * v[2]},
              {0.5 * sin(4.0 * s("t")), swirl * s("X.omega_x"), 0.2});
  mechanism.compile();
  mechanism.problem.end = 0.196;  // the last fixed step is shorter
  mechanism.integral("tracking", s("P.z") * s("P.x") + s("Y.e2") * s("X.y"));
  mechanism.both("forces", s("body-point.force"), 0.01 * s("body-body.force") * s("swirl.fx"));
  mechanism.both("reactions", s("rod.lambda"), s("ball.lambda_x") * s("t") + 0.1 * s("bar.lambda"));
  mechanism.both("energy", s("energy.total"), 0.01 * s("energy.kinetic"));
  mechanism.both("accelerations", 0.1 * s("X.az"), 1e-3 * s("R.ay") * s("Q.ax"));
  return mechanism;
}
