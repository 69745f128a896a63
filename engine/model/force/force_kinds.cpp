// SPDX-License-Identifier: MIT
#include "model/force/force_kinds.hpp"

#include <algorithm>
#include <utility>

#include "model/contact/resistance.hpp"
#include "model/declare.hpp"
#include "model/force/bushing.hpp"
#include "model/force/clutch.hpp"
#include "model/force/control.hpp"
#include "model/force/springs.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

const Symbol* GivenForce::optional_number(std::string_view field) const {
  const auto found = numbers.find(field);
  return found == numbers.end() ? nullptr : &found->second;
}

const expr::Spline* GivenForce::curve(std::string_view field) const {
  const auto found = curves.find(field);
  return found == curves.end() ? nullptr : found->second;
}

namespace {

using Fields = std::vector<ForceField>;

/// What all springs have beside their own fields.
Fields spring_fields(Fields own, bool turns) {
  const auto unit = [turns](const char* angular, const char* linear) { return turns ? angular : linear; };
  own.push_back({"stiffness", ForceValue::Polynomial, "k, or {k1, k2, ...} for k1 x + k2 x^2 + ... with the stretch x",
                 unit("N m/rad or N/m", "N/m"), "0", Bound::NonNegative});
  own.push_back({"damping", ForceValue::Polynomial, "c, or {c1, c2, ...} for c1 v + c2 v^2 + ... with the rate v",
                 unit("N m s/rad or N s/m", "N s/m"), "0", Bound::NonNegative});
  own.push_back({"spring_curve", ForceValue::Curve, "tabulated, over the stretch", unit("N m or N", "N")});
  own.push_back({"damper_curve", ForceValue::Curve, "tabulated, over the rate", unit("N m or N", "N")});
  own.push_back({"law", ForceValue::Law,
                 turns ? "more, by law: a function of s with angle, rate, stretch"
                       : "more, by law: a function of s with length, rate, stretch",
                 unit("N m or N", "N")});
  return own;
}

Characteristic characteristic_of(const GivenForce& given) {
  return {given.list("stiffness"), given.list("damping"), given.curve("spring_curve"), given.curve("damper_curve")};
}

/// name: what the law calls the measure.
Resistance resistance_of(const GivenForce& given, const char* name, const Symbol& measure, const Symbol& rate,
                         const Symbol& free, const Symbol& constant) {
  const Symbol stretch = measure - free;
  Resistance r = characteristic_of(given).resistance(stretch, rate);
  r.actuator = constant;
  if (given.law) r.actuator += given.law(name, measure, rate, stretch);
  return r;
}

void declare_spring(Model& model, const std::string& name, const GivenForce& given) {
  const Place &a = *given.a, &b = *given.b;
  Symbol free = 0.0;
  if (const Symbol* length = given.optional_number("free_length")) {
    free = *length;
  } else {
    const Vector u = minus(initial_position(model, b), initial_position(model, a));
    free = sqrt(dot(u, u));
  }
  // The linear parts are those of the element; the rest is its law.
  GivenForce more = given;
  Symbol linear[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    Vector& coefficients = more.lists.find(k == 0 ? "stiffness" : "damping")->second;
    if (!coefficients.empty()) linear[k] = std::exchange(coefficients[0], Symbol(0.0));
  }
  add_spring(model, name, a, b, linear[0], &free, linear[1], given.number("force"),
             resistance_of(more, "length", length_of(model, a, b), length_rate(model, a, b), free, 0.0));
}

void declare_torsion_spring(Model& model, const std::string& name, const GivenForce& given) {
  const Symbol& angle = given.measure;
  add_torsion_spring(
      model, name, angle,
      resistance_of(given, "angle", angle, rate_of(model, angle), given.number("free_angle"), given.number("torque")),
      given.measured_in != "m");
  // Files of other programs have numbers of linear springs, which are not to be found again in the law.
  const Vector &stiffness = given.list("stiffness"), &damping = given.list("damping");
  if (given.law || given.curve("spring_curve") || given.curve("damper_curve")) return;
  if (stiffness.size() > 1 || damping.size() > 1) return;
  const auto node = [&model](const Symbol& x) { return x.in(model.graph()); };
  const auto linear = [&node](const Vector& list) { return node(list.empty() ? Symbol(0.0) : list[0]); };
  model.record().linear_springs[name] = {node(angle), linear(stiffness), node(given.number("free_angle")),
                                         linear(damping), node(given.number("torque"))};
}

void declare_bump_stop(Model& model, const std::string& name, const GivenForce& given) {
  add_bump_stop(model, name, given.measure,
                {given.optional_number("lower"), given.optional_number("upper"), given.number("stiffness"),
                 given.number("damping"), given.optional_number("width")});
}

std::string fault_of_bump_stop(const Model& model, const GivenForce& given) {
  const Symbol *lower = given.optional_number("lower"), *upper = given.optional_number("upper");
  if (!lower && !upper) return "a limit is missing: lower, upper or both";
  if (!lower || !upper) return "";
  const std::vector<double> limits = present_values(model, {*lower, *upper});
  return limits[0] < limits[1] ? "" : "lower must be less than upper";
}

void declare_bushing(Model& model, const std::string& name, const GivenForce& given) {
  add_bushing(model, name, *given.a, *given.b, given.list("stiffness"), given.list("damping"));
}

std::vector<ForceKind> make_kinds() {
  std::vector<ForceKind> list;
  list.push_back(
      {.name = "spring",
       .ends = {.a = "one end", .b = "the other end"},
       .summary = "A spring, damper and actuator along the line between two places a and b. It pulls them together\n"
                  "with the sum of what its fields say, and pushes them apart where that is negative.",
       .fields = spring_fields({{"free_length", ForceValue::Number, "length without stretch", "m",
                                 "distance of the declared positions", Bound::NonNegative},
                                {"force", ForceValue::Number, "constant pull of the actuator", "N", "0"}},
                               false),
       .signals = {{"length", "m", "current length"},
                   {"rate", "m/s", "its rate"},
                   {"force", "N", "pull, of all parts"},
                   {"dissipation", "W", "power lost in the damper"},
                   {"power", "W", "of it on what it acts on, positive where it drives"}},
       .equations = "l = |r_b - r_a|, e = (r_b - r_a) / l, f = k (l - l0) + c l' + force; f e acts on a, -f e on b\n"
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
       .declare = declare_spring});
  list.push_back(
      {.name = "torsion_spring",
       .ends = {.a = "planar: one body",
                .b = "planar: the other body",
                .on = "a joint, or an angle or displacement",
                .unit = "rad or m",
                .signals = {"angle"}},
       .summary = "A spring, damper and actuator on an angle, against the growth of which it acts with the sum of\n"
                  "what its fields say. The angle is that of a joint (full turns count; positive where b turns\n"
                  "counter-clockwise against a, seen against the axis), any expression of positions, or in a planar\n"
                  "model that of body b less that of body a. On a displacement (on = slide.displacement) all is in\n"
                  "newtons and metres: stiffness in N/m, free_angle in m, damping in N s/m, torque in N.",
       .fields = spring_fields({{"free_angle", ForceValue::Number, "angle without stretch", "rad or m", "0"},
                                {"torque", ForceValue::Number, "constant part", "N m or N", "0"}},
                               true),
       .signals = {{"angle", "rad or m", "current angle"},
                   {"rate", "rad/s or m/s", "its rate"},
                   {"torque", "N m or N", "against the growth of the angle, of all parts"},
                   {"dissipation", "W", "power lost in the damper"},
                   {"power", "W", "of it on what it acts on, positive where it drives"}},
       .equations =
           "n = k (angle - free_angle) + c angle' + torque, Q = -angle_q^T n: -n on b, n on a, about the axis\n"
           "(Schaffer 2005, eq. 4.92). Lists, curves and the law are further terms of n.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0} }\n"
                  "m:torsion_spring { \"hinge\", m.ground, arm, stiffness = 20, damping = 0.1, free_angle = 0.3 }",
       .see_also = {"spring", "torque", "bump_stop", "spline"},
       .declare = declare_torsion_spring});
  list.push_back(
      {.name = "bump_stop",
       .ends = {.on = "an expression of positions, a spring, or a joint (its displacement or angle)",
                .unit = "m or rad",
                .signals = {"length", "displacement", "angle"}},
       .summary =
           "Stops a length, an angle or a displacement at a lower limit, an upper one, or both, by stiffness\n"
           "times penetration and, while in contact, damping times rate. With a width the contact begins\n"
           "smoothly. The damper works both ways: with much of it the stop also pulls while what it stopped moves\n"
           "away.",
       .fields =
           {{"lower", ForceValue::Number, "lower limit", "m or rad", "none"},
            {"upper", ForceValue::Number, "upper limit", "m or rad", "none"},
            {"stiffness", ForceValue::Number, "force per penetration", "N/m or N m/rad", {}, Bound::Positive, true},
            {"damping", ForceValue::Number, "force per rate, in contact", "N s/m or N m s/rad", "0",
             Bound::NonNegative},
            {"width", ForceValue::Number, "penetration over which the contact builds up", "m or rad", "none: sharp",
             Bound::Positive}},
       .signals = {{"force", "N or N m", "against growth: positive at the upper limit, negative at the lower"},
                   {"dissipation", "W", "power lost in the damper"},
                   {"power", "W", "of it on what it acts on, positive where it drives"}},
       .equations = "With the measure x: upper limit d = x - upper, force = k D(d) + c D'(d) x'; lower limit\n"
                    "d = lower - x, force = -k D(d) + c D'(d) x'. Q = -x_q^T force. D(d) = max(d, 0); with a width w\n"
                    "and u = d / w: D = w (u^3 - u^4 / 2) for 0 < d < w, D = d - w / 2 beyond.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0} }\n"
                  "m:bump_stop { on = arm.angle, lower = -1, upper = 1, stiffness = 500, damping = 2, width = 0.02 }",
       .see_also = {"spring", "torsion_spring", "bushing"},
       .declare = declare_bump_stop,
       .fault = fault_of_bump_stop});
  list.push_back(
      {.name = "bushing",
       .ends = {.a = "a body or a place on one", .b = "another one"},
       .summary = "Holds two places with axes (on bodies, or markers) together by stiffness and damping, in all\n"
                  "directions. The stretch is the displacement of b from a along the axes of a and the turning of b\n"
                  "against a: planar {x, y, angle}, spatial {x, y, z, rx, ry, rz}, where rx, ry, rz have the length\n"
                  "2 sin(angle / 2) along the axis of the turning, which must stay below half a turn.",
       .fields = {{"stiffness", ForceValue::Matrix, "K, symmetric", "N/m, N, N m/rad", {}, Bound::Finite, true},
                  {"damping", ForceValue::Matrix, "C", "N s/m, N s, N m s/rad", "0"}},
       .signals = {{"x", "m", "displacement of b from a along the axes of a", "y, z"},
                   {"angle", "rad", "turning of b against a", "", "planar"},
                   {"rx", "rad", "turning of b against a, along the axes of a", "ry, rz", "spatial"},
                   {"fx", "N", "force on b along the axes of a", "fy, fz"},
                   {"torque", "N m", "torque on b", "", "planar"},
                   {"tx", "N m", "torques that do work on rx, ry, rz", "ty, tz", "spatial"},
                   {"dissipation", "W", "power lost in the damping"}},
       .equations = "x = (A_a^T (r_b - r_a), turning), f = -(K x + C x') on b at b's place, the opposite on a at the\n"
                    "same point of space. In space turning = 2 e, with the Euler parameters (e0, e) of A_a^T A_b, and\n"
                    "the torque on b along the axes of a is e0 t + e cross t with t = (tx, ty, tz).",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:bushing { \"mount\", m.ground, arm:point { -0.5, 0 }, stiffness = {1e5, 1e5, 40},\n"
                  "            damping = {100, 100, 0.5} }",
       .see_also = {"spring", "bump_stop", "revolute"},
       .declare = declare_bushing});
  list.push_back(
      {.name = "one_way_clutch",
       .ends = {.on = "a joint, or an angle; the negative of one holds the other way round",
                .unit = "rad",
                .signals = {"angle"}},
       .summary =
           "An overrunning clutch on an angle: it holds against growth of the angle, by the stiffness and the\n"
           "damping of its rollers and shafts, and lets it fall freely. Adaptive integrators end steps where it\n"
           "engages and lets go, and gradients by the discrete methods follow these events.",
       .fields = {{"stiffness", ForceValue::Number, "of the engaged clutch", "N m/rad", {}, Bound::Positive, true},
                  {"damping", ForceValue::Number, "of the engaged clutch", "N m s/rad", {}, Bound::Positive, true}},
       .signals = {{"torque", "N m", "against the growth of the angle, never negative"},
                   {"wind_up", "rad", "by which the engaged clutch has given way"},
                   {"dissipation", "W", "power lost in the damping"}},
       .equations = "p = k s + c angle' with the winding s. p > 0: torque = p, s' = angle'. Else torque = 0 and\n"
                    "s' = -k s / c, so that both go over into each other without a jump; the event is engages.\n"
                    "Q = -angle_q^T torque; k s^2 / 2 is stored. In statics s = angle - its declared value.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local wheel = m:body { \"wheel\", mass = 2, inertia = 0.05, angular_velocity = -3 }\n"
                  "local axle = m:revolute { \"axle\", m.ground, wheel, at = {0, 0} }\n"
                  "m:torque { \"motor\", on = wheel, torque = 0.5 }\n"
                  "m:one_way_clutch { \"clutch\", on = axle, stiffness = 200, damping = 1 }",
       .see_also = {"torsion_spring", "bump_stop", "torque"},
       .declare = [](Model& model, const std::string& name, const GivenForce& given) {
         add_one_way_clutch(model, name, given.measure, given.number("stiffness"), given.number("damping"));
       }});
  return list;
}

}  // namespace

const std::vector<ForceKind>& force_kinds() {
  static const std::vector<ForceKind> kinds = make_kinds();
  return kinds;
}

const ForceKind* find_force_kind(std::string_view name) {
  const auto& all = force_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ForceKind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace perilune::model
