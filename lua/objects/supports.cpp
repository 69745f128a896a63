// SPDX-License-Identifier: MIT
// Supports that move as told.
#include "model/body/supports.hpp"
#include "base/guard.hpp"
#include "model/law/symbolic.hpp"
#include "values/expression_field.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using model::Vector;

/// Where it is: fixed, or by a law of time.
Vector read_way(lua_State* L, Args& args) {
  const bool is_given = args.given("law");
  if (is_given && args.given("at")) args.fail("give either at, a fixed place, or law, which returns where it is");
  if (!is_given) return args.vector("at");
  args.name();
  TraceRequest request{args.model(), "law of " + args.title(), {}, {"x", "y"}, true};
  if (args.engine().dimension() == 3) request.results.push_back("z");
  return traced(L, args.function("law"), request);
}

int support(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const bool is_planar = engine.dimension() == 2;
  model::Support support;
  support.position = read_way(L, args);
  if (args.given("angle")) support.angle = {engine.graph(), read_expression(args, L, "angle", false)};
  if (args.given("axis")) {
    if (is_planar) args.fail("axis is for spatial models; in the plane a support turns about z");
    support.axis = model::unit(args.axis("axis"));
  } else if (!is_planar) {
    args.value("axis");
    support.axis = {0.0, 0.0, 1.0};
  }
  const model::Place body = add_support(engine, args.name(), support);
  args.finish(body);
  return 1;
}

}  // namespace

std::span<const Constructor> support_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:support",
       .object = "support",
       .summary =
           "A support that moves as told, whatever acts on it: a shaking table, a turntable, the hub of a rotor, a\n"
           "driven base. Its place and its angle about an axis are laws of time and parameters, so that the\n"
           "forces that this takes are signals, and the laws design variables. It is a body for joints, springs\n"
           "and contacts. What does not move is the ground.",
       .naming = Naming::Optional,
       .fields = {{.name = "at",
                   .type = Type::Vector,
                   .text = "where its reference point stays",
                   .unit = "m",
                   .fallback = "0"},
                  {.name = "law", .type = Type::Law, .text = "instead: returns x, y (and z) at s.t", .unit = "m"},
                  {.name = "angle",
                   .type = Type::Integrand,
                   .text = "how far it is turned at s.t, counter-clockwise, or about the axis",
                   .unit = "rad",
                   .fallback = "0"},
                  {.name = "axis",
                   .type = Type::Axis,
                   .text = "through the reference point, fixed in space (spatial)",
                   .fallback = "z"}},
       .signals = {{"x", "m", "reference point", "y, z"},
                   {"vx", "m/s", "its velocity", "vy, vz"},
                   {"ax", "m/s^2", "its acceleration", "ay, az"},
                   {"force_x", "N", "of what moves it, along the axes of space", "force_y, force_z"},
                   {"torque", "N m", "the same about its reference point", "", "planar"},
                   {"torque_x", "N m", "the same along the axes of space", "torque_y, torque_z", "spatial"},
                   {"angle", "rad", "how far it is turned", "", "planar"},
                   {"omega", "rad/s", "its rate", "", "planar"},
                   {"alpha", "rad/s^2", "its second derivative", "", "planar"},
                   {"e0", "", "Euler parameters", "e1, e2, e3", "spatial"},
                   {"omega_x", "rad/s", "angular velocity in the body frame", "omega_y, omega_z", "spatial"},
                   {"alpha_x", "rad/s^2", "its rate in the body frame", "alpha_y, alpha_z", "spatial"},
                   {"lambda", "J", "multiplier of p.p = 1; no reaction", "", "spatial"},
                   {"lambda_x", "N", "multipliers of the place: the forces reversed", "lambda_y, lambda_z"},
                   {"lambda_angle", "N m", "multiplier of the angle", "", "planar"},
                   {"lambda_turn_x", "N m", "multipliers of the turn, in the body frame: twice the torque reversed",
                    "lambda_turn_y, lambda_turn_z", "spatial"}},
       .equations =
           "r - r(t) = 0; angle - angle(t) = 0, in space (p(t)^-1 e)_xyz = 0 with the Euler parameters p(t) of the\n"
           "turn. It has no mass of its own",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"shaken\", gravity = {0, -9.81} }\n"
                  "local w = m:param { \"w\", 12, unit = \"rad/s\" }\n"
                  "local table = m:support { \"table\", law = function(s) return 0.02 * math.sin(w * s.t), 0 end }\n"
                  "local rod = m:body { \"rod\", mass = 1, inertia = 0.1, at = {0, -0.5} }\n"
                  "m:revolute { \"hinge\", table, rod, at = {0, 0} }\n"
                  "print(m:simulate { t = 2 }:at(table.force_x, 2))",
       .see_also = {"driver", "ground", "body", "constraint"},
       .function = guarded<support>}};
  return constructors;
}

}  // namespace perilune::lua
