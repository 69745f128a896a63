// SPDX-License-Identifier: MIT
// Mechanisms with forces given by laws of all kinds, whose every number is a parameter.
#include "expr/spline.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/orientation.hpp"
#include "model/body/points.hpp"
#include "model/force/bushing.hpp"
#include "model/force/control.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using perilune::expr::Spline;
using perilune::expr::Symbol;
using namespace perilune::model;

Mechanism planar_forces_mechanism() {
  Mechanism mechanism("planar forces", {0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol k = mechanism.parameter("k", 20, "N/m"), cubic = mechanism.parameter("cubic", 80, "N/m^3");
  const Symbol c = mechanism.parameter("c", 1.5, "N s/m"), ordinate = mechanism.parameter("ordinate", 4.0, "N m");
  const Symbol gap = mechanism.parameter("gap", 0.02, "m"), width = mechanism.parameter("width", 2.0, "m");
  const Symbol kp = mechanism.parameter("kp", 8.0), ki = mechanism.parameter("ki", 5.0),
               kd = mechanism.parameter("kd", 1.2), filter = mechanism.parameter("filter", 0.3, "s");
  const Symbol lag = mechanism.parameter("lag", 0.2, "s"), thrust = mechanism.parameter("thrust", 3.0, "N");
  const Symbol mount = mechanism.parameter("mount", 0.15, "rad");
  const Place P = add_point(m, "P", {0.5, 0.2}, {0.0, 1.0}, 0.8);
  const Place X = add_planar_body(m, "X", 1.5, 0.3, {1.2, 0.1}, 0.4, {0.3, 0.5}, 1.0);
  const Place Y = add_planar_body(m, "Y", 1.0, 0.2, {1.6, 0.3}, 0.5, {0.1, 0.4}, -0.5);
  add_joint(m, "revolute", "pin", ground_place(m, {1.0, 0.0}), body_place(m, X, {-0.22, 0.0}));

  const Place tip = body_place(m, X, {0.2, 0.1});
  const Symbol stretch = length_of(m, P, tip) - 0.4, rate = length_rate(m, P, tip);
  add_spring(m, "spring", P, tip, 0.0, nullptr, 0.0, 0.0,
             {k * stretch + cubic * stretch * stretch * stretch, c * rate + 0.2 * c * rate * rate * rate,
              sin(3.0 * s("t")), 0.5 * k * stretch * stretch + 0.25 * cubic * stretch * stretch * stretch * stretch});
  const Spline curve({-1.0, 0.0, 1.0, 2.0}, {-3.0, 0.0, ordinate, 9.0}, {}, {});
  const Symbol angle = s("pin.angle");
  add_torsion_spring(m, "torsion", angle, {curve(angle), 0.3 * rate_of(m, angle), 0.0, curve.integral(angle)});
  BumpStop stop;
  const Symbol lower = 0.9 - gap, upper = gap - 0.3;  // pressed on both sides throughout, within the width
  stop.lower = &lower;
  stop.upper = &upper;
  stop.stiffness = 5.0 * k;
  stop.damping = c;
  stop.width = &width;
  add_bump_stop(m, "stop", s("P.y"), stop);
  Place on_x = body_place(m, X, {0.3, 0.0}), on_y = body_place(m, Y, {-0.1, 0.05});
  on_x.axes = {mount};
  add_bushing(m, "bushing", on_x, on_y, {k, 5.0, 0.0, 5.0, 2.0 * k, 1.0, 0.0, 1.0, 3.0},
              {c, 0.0, 0.1, 0.0, c, 0.0, 0.1, 0.0, 0.2});
  add_force_pair(m, "pair", Y, P, {thrust * cos(s("Y.angle")), 0.3 * thrust}, {});
  add_force(m, "body force", on_x, out_of_axes(orientation(m, on_x), {thrust, -s("X.omega")}), {0.1 * s("Y.omega")});
  add_pid(m, "ctl", 0.6 - s("Y.angle"), {kp, ki, kd, &filter});
  const Symbol z = add_state(m, "z", mount, "N m");
  set_state_rate(m, "z", (s("ctl.output") - z) / lag);
  add_force_pair(m, "motor", Y, X, {}, {z});
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.problem.independent = {4};
  mechanism.both("tracking", s("P.x") * s("P.x") + s("Y.angle"), s("X.angle") * s("P.y"));
  mechanism.both("forces", s("spring.force") + s("stop.force"), 0.1 * s("bushing.fx") * s("torsion.torque"));
  mechanism.both("control", s("z.value") + s("z.rate"), s("ctl.output") * s("ctl.integral"));
  mechanism.both("energy", s("energy.total"),
                 s("spring.dissipation") + s("torsion.dissipation") + s("stop.dissipation") + s("bushing.dissipation"));
  mechanism.terminal("accelerations", 0.1 * s("X.alpha") + 0.01 * s("P.ax") * s("Y.ay"));
  return mechanism;
}

Mechanism spatial_forces_mechanism() {
  Mechanism mechanism("spatial forces", {0, 0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol k = mechanism.parameter("k", 150, "N/m"), c = mechanism.parameter("c", 2.0, "N s/m");
  const Symbol kr = mechanism.parameter("kr", 6.0, "N m/rad"), cross = mechanism.parameter("cross", 4.0, "N");
  const Symbol torque = mechanism.parameter("torque", 0.6, "N m"), mount = mechanism.parameter("mount", 0.12, "m");
  const std::vector<Symbol> J{0.06, 0.08, 0.07, 0.004, 0.0, -0.003};
  const Place X =
      add_spatial_body(m, "X", 1.5, J, {0.1, 0.0, 0.2}, {0.9, 0.2, -0.1, 0.1}, {0.2, 0.0, 0.1}, {0.5, -0.3, 0.8});
  const Place Y =
      add_spatial_body(m, "Y", 1.0, J, {0.5, 0.1, 0.2}, {0.9, 0.1, 0.1, 0.2}, {0.0, 0.1, 0.0}, {-0.4, 0.6, 0.2});
  const Place hub = with_axis(m, body_place(m, X, {-0.1, mount, 0.0}), {1.0, 0.4, 0.2});
  std::vector<Symbol> K(36, 0.0), C(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    K[7 * i] = i < 3 ? k : kr;
    C[7 * i] = i < 3 ? c : 0.05 * c;
  }
  K[4] = K[24] = cross;
  C[3] = 0.1;
  add_bushing(m, "bushing", ground_place(m, {0.0, 0.1, 0.2}), hub, K, C);
  add_joint(m, "revolute", "hinge", attach(m, X, {0.3, 0.05, 0.2}, {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0}),
            attach(m, Y, {0.3, 0.05, 0.2}, {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0}));
  const Symbol angle = s("hinge.angle");
  add_torsion_spring(m, "torsion", angle,
                     {kr * angle + kr * angle * angle * angle, 0.1 * rate_of(m, angle), 0.0,
                      0.5 * kr * angle * angle + 0.25 * kr * angle * angle * angle * angle});
  add_force_pair(m, "motor", Y, X, {}, out_of_axes(orientation(m, Y), {0.0, torque, torque * s("hinge.angle")}));
  add_force_pair(m, "pair", body_place(m, Y, {0.1, 0.0, mount}), hub, {torque, 0.5 * s("Y.vx"), 1.0}, {});
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("motion", s("Y.x") + s("hinge.angle"), s("X.z") * s("Y.omega_x"));
  mechanism.both("forces", s("bushing.fx") + s("bushing.tz"), 0.1 * s("bushing.ty") * s("torsion.torque"));
  mechanism.both("energy", s("energy.total"), s("bushing.dissipation") + s("torsion.dissipation"));
  return mechanism;
}

Mechanism rubbing_crank_mechanism() {
  Mechanism mechanism("rubbing crank", {0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol r = mechanism.parameter("r", 0.2, "m"), l = mechanism.parameter("l", 0.5, "m");
  const Symbol mass = mechanism.parameter("mass", 1.2, "kg"), mu = mechanism.parameter("mu", 0.25);
  const Symbol radius = mechanism.parameter("radius", 0.03, "m"), added = mechanism.parameter("added", 0.6, "kg");
  const Symbol lag = mechanism.parameter("lag", 0.1, "s"), gain = mechanism.parameter("gain", 0.02, "m");
  const Place crank = add_planar_body(m, "crank", 0.8, 0.02, {0.1, 0.0}, 0.0, {0.0, 0.4}, 4.0);
  const Place rod = add_planar_body(m, "rod", 0.5, 0.03, {0.4, 0.1}, -0.2, {0.0, 0.0}, -1.0);
  const Place slider = add_planar_body(m, "slider", mass, 0.05, {0.7, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  add_joint(m, "revolute", "hinge", ground_place(m, {0.0, 0.0}), body_place(m, crank, {-0.5 * r, 0.0}));
  add_joint(m, "revolute", "pin", body_place(m, crank, {0.5 * r, 0.0}), body_place(m, rod, {-0.5 * l, 0.0}));
  add_joint(m, "revolute", "wrist", body_place(m, slider, {0.0, 0.0}), body_place(m, rod, {0.5 * l, 0.0}));
  add_joint(m, "translational", "guide", body_place(m, slider, {0.0, 0.0}), ground_place(m, {0.0, 0.0}));
  // Friction by the load of each joint, smooth where it slides slowly.
  auto load = [&](const std::string& joint) {
    const Symbol fx = mechanism.signal(joint + ".force_x"), fy = mechanism.signal(joint + ".force_y");
    return sqrt(fx * fx + fy * fy + 0.01);
  };
  add_force(m, "rub at hinge", crank, {}, {-mu * radius * load("hinge") * tanh(s("crank.omega") / 0.5)});
  add_force_pair(m, "rub at pin", rod, crank, {}, {-mu * radius * load("pin") * tanh(s("pin.omega") / 0.5)});
  add_force(m, "rub at guide", slider, {-mu * load("guide") * tanh(s("slider.vx") / 0.1), 0.0}, {});
  // Water that moves with the slider, and a motor that follows the filtered load of the wrist.
  add_force(m, "water", slider, {-added * s("slider.ax"), 0.0}, {});
  const Symbol z = add_state(m, "z", 1.0, "N");
  set_state_rate(m, "z", (s("wrist.force_x") - z) / lag);
  add_force(m, "motor", crank, {}, {gain * z + 2.0 * cos(3.0 * s("t"))});
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.problem.independent = {2};
  mechanism.both("way", s("slider.x") * s("slider.x"), s("crank.angle") * s("rod.y"));
  mechanism.both("loads", 0.01 * s("hinge.force_x") * s("guide.force_y"), 0.1 * s("wrist.force_x"));
  mechanism.both("losses", s("z.value"), s("rub at pin.torque") * s("pin.omega"));
  mechanism.terminal("accelerations", 0.1 * s("slider.ax") + 0.01 * s("crank.alpha"));
  return mechanism;
}
