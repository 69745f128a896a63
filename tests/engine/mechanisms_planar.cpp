// SPDX-License-Identifier: MIT
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"

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
  const Place A = ground_place(m, {pivot, 0.0}), B = ground_place(m, {1.0, 0.0});
  const Place P1 = add_point(m, "P1", {-1.0, -1.0}, still, 0.0);
  const Place P2 = add_point(m, "P2", {0.5, -2.0}, {speed, 0.2 * speed}, 0.0);
  const Place P3 = add_point(m, "P3", {2.0, -1.0}, still, 0.3 * mass);
  add_bar(m, "b1", A, P1, 1.0, nullptr);  // its length follows A
  add_bar(m, "b2", P1, P2, mass, nullptr);
  add_bar(m, "b3", P2, P3, mass, nullptr);
  add_bar(m, "b4", P3, B, 1.0, nullptr);
  add_spring(m, "s1", A, P3, k, &L1, 0.5, 0.0);
  add_spring(m, "s2", A, P2, k, &L2, 0.02 * k, 3.0);
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
  const Place crank = add_planar_body(m, "crank", 1.0, 0.02 * mass, {0.5 * x, 0.5 * y}, angle, {0.0, 0.0}, omega);
  // Near a closed position only; assembly moves these two and keeps the crank's angle.
  const Place coupler = add_planar_body(m, "coupler", mass, inertia, {1.1, 0.7}, 0.3, {0.0, 0.0}, 0.0);
  const Place rocker = add_planar_body(m, "rocker", 1.5, 0.2, {2.0, 0.5}, 1.5, {0.0, 0.0}, 0.0);
  add_coincidence(m, "A", ground_place(m, {0.0, 0.0}), body_place(m, crank, {-0.5 * a, 0.0}));
  add_coincidence(m, "B", body_place(m, crank, {0.5 * a, 0.0}), body_place(m, coupler, {-0.4 * b, 0.1}));
  add_coincidence(m, "C", body_place(m, coupler, {0.6 * b, 0.1}), body_place(m, rocker, {0.6, 0.0}));
  add_coincidence(m, "D", body_place(m, rocker, {-0.6, 0.05}), ground_place(m, {pivot, -0.1}));
  mechanism.problem.independent = {2};
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector tip = velocity_of(m, body_place(m, coupler, {0.2, 0.5}));
  const Symbol speed = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + 0.01);
  add_force(m, "drag", body_place(m, coupler, {0.2, 0.5}), {-drag * speed * tip[0], -drag * speed * tip[1]}, {});
  add_force(m, "motor", crank, {0.0, 0.0}, {torque * cos(5.0 * s("t")) - 0.1 * s("crank.omega") * s("rocker.angle")});
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
  const Place G = ground_place(m, {mount, 1.0});
  const Place P = add_point(m, "P", {start, 0.2}, {0.0, 1.0}, mass);
  const Place Q = add_point(m, "Q", {1.2, 0.1}, {0.3, 0.0}, 0.4);
  const Place X = add_planar_body(m, "X", 2.0 * mass, 0.3, {1.6, -0.2}, 0.4, {0.0, 0.5}, spin);
  const Place Y = add_planar_body(m, "Y", 1.5, 0.1 * mass, {2.4, -0.6}, -0.3, {0.0, 0.0}, -0.5 * spin);
  add_bar(m, "bar", P, Q, 0.5 * mass, nullptr);
  add_coincidence(m, "pin", Q, body_place(m, X, {-0.3, mount}));
  add_distance(m, "rod", body_place(m, X, {0.3, 0.0}), body_place(m, Y, {mount, 0.2}), &length);
  add_spring(m, "ground-point", G, P, k, &l0, c, 0.0);
  add_spring(m, "body-ground", body_place(m, Y, {0.2, -0.1}), ground_place(m, {3.0, mount}), k, nullptr, c, 1.0);
  add_spring(m, "point-body", P, body_place(m, Y, {0.0, 0.3}), 0.5 * k, &l0, 0.3 * c, -2.0);
  add_spring(m, "point-point", Q, add_point(m, "R", {0.9, -0.8}, {0.0, 0.0}, 0.3), 20.0, &l0, c, 0.0);
  add_spring(m, "body-body", body_place(m, Y, {0.0, 0.0}), body_place(m, X, {mount, -0.2}), k, &length, c, mass);
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
  const Place A = ground_place(m, {0.0, 0.0}), D = ground_place(m, {pivot, 0.0});
  const Place P = add_point(m, "P", {crank, 0.0}, {0.0, speed}, 2.0);
  const Place Q = add_point(m, "Q", {1.0, 0.9}, {0.0, 0.0}, mass);
  add_distance(m, "arm", A, P, &crank);
  add_distance(m, "link", P, Q, &coupler);
  add_bar(m, "rocker", Q, D, 0.5, nullptr);
  auto s = [&](const char* name) { return mechanism.signal(name); };
  add_force(m, "motor", P, {-torque * s("P.y") - 0.2 * s("P.vx"), torque * s("P.x") - 0.2 * s("P.vy")}, {});
  mechanism.compile();
  mechanism.problem.independent = {0, 1};
  mechanism.problem.end = 1.2;
  mechanism.both("motion", s("Q.x") * s("Q.vy"), s("P.x") * s("Q.y"));
  mechanism.both("reactions", 0.1 * s("arm.lambda"), 0.01 * s("link.lambda") * s("rocker.lambda"));
  mechanism.both("accelerations", 0.01 * s("P.ax"), 1e-3 * s("Q.ay") * s("Q.ay"));
  return mechanism;
}
