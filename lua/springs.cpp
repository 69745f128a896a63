// SPDX-License-Identifier: MIT
// Springs, stops and bushings.
#include "model/force/springs.hpp"
#include "args.hpp"
#include "guard.hpp"
#include "model/contact/resistance.hpp"
#include "model/force/bushing.hpp"
#include "model/force/control.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "trace.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Place;
using model::Resistance;
using model::Vector;

Symbol first_of(const Vector& coefficients) { return coefficients.empty() ? Symbol(0.0) : coefficients[0]; }

// What the fields that all springs share say: stiffness, damping, their curves, and a law.
struct SpringFields {
  model::Characteristic characteristic;
  int law;

  explicit SpringFields(Args& args)
      : characteristic{args.polynomial("stiffness"), args.polynomial("damping"), args.curve("spring_curve"),
                       args.curve("damper_curve")},
        law(args.function("law")) {}

  // `measure` is called `name` in the law: length or angle; `force` is what the law returns.
  Resistance resistance(lua_State* L, Args& args, const char* name, const char* force, const Symbol& measure,
                        const Symbol& rate, const Symbol& free, const Symbol& constant) const {
    const Symbol stretch = measure - free;
    Resistance r = characteristic.resistance(stretch, rate);
    r.actuator = constant;
    if (law == 0) return r;
    args.name();
    expr::Graph& graph = args.engine().graph();
    const TraceRequest request{args.model(),
                               "law of " + args.title(),
                               {{name, measure.in(graph)}, {"rate", rate.in(graph)}, {"stretch", stretch.in(graph)}},
                               {force},
                               true};
    r.actuator += traced(L, law, request)[0];
    return r;
  }
};

int spring(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Place a = args.place("a"), b = args.place("b");
  const SpringFields fields(args);
  std::optional<Symbol> free_length = args.optional_number("free_length");
  const Symbol force = args.number("force");
  if (fields.characteristic.is_linear() && fields.law == 0) {
    add_spring(engine, args.name(), a, b, first_of(fields.characteristic.stiffness),
               free_length ? &*free_length : nullptr, first_of(fields.characteristic.damping), force);
  } else {
    if (!free_length) {
      const Vector u = model::minus(initial_position(engine, b), initial_position(engine, a));
      free_length = sqrt(model::dot(u, u));
    }
    const Resistance resistance = fields.resistance(L, args, "length", "force", length_of(engine, a, b),
                                                    length_rate(engine, a, b), *free_length, force);
    add_spring_law(engine, args.name(), a, b, resistance);
  }
  args.finish();
  return 1;
}

// The angle of a torsion spring: that of a joint, any expression, or of a planar body against another.
Symbol angle_of(Args& args) {
  model::Model& engine = args.engine();
  const bool has_a = args.given("a"), has_b = args.given("b"), on_bodies = has_a || has_b;
  if (args.given("on") == on_bodies) {
    args.fail(std::string(on_bodies ? "give either two bodies or on" : "on is missing") +
              ": a joint with an angle, an expression of signals, or in a planar model two bodies");
  }
  if (!on_bodies) return args.measure("on", {"angle"});
  if (engine.dimension() == 3) args.fail("two bodies are enough in the plane only; give a joint, or its angle, as on");
  Symbol angle = 0.0;
  for (const char* end : {"a", "b"}) {
    const Object& body = args.object(end);
    if (body.place->kind == Place::Kind::Ground) continue;
    const auto& coordinate = engine.coordinates()[static_cast<size_t>(body.place->first_coordinate) + 2];
    const Symbol turned(engine.graph(), coordinate.position);
    angle = *end == 'b' ? angle + turned : angle - turned;
  }
  return angle;
}

int torsion_spring(lua_State* L) {
  Args args(L);
  const Symbol angle = angle_of(args), free = args.number("free_angle"), torque = args.number("torque");
  const SpringFields fields(args);
  const Resistance resistance =
      fields.resistance(L, args, "angle", "torque", angle, rate_of(args.engine(), angle), free, torque);
  add_torsion_spring(args.engine(), args.name(), angle, resistance);
  args.finish();
  return 1;
}

int bump_stop(lua_State* L) {
  Args args(L);
  const Symbol measure = args.measure("on", {"length", "displacement", "angle"});
  const std::optional<Symbol> lower = args.optional_number("lower"), upper = args.optional_number("upper"),
                              width = args.optional_number("width");
  if (!lower && !upper) args.fail("a limit is missing: lower, upper or both");
  if (lower && upper && !(args.value_of(*lower) < args.value_of(*upper))) args.fail("lower must be less than upper");
  model::BumpStop stop{lower ? &*lower : nullptr, upper ? &*upper : nullptr, args.number("stiffness"),
                       args.number("damping"), width ? &*width : nullptr};
  add_bump_stop(args.engine(), args.name(), measure, stop);
  args.finish();
  return 1;
}

int bushing(lua_State* L) {
  Args args(L);
  const size_t size = args.engine().dimension() == 2 ? 3 : 6;
  const Place a = args.place("a"), b = args.place("b");
  const Vector stiffness = args.matrix("stiffness", size), damping = args.matrix("damping", size);
  add_bushing(args.engine(), args.name(), a, b, stiffness, damping);
  args.finish();
  return 1;
}

std::vector<Field> spring_fields(std::vector<Field> fields, bool turns) {
  const auto unit = [turns](const char* angular, const char* linear) { return turns ? angular : linear; };
  fields.push_back({.name = "stiffness",
                    .type = Type::Polynomial,
                    .text = "k, or {k1, k2, ...} for k1 x + k2 x^2 + ... with the stretch x",
                    .unit = unit("N m/rad", "N/m"),
                    .fallback = "0",
                    .range = Range::NonNegative});
  fields.push_back({.name = "damping",
                    .type = Type::Polynomial,
                    .text = "c, or {c1, c2, ...} for c1 v + c2 v^2 + ... with the rate v",
                    .unit = unit("N m s/rad", "N s/m"),
                    .fallback = "0",
                    .range = Range::NonNegative});
  fields.push_back(
      {.name = "spring_curve", .type = Type::Curve, .text = "tabulated, over the stretch", .unit = unit("N m", "N")});
  fields.push_back(
      {.name = "damper_curve", .type = Type::Curve, .text = "tabulated, over the rate", .unit = unit("N m", "N")});
  fields.push_back({.name = "law",
                    .type = Type::Law,
                    .text = turns ? "more, by law: a function of s with angle, rate, stretch"
                                  : "more, by law: a function of s with length, rate, stretch",
                    .unit = unit("N m", "N")});
  return fields;
}

Constructor spring_entry() {
  return {
      .name = "model:spring",
      .object = "spring",
      .summary =
          "A spring, damper and actuator along the line between two places a and b. It pulls them together\n"
          "with the sum of what its fields say, and pushes them apart where that is negative.",
      .naming = Naming::Optional,
      .positional = {{.name = "a", .type = Type::Place, .text = "one end", .required = true},
                     {.name = "b", .type = Type::Place, .text = "the other end", .required = true}},
      .fields =
          spring_fields({{.name = "free_length",
                          .text = "length without stretch",
                          .unit = "m",
                          .fallback = "distance of the declared positions",
                          .range = Range::NonNegative},
                         {.name = "force", .text = "constant pull of the actuator", .unit = "N", .fallback = "0"}},
                        false),
      .signals = {{"length", "m", "current length"},
                  {"rate", "m/s", "its rate"},
                  {"force", "N", "pull, of all parts"},
                  {"dissipation", "W", "power lost in the damper"}},
      .equations =
          "l = |r_b - r_a|, e = (r_b - r_a) / l, f = k (l - l0) + c l' + force; f e acts on a, -f e on b\n"
          "(Schaffer 2005, eq. 4.91). Lists, curves and the law are further terms of f. Stiffness and\n"
          "spring_curve store energy, damping and damper_curve dissipate it, force and law do neither.",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, -9.81} }\n"
          "local A = m:ground { at = {0, 0} }\n"
          "local P = m:point { \"P\", at = {0, -1}, mass = 1 }\n"
          "m:spring { \"s1\", A, P, stiffness = 100, free_length = 0.8, damping = 0.5 }\n"
          "m:spring { \"s2\", A, P, stiffness = {50, 0, 2000}, law = function(s) return 0.1 * s.rate * s.length end }",
      .see_also = {"torsion_spring", "bump_stop", "bushing", "spline", "force", "distance"},
      .function = guarded<spring>};
}

Constructor torsion_entry() {
  return {
      .name = "model:torsion_spring",
      .object = "torsion_spring",
      .summary =
          "A spring, damper and actuator on an angle, against the growth of which it acts with the sum of\n"
          "what its fields say. The angle is that of a joint (full turns count; positive where b turns\n"
          "counter-clockwise against a, seen against the axis), any expression of positions, or in a planar\n"
          "model that of body b less that of body a.",
      .naming = Naming::Optional,
      .positional = {{.name = "a", .type = Type::Body, .text = "planar: one body"},
                     {.name = "b", .type = Type::Body, .text = "planar: the other body"}},
      .fields = spring_fields({{.name = "on", .type = Type::Measure, .text = "a joint, or an angle", .unit = "rad"},
                               {.name = "free_angle", .text = "angle without stretch", .unit = "rad", .fallback = "0"},
                               {.name = "torque", .text = "constant part", .unit = "N m", .fallback = "0"}},
                              true),
      .signals = {{"angle", "rad", "current angle"},
                  {"rate", "rad/s", "its rate"},
                  {"torque", "N m", "against the growth of the angle, of all parts"},
                  {"dissipation", "W", "power lost in the damper"}},
      .equations =
          "n = k (angle - free_angle) + c angle' + torque, Q = -angle_q^T n: -n on b, n on a, about the axis\n"
          "(Schaffer 2005, eq. 4.92). Lists, curves and the law are further terms of n.",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, -9.81} }\n"
          "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
          "m:revolute { \"pivot\", m.ground, arm, at = {0, 0} }\n"
          "m:torsion_spring { \"hinge\", m.ground, arm, stiffness = 20, damping = 0.1, free_angle = 0.3 }",
      .see_also = {"spring", "torque", "bump_stop", "spline"},
      .function = guarded<torsion_spring>};
}

Constructor bump_stop_entry() {
  return {.name = "model:bump_stop",
          .object = "bump_stop",
          .summary =
              "Stops a length, an angle or a displacement at a lower limit, an upper one, or both, by stiffness\n"
              "times penetration and, while in contact, damping times rate. With a width the contact begins\n"
              "smoothly.",
          .naming = Naming::Optional,
          .fields = {{.name = "on",
                      .type = Type::Measure,
                      .text = "an expression of positions, a spring, or a joint (its displacement or angle)",
                      .unit = "m or rad",
                      .required = true},
                     {.name = "lower", .text = "lower limit", .unit = "m or rad", .fallback = "none"},
                     {.name = "upper", .text = "upper limit", .unit = "m or rad", .fallback = "none"},
                     {.name = "stiffness",
                      .text = "force per penetration",
                      .unit = "N/m or N m/rad",
                      .range = Range::Positive,
                      .required = true},
                     {.name = "damping",
                      .text = "force per rate, in contact",
                      .unit = "N s/m or N m s/rad",
                      .fallback = "0",
                      .range = Range::NonNegative},
                     {.name = "width",
                      .text = "penetration over which the contact builds up",
                      .unit = "m or rad",
                      .fallback = "none: sharp",
                      .range = Range::Positive}},
          .signals = {{"force", "N or N m", "against growth: positive at the upper limit, negative at the lower"},
                      {"dissipation", "W", "power lost in the damper"}},
          .equations =
              "With the measure x: upper limit d = x - upper, force = k D(d) + c D'(d) x'; lower limit\n"
              "d = lower - x, force = -k D(d) + c D'(d) x'. Q = -x_q^T force. D(d) = max(d, 0); with a width w\n"
              "and u = d / w: D = w (u^3 - u^4 / 2) for 0 < d < w, D = d - w / 2 beyond.",
          .example =
              "local mbs = require \"perilune\"\n"
              "local m = mbs.model { gravity = {0, -9.81} }\n"
              "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
              "m:revolute { \"pivot\", m.ground, arm, at = {0, 0} }\n"
              "m:bump_stop { on = arm.angle, lower = -1, upper = 1, stiffness = 500, damping = 2, width = 0.02 }",
          .see_also = {"spring", "torsion_spring", "bushing"},
          .function = guarded<bump_stop>};
}

Constructor bushing_entry() {
  return {
      .name = "model:bushing",
      .object = "bushing",
      .summary =
          "Holds two places with axes (on bodies, or markers) together by stiffness and damping, in all\n"
          "directions. The stretch is the displacement of b from a along the axes of a and the turning of b\n"
          "against a: planar {x, y, angle}, spatial {x, y, z, rx, ry, rz}, where rx, ry, rz have the length\n"
          "2 sin(angle / 2) along the axis of the turning, which must stay below half a turn.",
      .naming = Naming::Optional,
      .positional = {{.name = "a", .type = Type::Place, .text = "a body or a place on one", .required = true},
                     {.name = "b", .type = Type::Place, .text = "another one", .required = true}},
      .fields =
          {{.name = "stiffness",
            .type = Type::Matrix,
            .text = "K, symmetric",
            .unit = "N/m, N, N m/rad",
            .required = true},
           {.name = "damping", .type = Type::Matrix, .text = "C", .unit = "N s/m, N s, N m s/rad", .fallback = "0"}},
      .signals = {{"x", "m", "displacement of b from a along the axes of a", "y, z"},
                  {"angle", "rad", "turning of b against a", "", "planar"},
                  {"rx", "rad", "turning of b against a, along the axes of a", "ry, rz", "spatial"},
                  {"fx", "N", "force on b along the axes of a", "fy, fz"},
                  {"torque", "N m", "torque on b", "", "planar"},
                  {"tx", "N m", "torques that do work on rx, ry, rz", "ty, tz", "spatial"},
                  {"dissipation", "W", "power lost in the damping"}},
      .equations =
          "x = (A_a^T (r_b - r_a), turning), f = -(K x + C x') on b at b's place, the opposite on a at the\n"
          "same point of space. In space turning = 2 e, with the Euler parameters (e0, e) of A_a^T A_b, and\n"
          "the torque on b along the axes of a is e0 t + e cross t with t = (tx, ty, tz).",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, -9.81} }\n"
          "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
          "m:bushing { \"mount\", m.ground, arm:point { -0.5, 0 }, stiffness = {1e5, 1e5, 40},\n"
          "            damping = {100, 100, 0.5} }",
      .see_also = {"spring", "bump_stop", "revolute"},
      .function = guarded<bushing>};
}

}  // namespace

std::span<const Constructor> spring_constructors() {
  static const std::vector<Constructor> constructors = {spring_entry(), torsion_entry(), bump_stop_entry(),
                                                        bushing_entry()};
  return constructors;
}

}  // namespace perilune::lua
