// SPDX-License-Identifier: MIT
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using perilune::expr::Symbol;
using perilune::model::cross;
using perilune::model::dot;
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
  const Place first = add_spatial_body(m, "first", 2.0, {J, 0.35, 0.25, product, -0.03, 0.02}, {0.4, 0.05, -0.3},
                                       {1.0, e1, -0.2, 0.1}, {0.0, 0.0, 0.0}, {spin, -0.4, 0.8});
  const Place second = add_spatial_body(m, "second", mass, {0.2, 0.5 * J, 0.22, 0.01, -0.5 * product, 0.03},
                                        {0.8, 0.4, -0.9}, {1.0, -0.1, 0.4, e1}, {0.2, 0.0, 0.0}, {0.3, spin, 0.0});
  add_coincidence(m, "ball", ground_place(m, {0.0, 0.1, 0.0}), body_place(m, first, {-arm, 0.05, 0.2}));
  const Vector axis{0.4, 1.0, slant};
  add_joint(m, "revolute", "hinge",
            with_axis(m, body_place(m, first, {0.4, 0.1, -0.3}), to_local_direction(m, first, axis)),
            with_axis(m, body_place(m, second, {-0.1, arm * -0.8, 0.3}), to_local_direction(m, second, axis)));
  add_spring(m, "strut", ground_place(m, {1.5, 0.0, -0.5}), body_place(m, second, {0.1, 0.2, arm}), 30.0, nullptr, 0.8,
             0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector tip = position_of(m, body_place(m, second, {0.1, 0.2, arm})), rate = velocity_of(m, second);
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
  const Place P = add_point(m, "P", {start, 0.0, 0.3}, {0.0, 0.7, 0.0}, mass);
  const Place Q = add_point(m, "Q", {1.1, 0.3, 0.0}, {0.0, 0.0, 0.4}, 0.5);
  const Place X = add_spatial_body(m, "X", 1.6, {0.2, 0.3, 0.1 + 0.2 * mass, 0.02, 0.01, -0.03}, {1.7, 0.5, -0.2},
                                   {0.9, 0.2, mount, -0.1}, {0.0, 0.0, 0.0}, {0.5, spin, -0.3});
  const Place Y = add_spatial_body(m, "Y", 2.0 * mass, {0.3, 0.25, 0.2, 0.0, -0.02, 0.04}, {2.2, -0.4, -0.7},
                                   {1.0, 0.0, 0.3, 0.2}, {0.1, 0.0, spin}, {0.0, 0.6, 0.0});
  add_bar(m, "bar", P, Q, 0.4 * mass, nullptr);
  add_coincidence(m, "ball", body_place(m, X, {-0.4, 0.0, mount}), Q);
  add_distance(m, "rod", body_place(m, Y, {-0.1, 0.2, mount}), body_place(m, X, {0.2, -0.1, 0.0}), &length);
  add_spring(m, "ground-point", ground_place(m, {0.0, mount, 1.0}), P, k, &length, c, 0.0);
  add_spring(m, "ground-body", ground_place(m, {2.5, 0.0, 1.0}), body_place(m, Y, {0.1, mount, 0.2}), k, nullptr, c,
             1.0);
  add_spring(m, "body-point", body_place(m, Y, {0.0, 0.0, 0.3}), P, 0.4 * k, &length, 0.2 * c, -2.0);
  add_spring(m, "point-point", Q, add_point(m, "R", {0.8, 0.9, -0.6}, {0.0, 0.0, 0.0}, 0.3), 25.0, &length, c, 0.0);
  add_spring(m, "body-body", body_place(m, X, {0.1, 0.3, mount}), body_place(m, Y, {0.0, 0.0, 0.0}), k, &length, c,
             mass);
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Vector v = velocity_of(m, body_place(m, Y, {0.2, 0.0, mount}));
  add_force(m, "swirl", body_place(m, Y, {0.2, 0.0, mount}), {-swirl * v[1], swirl * v[0] * s("P.z"), -swirl * v[2]},
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

Mechanism offset_pendulum_mechanism() {
  Mechanism mechanism("ball joint", {0, 0, -9.81});
  auto p = [&](const char* name, double value) { return mechanism.parameter(name, value); };
  const Symbol m = p("m", 1.3);
  const Vector sP{p("sPx", -0.2), p("sPy", 0.1), p("sPz", 0.9)}, sC{p("sCx", 0.05), p("sCy", -0.03), p("sCz", 0.1)};
  const Symbol J11 = p("J11", 0.9), J12 = p("J12", 0.02), J13 = p("J13", -0.05), J22 = p("J22", 0.8),
               J23 = p("J23", 0.03), J33 = p("J33", 0.6);  // about the origin of the body frame
  const Symbol square = dot(sC, sC);
  const Vector J{J11 - m * (square - sC[0] * sC[0]),
                 J22 - m * (square - sC[1] * sC[1]),
                 J33 - m * (square - sC[2] * sC[2]),
                 J12 + m * sC[0] * sC[1],
                 J13 + m * sC[0] * sC[2],
                 J23 + m * sC[1] * sC[2]};
  // e and e' are given; e0 and e0' follow from the normalization.
  const double e[3] = {0.3, -0.2, 0.25}, de[3] = {0.4, 0.7, -0.3};
  const double e0 = std::sqrt(1 - e[0] * e[0] - e[1] * e[1] - e[2] * e[2]);
  const double de0 = -(e[0] * de[0] + e[1] * de[1] + e[2] * de[2]) / e0;
  const Vector omega{2 * (-e[0] * de0 + e0 * de[0] + e[2] * de[1] - e[1] * de[2]),
                     2 * (-e[1] * de0 - e[2] * de[0] + e0 * de[1] + e[0] * de[2]),
                     2 * (-e[2] * de0 + e[1] * de[0] - e[0] * de[1] + e0 * de[2])};
  const double A[3][3] = {
      {e0 * e0 + e[0] * e[0] - e[1] * e[1] - e[2] * e[2], 2 * (e[0] * e[1] - e0 * e[2]), 2 * (e[0] * e[2] + e0 * e[1])},
      {2 * (e[0] * e[1] + e0 * e[2]), e0 * e0 - e[0] * e[0] + e[1] * e[1] - e[2] * e[2], 2 * (e[1] * e[2] - e0 * e[0])},
      {2 * (e[0] * e[2] - e0 * e[1]), 2 * (e[1] * e[2] + e0 * e[0]),
       e0 * e0 - e[0] * e[0] - e[1] * e[1] + e[2] * e[2]}};
  const Vector swing = cross(omega, sP);
  Vector r, v;  // the joint keeps r + A sP at the origin
  for (const auto& row : A) {
    r.push_back(-(row[0] * sP[0] + row[1] * sP[1] + row[2] * sP[2]));
    v.push_back(-(row[0] * swing[0] + row[1] * swing[1] + row[2] * swing[2]));
  }
  Model& model = *mechanism.model;
  const Place body = add_spatial_body(model, "B", m, J, r, {e0, e[0], e[1], e[2]}, v, omega, sC);
  add_coincidence(model, "ball", ground_place(model, {0.0, 0.0, 0.0}), body_place(model, body, sP));
  const Vector rate = velocity_of(model, body);
  add_force(model, "drag", body, {-0.4 * rate[0], -0.4 * rate[1], -0.4 * rate[2]}, {});
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  mechanism.both("motion", s("B.x") * s("B.e2"), s("B.y") * s("B.y") + s("B.vz") * s("B.omega_x"));
  mechanism.both("velocities", s("B.vx") * s("B.omega_z"), s("B.vy") * s("B.vz"));
  mechanism.both("accelerations", 0.1 * s("B.az"), 0.01 * s("B.ax") * s("B.alpha_y"));
  mechanism.both("reactions", 0.1 * s("ball.lambda_z"), 0.01 * s("ball.lambda_x") * s("ball.lambda_y"));
  return mechanism;
}

Mechanism slider_crank_mechanism() {
  Mechanism mechanism("spatial slider-crank", {0, 0, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 2.0, "kg"), size = mechanism.parameter("size", 1.0);
  const Symbol width = mechanism.parameter("width", 1.0), spin = mechanism.parameter("spin", 2.0, "rad/s");
  const Symbol torque = mechanism.parameter("torque", 0.8, "N m"), slant = mechanism.parameter("slant", 0.2);
  const Vector upright{1.0, 0.0, 0.0, 0.0}, still{0.0, 0.0, 0.0};
  const Place ground = ground_place(m, still);
  const Place crank = add_spatial_body(m, "crank", 1.2, {0.02 * width, 0.015, 0.015, 0.0, 0.0, 0.001}, {0.0, 0.1, 0.16},
                                       upright, still, {spin, 0.0, 0.0});
  const Place rod = add_spatial_body(m, "rod", 0.25 * mass, {0.004, 0.005, 0.006 * width, 0.0, 0.0, 0.0},
                                     {0.1, 0.05, 0.1}, upright, still, still);
  const Place slider =
      add_spatial_body(m, "slider", mass, {0.01, 0.01, 0.01, 0.0, 0.0, 0.0}, {0.2, 0.0, 0.0}, upright, still, still);
  auto at = [&](const Place& body, const Vector& where, const Vector& axis) {
    return attach(m, body, where, with_axis(m, ground, axis).axes);
  };
  const Vector x{1.0, 0.0, 0.0};
  add_joint(m, "revolute", "main", at(ground, {0.0, 0.1, 0.12}, x), at(crank, {0.0, 0.1, 0.12}, x));
  add_joint(m, "spherical", "ball", body_place(m, crank, {0.0, 0.0, 0.08 * size - 0.04}),
            attach(m, rod, {0.0, 0.1, 0.2}, {}));
  add_joint(m, "universal", "cross", at(rod, {0.2, 0.0, 0.0}, {0.1, slant, 0.0}),
            at(slider, {0.2, 0.0, 0.0}, {0.0, 0.0, 1.0}));
  add_joint(m, "translational", "guide", at(ground, {0.2, 0.0, 0.0}, x), at(slider, {0.2, 0.0, 0.0}, x));
  auto s = [&](const char* name) { return mechanism.signal(name); };
  add_force(m, "motor", crank, still, {torque - 0.05 * s("crank.omega_x"), 0.0, 0.0});
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("motion", s("slider.x") + s("main.angle"), s("slider.x") * s("rod.z"));
  mechanism.both("velocities", s("slider.vx") * s("rod.omega_y"), s("slider.vx") * s("slider.vx"));
  mechanism.both("accelerations", 0.1 * s("slider.ax"), 0.01 * s("slider.ax") * s("crank.alpha_x"));
  mechanism.both("reactions", 0.1 * s("guide.force_y"), 0.01 * s("ball.force_x") * s("cross.force_z"));
  return mechanism;
}

Mechanism door_mechanism(bool has_second_hinge) {
  Mechanism mechanism("door", {0, 0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol width = mechanism.parameter("width", 0.5, "m"), mass = mechanism.parameter("mass", 2.0, "kg");
  const Symbol slope = mechanism.parameter("slope", 4.0, "m/s^2"), spin = mechanism.parameter("spin", 1.5, "rad/s");
  const Symbol damping = mechanism.parameter("damping", 0.2, "N m s");
  m.set_gravity({0.0, -slope, -9.81});
  const Vector up{0.0, 0.0, 1.0};
  const Place leaf = add_spatial_body(m, "leaf", mass, {0.3, 0.4, 0.5, 0.01, -0.02, 0.03}, {width, 0.0, 1.0},
                                      {1.0, 0.0, 0.0, 0.0}, {0.0, spin * width, 0.0}, {0.0, 0.0, spin});
  auto add_hinge = [&](const char* name, double height) {
    add_joint(m, "revolute", name, with_axis(m, ground_place(m, {0.0, 0.0, height}), up),
              with_axis(m, body_place(m, leaf, {-width, 0.0, height - 1.0}), up));
  };
  add_hinge("lower", 0);
  if (has_second_hinge) add_hinge("upper", 2);
  add_force(m, "damper", leaf, {0.0, 0.0, 0.0}, {0.0, 0.0, -damping * s("leaf.omega_z")});
  mechanism.compile();
  mechanism.problem.end = 0.4;
  mechanism.both("motion", s("leaf.x") * s("leaf.omega_z"), s("leaf.y") + s("leaf.vx") * s("leaf.vx"));
  mechanism.both("accelerations", s("leaf.ay"), 0.1 * s("leaf.ax") * s("leaf.ax"));
  mechanism.terminal("energy", s("energy.total"));
  const Symbol pull = has_second_hinge ? s("lower.force_x") + s("upper.force_x") : s("lower.force_x");
  mechanism.both("reaction of all hinges", 0.1 * pull, 0.01 * pull * pull);
  mechanism.both("reaction of one hinge", 0.1 * s("lower.force_y"), 0.01 * s("lower.force_x") * s("lower.torque_y"));
  return mechanism;
}
