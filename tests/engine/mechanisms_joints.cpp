// SPDX-License-Identifier: MIT
// Mechanisms of many joints, with drivers and couplings, whose places, axes and laws are parameters.
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

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
  const Place crank = add_planar_body(m, "crank", 1.0, 0.02, {0.5 * r, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place rod = add_planar_body(m, "rod", 0.5, 0.03, {r + 0.5 * l, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place slider = add_planar_body(m, "slider", mass, 0.05, {r + l, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place wheel = add_planar_body(m, "wheel", 1.0, 0.04, {0.0, -0.5}, 0.0, {0.0, 0.0}, 0.0);
  const Place rack = add_planar_body(m, "rack", 0.8, 0.01, {0.3, -0.6}, 0.2, {0.0, 0.0}, 0.0);
  const Place bead = add_point(m, "bead", {0.3, 0.4}, {0.0, 0.0}, 0.4);
  const Place O = ground_place(m, {0.0, 0.0});
  add_joint(m, "revolute", "hinge", O, body_place(m, crank, {-0.5 * r, 0.0}));
  add_joint(m, "revolute", "pin", body_place(m, crank, {0.5 * r, 0.0}), body_place(m, rod, {-0.5 * l, 0.0}));
  add_joint(m, "revolute", "wrist", body_place(m, slider, {0.0, 0.0}), body_place(m, rod, {0.5 * l, 0.0}));
  Place rail = ground_place(m, {0.0, 0.0});
  rail.axes = {tilt};
  add_joint(m, "translational", "guide", body_place(m, slider, {0.0, 0.0}), rail);
  add_joint(m, "revolute", "axle", ground_place(m, {0.0, -0.5}), wheel);
  add_joint(m, "translational", "track", ground_place(m, {0.0, -0.6}), rack);
  add_joint(m, "point_on_line", "wire", rack, bead);
  add_coupling(m, "gear", s("hinge.angle"), s("axle.angle"), ratio);
  add_coupling(m, "mesh", s("axle.angle"), s("track.displacement"), radius);
  add_spring(m, "spring", O, bead, 20.0, nullptr, 0.5, 0.0);
  add_driver(m, "motor", s("hinge.angle"), speed * s("t") + amplitude * sin(4.0 * s("t")));
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
  const Place nut = add_spatial_body(m, "nut", 2.0, inertia, {0.0, 0.0, 1.0}, upright, still, {0.0, 0.0, 0.5});
  const Place blade =
      add_natural_body(m, "blade", mass, inertia, {{arm, 0.1, 1.0}, upright, still, still}, Vector{0.02, 0.0, offset});
  const Place rod = add_spatial_body(m, "rod", 1.0, inertia, {0.9, 0.1, 0.9}, upright, still, still);
  const Place cart = add_spatial_body(m, "cart", 1.5, inertia, {0.0, 1.0, 0.0}, upright, still, still);
  const Vector oblique{lean, 0.1, 1.0}, across{1.0, 0.2, 0.0};
  auto at = [&](const Place& body, const Vector& where, const Vector& axis) {
    return attach(m, body, where, with_axis(m, ground_place(m, {0.0, 0.0, 0.0}), axis).axes);
  };
  const Place ground = ground_place(m, {0.0, 0.0, 0.0});
  add_joint(m, "screw", "thread", at(ground, {0.0, 0.0, 1.0}, oblique), at(nut, {0.0, 0.0, 1.0}, oblique), &lead);
  add_joint(m, "cylindrical", "sleeve", at(blade, {arm, 0.0, 1.0}, across), at(nut, {arm, 0.0, 1.0}, across));
  add_joint(m, "universal", "cross", at(blade, {0.6, 0.1, 1.0}, {0.0, 1.0, 0.0}),
            at(rod, {0.6, 0.1, 1.0}, {0.0, 0.0, 1.0}));
  add_joint(m, "point_on_plane", "table", at(ground, {1.2, 0.1, 0.8}, {0.1, 0.0, 1.0}),
            attach(m, rod, {1.2, 0.1, 0.8}, {}));
  add_joint(m, "translational", "rail", at(ground, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.2}),
            at(cart, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.2}));
  add_distance(m, "link", body_place(m, cart, {0.1, 0.0, 0.2}), body_place(m, rod, {0.0, 0.1, 0.0}), nullptr);
  add_spring(m, "spring", body_place(m, cart, {0.0, 0.0, 0.0}), body_place(m, blade, {0.1, 0.0, 0.0}), 15.0, nullptr,
             0.4, 0.0);
  add_driver(m, "pump", s("rail.displacement"), stroke * sin(3.0 * s("t")));
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
  const Place crank = add_planar_body(m, "crank", 1.0, 0.05, {0.25, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  const Place coupler = add_planar_body(m, "coupler", mass, 0.2, {1.25, 0.5}, 0.6, {0.0, 0.0}, 0.0);
  const Place rocker = add_planar_body(m, "rocker", 1.5, 0.05 * mass, {2.0, 0.5}, 1.6, {0.0, 0.0}, 0.0);
  add_joint(m, "revolute", "hinge", ground_place(m, {0.0, 0.0}), body_place(m, crank, {-0.25, 0.0}));
  add_joint(m, "revolute", "pin", body_place(m, crank, {r - 0.25, 0.0}), body_place(m, coupler, {-0.9, 0.0}));
  add_joint(m, "revolute", "wrist", body_place(m, coupler, {0.9, 0.05}), body_place(m, rocker, {0.5, 0.0}));
  add_joint(m, "revolute", "base", ground_place(m, {pivot, 0.0}), body_place(m, rocker, {-0.5, 0.0}));
  add_spring(m, "spring", ground_place(m, {3.0, 1.0}), coupler, k, nullptr, 0.4, 0.0);
  add_driver(m, "motor", s("hinge.angle"), speed * s("t") + 0.1 * sin(4.0 * s("t")));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", s("coupler.x"), s("coupler.y") * s("rocker.angle"));
  mechanism.both("velocities", s("rocker.omega"), s("coupler.vx") * s("coupler.vx"));
  mechanism.both("accelerations", 0.1 * s("coupler.ay"), 0.01 * s("rocker.alpha") * s("crank.ax"));
  mechanism.both("reactions", 0.1 * s("motor.force"), 0.01 * s("wrist.force_x") * s("base.force_y"));
  return mechanism;
}
