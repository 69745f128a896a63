// SPDX-License-Identifier: MIT
// Mechanisms with forces given by laws of all kinds, whose every number is a parameter.
#include "expr/spline.hpp"
#include "mechanisms.hpp"
#include "model/orientation.hpp"

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
  const Place P = m.add_point("P", {0.5, 0.2}, {0.0, 1.0}, 0.8);
  const Place X = m.add_planar_body("X", 1.5, 0.3, {1.2, 0.1}, 0.4, {0.3, 0.5}, 1.0);
  const Place Y = m.add_planar_body("Y", 1.0, 0.2, {1.6, 0.3}, 0.5, {0.1, 0.4}, -0.5);
  m.add_joint("revolute", "pin", m.ground_place({1.0, 0.0}), m.body_place(X, {-0.22, 0.0}));

  const Place tip = m.body_place(X, {0.2, 0.1});
  const Symbol stretch = m.length(P, tip) - 0.4, rate = m.length_rate(P, tip);
  m.add_spring_law(
      "spring", P, tip,
      {k * stretch + cubic * stretch * stretch * stretch, c * rate + 0.2 * c * rate * rate * rate, sin(3.0 * s("t")),
       0.5 * k * stretch * stretch + 0.25 * cubic * stretch * stretch * stretch * stretch});
  const Spline curve({-1.0, 0.0, 1.0, 2.0}, {-3.0, 0.0, ordinate, 9.0}, {}, {});
  const Symbol angle = s("pin.angle");
  m.add_torsion_spring("torsion", angle, {curve(angle), 0.3 * m.rate_of(angle), 0.0, curve.integral(angle)});
  BumpStop stop;
  const Symbol lower = 0.9 - gap, upper = gap - 0.3;  // pressed on both sides throughout, within the width
  stop.lower = &lower;
  stop.upper = &upper;
  stop.stiffness = 5.0 * k;
  stop.damping = c;
  stop.width = &width;
  m.add_bump_stop("stop", s("P.y"), stop);
  Place on_x = m.body_place(X, {0.3, 0.0}), on_y = m.body_place(Y, {-0.1, 0.05});
  on_x.axes = {mount};
  m.add_bushing("bushing", on_x, on_y, {k, 5.0, 0.0, 5.0, 2.0 * k, 1.0, 0.0, 1.0, 3.0},
                {c, 0.0, 0.1, 0.0, c, 0.0, 0.1, 0.0, 0.2});
  m.add_force_pair("pair", Y, P, {thrust * cos(s("Y.angle")), 0.3 * thrust}, {});
  m.add_force("body force", on_x, out_of_axes(orientation(m, on_x), {thrust, -s("X.omega")}), {0.1 * s("Y.omega")});
  m.add_pid("ctl", 0.6 - s("Y.angle"), {kp, ki, kd, &filter});
  const Symbol z = m.add_state("z", mount, "N m");
  m.set_state_rate("z", (s("ctl.output") - z) / lag);
  m.add_force_pair("motor", Y, X, {}, {z});
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
      m.add_spatial_body("X", 1.5, J, {0.1, 0.0, 0.2}, {0.9, 0.2, -0.1, 0.1}, {0.2, 0.0, 0.1}, {0.5, -0.3, 0.8});
  const Place Y =
      m.add_spatial_body("Y", 1.0, J, {0.5, 0.1, 0.2}, {0.9, 0.1, 0.1, 0.2}, {0.0, 0.1, 0.0}, {-0.4, 0.6, 0.2});
  const Place hub = m.with_axis(m.body_place(X, {-0.1, mount, 0.0}), {1.0, 0.4, 0.2});
  std::vector<Symbol> K(36, 0.0), C(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) {
    K[7 * i] = i < 3 ? k : kr;
    C[7 * i] = i < 3 ? c : 0.05 * c;
  }
  K[4] = K[24] = cross;
  C[3] = 0.1;
  m.add_bushing("bushing", m.ground_place({0.0, 0.1, 0.2}), hub, K, C);
  m.add_joint("revolute", "hinge", m.attach(X, {0.3, 0.05, 0.2}, {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0}),
              m.attach(Y, {0.3, 0.05, 0.2}, {1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0}));
  const Symbol angle = s("hinge.angle");
  m.add_torsion_spring("torsion", angle,
                       {kr * angle + kr * angle * angle * angle, 0.1 * m.rate_of(angle), 0.0,
                        0.5 * kr * angle * angle + 0.25 * kr * angle * angle * angle * angle});
  m.add_force_pair("motor", Y, X, {}, out_of_axes(orientation(m, Y), {0.0, torque, torque * s("hinge.angle")}));
  m.add_force_pair("pair", m.body_place(Y, {0.1, 0.0, mount}), hub, {torque, 0.5 * s("Y.vx"), 1.0}, {});
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("motion", s("Y.x") + s("hinge.angle"), s("X.z") * s("Y.omega_x"));
  mechanism.both("forces", s("bushing.fx") + s("bushing.tz"), 0.1 * s("bushing.ty") * s("torsion.torque"));
  mechanism.both("energy", s("energy.total"), s("bushing.dissipation") + s("torsion.dissipation"));
  return mechanism;
}
