// SPDX-License-Identifier: MIT
#include <cmath>

#include "mechanisms.hpp"

using perilune::expr::Symbol;
using perilune::model::Model;
using perilune::model::Place;
using perilune::model::Vector;

Mechanism five_bar_mechanism() {
  Mechanism mechanism("five-bar", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol L1 = mechanism.parameter("L01", std::sqrt(5.0), "m");
  const Symbol L2 = mechanism.parameter("L02", std::sqrt(4.25), "m");
  const Symbol mass = mechanism.parameter("m2", 1.5, "kg");
  const Symbol k = mechanism.parameter("k", 100, "N/m");
  const Symbol pivot = mechanism.parameter("A.x", 0.02, "m");
  const Symbol speed = mechanism.parameter("u2", 0.4, "m/s");
  const Symbol g = mechanism.parameter("g", 9.81, "m/s^2");
  const Vector still{0.0, 0.0};
  m.set_gravity({0.0, -g});
  const Place A = m.ground_place({pivot, 0.0}), B = m.ground_place({1.0, 0.0});
  const Place P1 = m.add_point("P1", {-1.0, -1.0}, still, 0.0);
  const Place P2 = m.add_point("P2", {0.5, -2.0}, {speed, 0.2 * speed}, 0.0);
  const Place P3 = m.add_point("P3", {2.0, -1.0}, still, 0.3 * mass);
  m.add_bar("b1", A, P1, 1.0, nullptr);  // its length follows A
  m.add_bar("b2", P1, P2, mass, nullptr);
  m.add_bar("b3", P2, P3, mass, nullptr);
  m.add_bar("b4", P3, B, 1.0, nullptr);
  m.add_spring("s1", A, P3, k, &L1, 0.5, 0.0);
  m.add_spring("s2", A, P2, k, &L2, 0.02 * k, 3.0);
  mechanism.compile();
  mechanism.problem.end = 0.4;
  mechanism.problem.independent = {2, 3};
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol dx = s("P2.x") - 0.5, dy = s("P2.y") + 2.0;
  mechanism.integral("distance", dx * dx + dy * dy);
  mechanism.both("accelerations", 0.1 * s("P2.ax") * s("P1.y"), 0.01 * (s("P2.ax") * s("P2.ax") + s("P1.ay") * dx));
  mechanism.both("reactions", s("b2.lambda") + s("b4.lambda"), 0.02 * s("b1.lambda") * s("b3.lambda"));
  mechanism.both("time", s("t") * L1 * mass * s("P3.vy"), s("t") * s("t") * s("s1.force") * pivot + k * s("t") * dy);
  mechanism.terminal("energy", s("energy.kinetic"));
  mechanism.terminal("springs", s("s2.rate") * s("s2.length") + s("s2.force"));
  return mechanism;
}

Mechanism four_bar_mechanism() {
  Mechanism mechanism("four-bar", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol a = mechanism.parameter("a", 0.5, "m");
  const Symbol b = mechanism.parameter("b", 1.8, "m");
  const Symbol angle = mechanism.parameter("angle", 1.0, "rad");
  const Symbol omega = mechanism.parameter("omega", 3.0, "rad/s");
  const Symbol mass = mechanism.parameter("mass", 2.0, "kg");
  const Symbol inertia = mechanism.parameter("inertia", 0.6, "kg m^2");
  const Symbol torque = mechanism.parameter("torque", 4.0, "N m");
  const Symbol drag = mechanism.parameter("cd", 0.7, "N s^2/m^2");
  const Symbol pivot = mechanism.parameter("pivot", 2.0, "m");
  const Symbol x = a * cos(angle), y = a * sin(angle);
  const Place crank = m.add_planar_body("crank", 1.0, 0.02 * mass, {0.5 * x, 0.5 * y}, angle, {0.0, 0.0}, omega);
  // Near a closed position only; assembly moves these two and keeps the crank's angle.
  const Place coupler = m.add_planar_body("coupler", mass, inertia, {1.1, 0.7}, 0.3, {0.0, 0.0}, 0.0);
  const Place rocker = m.add_planar_body("rocker", 1.5, 0.2, {2.0, 0.5}, 1.5, {0.0, 0.0}, 0.0);
  m.add_coincidence("A", m.ground_place({0.0, 0.0}), m.body_place(crank, {-0.5 * a, 0.0}));
  m.add_coincidence("B", m.body_place(crank, {0.5 * a, 0.0}), m.body_place(coupler, {-0.4 * b, 0.1}));
  m.add_coincidence("C", m.body_place(coupler, {0.6 * b, 0.1}), m.body_place(rocker, {0.6, 0.0}));
  m.add_coincidence("D", m.body_place(rocker, {-0.6, 0.05}), m.ground_place({pivot, -0.1}));
  mechanism.problem.independent = {2};
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector tip = m.velocity(m.body_place(coupler, {0.2, 0.5}));
  const Symbol speed = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + 0.01);
  m.add_force("drag", m.body_place(coupler, {0.2, 0.5}), {-drag * speed * tip[0], -drag * speed * tip[1]}, {});
  m.add_force("motor", crank, {0.0, 0.0}, {torque * cos(5.0 * s("t")) - 0.1 * s("crank.omega") * s("rocker.angle")});
  mechanism.compile();
  mechanism.problem.start = 0.5;  // the motor reads time
  mechanism.problem.end = 0.8;
  mechanism.integral("angle", s("rocker.angle") * s("rocker.angle") + 0.1 * s("coupler.y"));
  mechanism.terminal("speed", s("rocker.omega") * s("coupler.vx"));
  mechanism.both("alpha", 0.01 * s("coupler.alpha"), 1e-3 * s("crank.alpha") * s("coupler.ax"));
  mechanism.both("bearing", s("A.lambda_x") + s("C.lambda_y"), 0.01 * s("B.lambda_x") * s("D.lambda_y"));
  mechanism.integral("power", (torque * cos(5.0 * s("t")) + drag * s("drag.fx")) * s("crank.omega"));
  return mechanism;
}

Mechanism planar_net_mechanism() {
  Mechanism mechanism("planar net", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.8, "kg");
  const Symbol k = mechanism.parameter("k", 60, "N/m");
  const Symbol c = mechanism.parameter("c", 1.5, "N s/m");
  const Symbol l0 = mechanism.parameter("l0", 0.7, "m");
  const Symbol mount = mechanism.parameter("mount", 0.3, "m");
  const Symbol start = mechanism.parameter("start", 0.5, "m");
  const Symbol spin = mechanism.parameter("spin", 2.0, "rad/s");
  const Symbol length = mechanism.parameter("length", 0.9, "m");
  const Place G = m.ground_place({mount, 1.0});
  const Place P = m.add_point("P", {start, 0.2}, {0.0, 1.0}, mass);
  const Place Q = m.add_point("Q", {1.2, 0.1}, {0.3, 0.0}, 0.4);
  const Place X = m.add_planar_body("X", 2.0 * mass, 0.3, {1.6, -0.2}, 0.4, {0.0, 0.5}, spin);
  const Place Y = m.add_planar_body("Y", 1.5, 0.1 * mass, {2.4, -0.6}, -0.3, {0.0, 0.0}, -0.5 * spin);
  m.add_bar("bar", P, Q, 0.5 * mass, nullptr);
  m.add_coincidence("pin", Q, m.body_place(X, {-0.3, mount}));
  m.add_distance("rod", m.body_place(X, {0.3, 0.0}), m.body_place(Y, {mount, 0.2}), &length);
  m.add_spring("ground-point", G, P, k, &l0, c, 0.0);
  m.add_spring("body-ground", m.body_place(Y, {0.2, -0.1}), m.ground_place({3.0, mount}), k, nullptr, c, 1.0);
  m.add_spring("point-body", P, m.body_place(Y, {0.0, 0.3}), 0.5 * k, &l0, 0.3 * c, -2.0);
  m.add_spring("point-point", Q, m.add_point("R", {0.9, -0.8}, {0.0, 0.0}, 0.3), 20.0, &l0, c, 0.0);
  m.add_spring("body-body", m.body_place(Y, {0.0, 0.0}), m.body_place(X, {mount, -0.2}), k, &length, c, mass);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  mechanism.integral("tracking", s("P.x") * s("P.x") + s("Y.angle") * s("X.y"));
  mechanism.both("forces", s("point-body.force"), 0.01 * s("body-body.force") * s("ground-point.force"));
  mechanism.both("reactions", s("rod.lambda"), s("pin.lambda_x") * s("t") + 0.1 * s("bar.lambda"));
  mechanism.both("energy", s("energy.total"), 0.01 * s("energy.kinetic"));
  mechanism.both("accelerations", 0.1 * s("X.alpha"), 1e-3 * s("R.ay") * s("Q.ax"));
  return mechanism;
}

Mechanism turning_crank_mechanism() {
  Mechanism mechanism("turning crank", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol crank = mechanism.parameter("crank", 0.4, "m"), coupler = mechanism.parameter("coupler", 1.1, "m");
  const Symbol pivot = mechanism.parameter("pivot", 1.2, "m"), mass = mechanism.parameter("mass", 0.8, "kg");
  const Symbol torque = mechanism.parameter("torque", 3.0, "N m"), speed = mechanism.parameter("speed", 4.0, "m/s");
  const Place A = m.ground_place({0.0, 0.0}), D = m.ground_place({pivot, 0.0});
  const Place P = m.add_point("P", {crank, 0.0}, {0.0, speed}, 2.0);
  const Place Q = m.add_point("Q", {1.0, 0.9}, {0.0, 0.0}, mass);
  m.add_distance("arm", A, P, &crank);
  m.add_distance("link", P, Q, &coupler);
  m.add_bar("rocker", Q, D, 0.5, nullptr);
  auto s = [&](const char* name) { return mechanism.signal(name); };
  m.add_force("motor", P, {-torque * s("P.y") - 0.2 * s("P.vx"), torque * s("P.x") - 0.2 * s("P.vy")}, {});
  mechanism.compile();
  mechanism.problem.independent = {0, 1};
  mechanism.problem.end = 1.2;
  mechanism.both("motion", s("Q.x") * s("Q.vy"), s("P.x") * s("Q.y"));
  mechanism.both("reactions", 0.1 * s("arm.lambda"), 0.01 * s("link.lambda") * s("rocker.lambda"));
  mechanism.both("accelerations", 0.01 * s("P.ax"), 1e-3 * s("Q.ay") * s("Q.ay"));
  return mechanism;
}
