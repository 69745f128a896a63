// SPDX-License-Identifier: MIT
// Mechanisms of many joints, with drivers and couplings, whose places, axes and laws are parameters.
#include "mechanisms.hpp"

using perilune::expr::Symbol;
using namespace perilune::model;

Mechanism driven_linkage_mechanism() {
  Mechanism mechanism("driven linkage", {0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol r = mechanism.parameter("r", 0.2, "m"), l = mechanism.parameter("l", 0.7, "m");
  const Symbol amplitude = mechanism.parameter("amplitude", 0.3, "rad"), speed = mechanism.parameter("speed", 2.0);
  const Symbol ratio = mechanism.parameter("ratio", -0.5), radius = mechanism.parameter("radius", 0.1, "m");
  const Symbol tilt = mechanism.parameter("tilt", 0.1, "rad"), mass = mechanism.parameter("mass", 1.3, "kg");
  const Place crank = m.add_planar_body("crank", 1.0, 0.02, {0.5 * r, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place rod = m.add_planar_body("rod", 0.5, 0.03, {r + 0.5 * l, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place slider = m.add_planar_body("slider", mass, 0.05, {r + l, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place wheel = m.add_planar_body("wheel", 1.0, 0.04, {0.0, -0.5}, 0.0, {0.0, 0.0}, 0.0);
  const Place rack = m.add_planar_body("rack", 0.8, 0.01, {0.3, -0.6}, 0.2, {0.0, 0.0}, 0.0);
  const Place bead = m.add_point("bead", {0.3, 0.4}, {0.0, 0.0}, 0.4);
  const Place O = m.ground_place({0.0, 0.0});
  m.add_joint("revolute", "hinge", O, m.body_place(crank, {-0.5 * r, 0.0}));
  m.add_joint("revolute", "pin", m.body_place(crank, {0.5 * r, 0.0}), m.body_place(rod, {-0.5 * l, 0.0}));
  m.add_joint("revolute", "wrist", m.body_place(slider, {0.0, 0.0}), m.body_place(rod, {0.5 * l, 0.0}));
  Place rail = m.ground_place({0.0, 0.0});
  rail.axes = {tilt};
  m.add_joint("translational", "guide", m.body_place(slider, {0.0, 0.0}), rail);
  m.add_joint("revolute", "axle", m.ground_place({0.0, -0.5}), wheel);
  m.add_joint("translational", "track", m.ground_place({0.0, -0.6}), rack);
  m.add_joint("point_on_line", "wire", rack, bead);
  m.add_coupling("gear", s("hinge.angle"), s("axle.angle"), ratio);
  m.add_coupling("mesh", s("axle.angle"), s("track.displacement"), radius);
  m.add_spring("spring", O, bead, 20.0, nullptr, 0.5, 0.0);
  m.add_driver("motor", s("hinge.angle"), speed * s("t") + amplitude * sin(4.0 * s("t")));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", s("slider.x") + s("bead.y"), s("slider.vy") * s("slider.vx"));
  mechanism.both("drive", 0.1 * s("motor.force"), 0.01 * s("motor.power"));
  mechanism.integral("reactions", 0.01 * s("pin.force_x") * s("pin.force_x") + 0.1 * s("guide.torque"));
  return mechanism;
}

Mechanism spatial_joints_mechanism() {
  Mechanism mechanism("spatial joints", {0, 0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol lead = mechanism.parameter("lead", 0.4, "m"), arm = mechanism.parameter("arm", 0.3, "m");
  const Symbol lean = mechanism.parameter("lean", 0.2), stroke = mechanism.parameter("stroke", 0.1, "m");
  const Symbol mass = mechanism.parameter("mass", 1.2, "kg"), offset = mechanism.parameter("offset", 0.05, "m");
  const std::vector<Symbol> inertia{0.2, 0.25, 0.3, 0.01, -0.02, 0.015}, upright{1.0, 0.0, 0.0, 0.0};
  const Vector still{0.0, 0.0, 0.0};
  const Place nut = m.add_spatial_body("nut", 2.0, inertia, {0.0, 0.0, 1.0}, upright, still, {0.0, 0.0, 0.5});
  const Place blade =
      m.add_natural_body("blade", mass, inertia, {arm, 0.1, 1.0}, upright, still, still, Vector{0.02, 0.0, offset});
  const Place rod = m.add_spatial_body("rod", 1.0, inertia, {0.9, 0.1, 0.9}, upright, still, still);
  const Place cart = m.add_spatial_body("cart", 1.5, inertia, {0.0, 1.0, 0.0}, upright, still, still);
  const Vector oblique{lean, 0.1, 1.0}, across{1.0, 0.2, 0.0};
  auto at = [&](const Place& body, const Vector& where, const Vector& axis) {
    return m.attach(body, where, m.with_axis(m.ground_place({0.0, 0.0, 0.0}), axis).axes);
  };
  const Place ground = m.ground_place({0.0, 0.0, 0.0});
  m.add_joint("screw", "thread", at(ground, {0.0, 0.0, 1.0}, oblique), at(nut, {0.0, 0.0, 1.0}, oblique), &lead);
  m.add_joint("cylindrical", "sleeve", at(blade, {arm, 0.0, 1.0}, across), at(nut, {arm, 0.0, 1.0}, across));
  m.add_joint("universal", "cross", at(blade, {0.6, 0.1, 1.0}, {0.0, 1.0, 0.0}),
              at(rod, {0.6, 0.1, 1.0}, {0.0, 0.0, 1.0}));
  m.add_joint("point_on_plane", "table", at(ground, {1.2, 0.1, 0.8}, {0.1, 0.0, 1.0}),
              m.attach(rod, {1.2, 0.1, 0.8}, {}));
  m.add_joint("translational", "rail", at(ground, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.2}),
              at(cart, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.2}));
  m.add_distance("link", m.body_place(cart, {0.1, 0.0, 0.2}), m.body_place(rod, {0.0, 0.1, 0.0}), nullptr);
  m.add_spring("spring", m.body_place(cart, {0.0, 0.0, 0.0}), m.body_place(blade, {0.1, 0.0, 0.0}), 15.0, nullptr, 0.4,
               0.0);
  m.add_driver("pump", s("rail.displacement"), stroke * sin(3.0 * s("t")));
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("motion", s("rod.x") + s("blade.z"), s("nut.vz") * s("thread.angle"));
  mechanism.both("reactions", 0.01 * s("cross.force_x"), 0.001 * s("sleeve.torque_y") * s("sleeve.torque_y"));
  mechanism.integral("drive", 0.1 * s("pump.power") + 0.1 * s("link.force"));
  return mechanism;
}

Mechanism driven_four_bar_mechanism() {
  Mechanism mechanism("driven four-bar", {0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol speed = mechanism.parameter("speed", 3.0, "rad/s"), r = mechanism.parameter("r", 0.5, "m");
  const Symbol mass = mechanism.parameter("mass", 2.0, "kg"), k = mechanism.parameter("k", 20, "N/m");
  const Symbol pivot = mechanism.parameter("pivot", 2.0, "m");
  const Place crank = m.add_planar_body("crank", 1.0, 0.05, {0.25, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place coupler = m.add_planar_body("coupler", mass, 0.2, {1.25, 0.5}, 0.6, {0.0, 0.0}, 0.0);
  const Place rocker = m.add_planar_body("rocker", 1.5, 0.05 * mass, {2.0, 0.5}, 1.6, {0.0, 0.0}, 0.0);
  m.add_joint("revolute", "hinge", m.ground_place({0.0, 0.0}), m.body_place(crank, {-0.25, 0.0}));
  m.add_joint("revolute", "pin", m.body_place(crank, {r - 0.25, 0.0}), m.body_place(coupler, {-0.9, 0.0}));
  m.add_joint("revolute", "wrist", m.body_place(coupler, {0.9, 0.05}), m.body_place(rocker, {0.5, 0.0}));
  m.add_joint("revolute", "base", m.ground_place({pivot, 0.0}), m.body_place(rocker, {-0.5, 0.0}));
  m.add_spring("spring", m.ground_place({3.0, 1.0}), coupler, k, nullptr, 0.4, 0.0);
  m.add_driver("motor", s("hinge.angle"), speed * s("t") + 0.1 * sin(4.0 * s("t")));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", s("coupler.x"), s("coupler.y") * s("rocker.angle"));
  mechanism.both("velocities", s("rocker.omega"), s("coupler.vx") * s("coupler.vx"));
  mechanism.both("accelerations", 0.1 * s("coupler.ay"), 0.01 * s("rocker.alpha") * s("crank.ax"));
  mechanism.both("reactions", 0.1 * s("motor.force"), 0.01 * s("wrist.force_x") * s("base.force_y"));
  return mechanism;
}
