// SPDX-License-Identifier: MIT
// Drivers, couplings, knife edges, and constraints by law.
#include "model/joint/relations.hpp"
#include <algorithm>

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "model/joint/given_velocities.hpp"
#include "model/place/markers.hpp"
#include "model/signals.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

/// The signal of the joint in `field` that the coupling ties.
Symbol joint_signal(Args& args, lua_State* L, std::string_view field, const std::string& signal) {
  const int index = args.value(field);
  const Object* object = test_userdata<Object>(L, index);
  if (object) object->check_present();
  if (!object || object->model != args.model() || !has_signal(args.engine(), object->name + "." + signal)) {
    args.fail(std::string(field) + " must be a joint with " + (signal == "angle" ? "an angle" : "a displacement") +
              ", got " + described_value(L, index));
  }
  const expr::NodeId node = args.engine().signal(object->name + "." + signal);
  lua_settop(L, index - 1);
  return {args.engine().graph(), node};
}

int driver(lua_State* L) {
  Args args(L);
  expr::Graph& graph = args.engine().graph();
  args.name();
  const expr::NodeId what = read_expression(args, L, "what", false);
  const bool of_speed = args.given("velocity");
  if (of_speed && args.given("law")) {
    args.fail("law and velocity cannot both be given: a driver prescribes a position or its rate");
  }
  if (!of_speed && !args.given("law")) args.fail_missing("law");
  const expr::NodeId law = read_expression(args, L, of_speed ? "velocity" : "law", false);
  if (of_speed) {
    add_speed_driver(args.engine(), args.name(), {graph, what}, {graph, law});
  } else {
    add_driver(args.engine(), args.name(), {graph, what}, {graph, law});
  }
  args.finish();
  return 1;
}

int knife_edge(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const model::Place a = args.place("a"), b = args.place("b");
  model::Vector axis(static_cast<size_t>(engine.dimension()), 0.0);
  axis[0] = 1.0;
  if (args.given("axis")) {
    axis = args.axis("axis");
    if (has_directions(b)) axis = to_local_direction(engine, b, axis);
  } else if (has_directions(b)) {
    axis = local_axis(engine, b, 0);
  }
  add_knife_edge(engine, args.name(), a, b, axis);
  args.finish();
  return 1;
}

int constraint(lua_State* L) {
  Args args(L);
  args.name();
  const bool of_velocities = args.given("velocity");
  if (of_velocities && args.given("law")) {
    args.fail("law and velocity cannot both be given: a constraint is on positions or on velocities");
  }
  if (!of_velocities && !args.given("law")) args.fail_missing("law");
  const expr::NodeId law = read_expression(args, L, of_velocities ? "velocity" : "law", false);
  const Symbol value{args.engine().graph(), law};
  if (of_velocities) {
    add_velocity_constraint(args.engine(), args.name(), value);
  } else {
    add_constraint(args.engine(), args.name(), value);
  }
  args.finish();
  return 1;
}

const model::Connection* connection_of(const model::Model& engine, const std::string& name) {
  for (const model::Connection& each : engine.record().connections) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

/// Whether welds hold both to one another, or they are on the same body.
bool move_together(const model::Model& engine, const model::Place& a, const model::Place& b) {
  std::vector<const model::Place*> reached{&a};
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (is_same_object(*reached[k], b)) return true;
    for (const model::Connection& each : engine.record().connections) {
      if (each.kind != "weld") continue;
      const bool first = is_same_object(each.a, *reached[k]);
      if (!first && !is_same_object(each.b, *reached[k])) continue;
      const model::Place& other = first ? each.b : each.a;
      if (std::ranges::none_of(reached, [&](const auto* known) { return is_same_object(*known, other); })) {
        reached.push_back(&other);
      }
    }
  }
  return false;
}

/// Two wheels roll on one another as their ratio says only where both turn on the same body. That one may be either end
/// of a joint: the arm that turns about a fixed sun and carries the planet does.
void warn_of_carriers(Args& args, lua_State* L, const std::string& joint_a, const std::string& joint_b) {
  const model::Connection *a = connection_of(args.engine(), joint_a), *b = connection_of(args.engine(), joint_b);
  if (!a || !b) return;
  for (const model::Place* of_a : {&a->a, &a->b}) {
    for (const model::Place* of_b : {&b->a, &b->b}) {
      if (move_together(args.engine(), *of_a, *of_b)) return;
    }
  }
  const auto title = [](const model::Place& place) {
    return place.kind == model::Place::Kind::Ground ? std::string("the ground") : "\"" + place.name + "\"";
  };
  print_warnings(L, {std::string(args.constructor().object) + " \"" + args.name() + "\": \"" + joint_a +
                     "\" turns on " + title(a->a) + ", \"" + joint_b + "\" on " + title(b->a) +
                     ": the angles that the ratio ties are against different carriers, which is no pair of wheels; "
                     "hinge both on one carrier, or write an m:constraint"});
}

/// The joint in `field` by name.
std::string joint_name(Args& args, lua_State* L, std::string_view field) {
  const int index = args.value(field);
  std::string name = test_userdata<Object>(L, index)->name;
  lua_settop(L, index - 1);
  return name;
}

int gear(lua_State* L) {
  Args args(L);
  const Symbol a = joint_signal(args, L, "a", "angle"), b = joint_signal(args, L, "b", "angle");
  add_coupling(args.engine(), args.name(), a, b, args.number("ratio"));
  warn_of_carriers(args, L, joint_name(args, L, "a"), joint_name(args, L, "b"));
  args.finish();
  return 1;
}

int rack_and_pinion(lua_State* L) {
  Args args(L);
  const Symbol pinion = joint_signal(args, L, "pinion", "angle"), rack = joint_signal(args, L, "rack", "displacement");
  add_coupling(args.engine(), args.name(), pinion, rack, args.number("radius"));
  args.finish();
  return 1;
}

int belt(lua_State* L) {
  Args args(L);
  const Symbol a = joint_signal(args, L, "a", "angle"), b = joint_signal(args, L, "b", "angle");
  const Symbol radius_a = args.number("radius_a"), radius_b = args.number("radius_b");
  const Symbol ratio = radius_a / radius_b;
  add_coupling(args.engine(), args.name(), a, b, args.boolean("crossed") ? -ratio : ratio);
  warn_of_carriers(args, L, joint_name(args, L, "a"), joint_name(args, L, "b"));
  args.finish();
  return 1;
}

#define TWO_SHAFTS                                                                               \
  "local mbs = require \"perilune\"\n"                                                           \
  "local m = mbs.model { gravity = {0, 0} }\n"                                                   \
  "local one = m:body { \"one\", mass = 1, inertia = 0.1, at = {0, 0}, angular_velocity = 3 }\n" \
  "local two = m:body { \"two\", mass = 1, inertia = 0.4, at = {0.3, 0} }\n"                     \
  "local j1 = m:revolute { \"j1\", m.ground, one, at = {0, 0} }\n"                               \
  "local j2 = m:revolute { \"j2\", m.ground, two, at = {0.3, 0} }\n"

constexpr SignalText multiplier(std::string_view unit, std::string_view text) { return {"lambda", unit, text}; }
constexpr SignalText gear_multiplier =
    multiplier("N m", "multiplier: the coupling's torque on b is -lambda, on a ratio times lambda");

}  // namespace

std::span<const Constructor> relation_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:driver",
       .object = "driver",
       .summary =
           "Prescribes a joint's angle or displacement, a distance, or any expression of coordinates as a law of\n"
           "time: a motor that follows exactly. The law is a function of the state that reads only s.t and\n"
           "parameters; its time derivatives are exact. It must fit the declared position, or assembly moves that.\n"
           "Where its velocity jumps, a run ends: that would take an infinite force. With velocity instead of law it\n"
           "prescribes the rate alone, and the position is free as it begins: a constraint on velocities.",
       .naming = Naming::Optional,
       .positional = {{.name = "what",
                       .type = Type::Integrand,
                       .text = "what is prescribed, such as hinge.angle",
                       .unit = "m or rad",
                       .required = true}},
       .fields = {{.name = "law", .type = Type::Integrand, .text = "its value at time s.t", .unit = "m or rad"},
                  {.name = "velocity",
                   .type = Type::Integrand,
                   .text = "instead: its rate at time s.t",
                   .unit = "m/s or rad/s"}},
       .signals = {{"force", "N or N m", "of the drive, positive where it pushes towards growth of what is prescribed"},
                   {"power", "W", "of the drive, positive where it drives: force times the rate"},
                   {"lambda", "N or N m", "multiplier: the force reversed"}},
       .equations =
           "what(q) - law(t) = 0, what_q v = law', what_q a = law'' - (what_q v)_q v\n"
           "(Schaffer 2005, eqs. 4.16, 4.18 and 4.19 with Phi_t = -law'); with velocity what_q v = velocity(t)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local crank = m:body { \"crank\", mass = 1, inertia = 0.1, at = {0.1, 0} }\n"
                  "local hinge = m:revolute { \"hinge\", m.ground, crank, at = {0, 0} }\n"
                  "m:driver { \"motor\", hinge.angle, law = function(s) return 2 * s.t + 0.1 * math.sin(s.t) end }",
       .see_also = {"constraint", "revolute", "translational"},
       .function = guarded<driver>},
      {.name = "model:constraint",
       .object = "constraint",
       .summary = "Your own constraint: an expression of positions, time and parameters that stays zero, or one of\n"
                  "velocities, too, linear in these (nonholonomic): a knife edge, a wheel that rolls, a given speed.",
       .naming = Naming::Optional,
       .fields =
           {{.name = "law", .type = Type::Integrand, .text = "what stays zero, such as a length in m", .unit = "yours"},
            {.name = "velocity",
             .type = Type::Integrand,
             .text = "instead: what stays zero, linear in velocities, such as a speed in m/s",
             .unit = "yours"}},
       .signals = {{"lambda", "N",
                    "multiplier, in N m per unit of the law: N for a length or speed, N m for an angle"}},
       .equations = "Phi(q, t) = 0; it pushes with -Phi_q^T lambda. The derivatives are exact.\n"
                    "Psi = A(q, t) v - b(q, t) = 0; it pushes with -A^T lambda, and does not pull positions back.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local bead = m:point { \"bead\", at = {1, 1}, mass = 1 }\n"
                  "m:constraint { \"parabola\", law = function(s) return bead.y(s) - bead.x(s)^2 end }\n"
                  "local sled = m:body { \"sled\", mass = 1, inertia = 0.1, at = {0, 2} }\n"
                  "m:constraint { \"edge\", velocity = function(s)\n"
                  "  return sled.vy(s) * math.cos(sled.angle(s)) - sled.vx(s) * math.sin(sled.angle(s))\n"
                  "end }",
       .see_also = {"rolling", "knife_edge", "driver", "dot1", "dot2", "gear"},
       .function = guarded<constraint>},
      {.name = "model:knife_edge",
       .object = "knife_edge",
       .summary =
           "A knife edge of b, as of a skate or a sled: its place does not move sideways against what a carries\n"
           "there, and is free along the edge and to turn (nonholonomic). In space the sides are those of the\n"
           "plane normal to the z axis of a, in which it has to be held by something else.",
       .naming = Naming::Optional,
       .positional =
           {{.name = "a", .type = Type::Place, .text = "what it runs on", .required = true},
            {.name = "b", .type = Type::Place, .text = "a body, or the place of the edge on it", .required = true}},
       .fields = {{.name = "axis",
                   .type = Type::Axis,
                   .text = "direction of the edge in space as declared, forward",
                   .fallback = "x axis of b"}},
       .signals = {{"lateral_force", "N", "of a on b, to the left of the edge"},
                   {"speed", "m/s", "of the place along the edge, against a"},
                   {"lambda", "N", "multiplier: the lateral force reversed"}},
       .equations =
           "With the edge u and the normal n of the plane: (n x u).(v_b - v_a) / |n x u| = 0, v_a of the point\n"
           "of a that is there.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local sled = m:body { \"sled\", mass = 2, inertia = 0.3, at = {0, 0}, velocity = {1, 0.8},\n"
                  "                      angular_velocity = 2 }\n"
                  "m:knife_edge { \"edge\", m.ground, sled:point { -0.4, 0 } }\n"
                  "print(m:simulate { t = 1 }:at(\"edge.lateral_force\", 1))",
       .see_also = {"rolling", "constraint", "driver"},
       .function = guarded<knife_edge>},
      {.name = "model:gear",
       .object = "gear",
       .summary =
           "A pair of gears: from the declared position joint b turns by the ratio times what joint a turns. The\n"
           "ratio of two outer gears on the same side of their carrier is negative: -teeth_a / teeth_b.",
       .naming = Naming::Optional,
       .positional = {{.name = "a", .type = Type::Joint, .text = "joint of the driving gear", .required = true},
                      {.name = "b", .type = Type::Joint, .text = "joint of the driven gear", .required = true}},
       .fields = {{.name = "ratio", .text = "angle of b per angle of a", .unit = unitless, .required = true}},
       .signals = {gear_multiplier},
       .equations =
           "angle_b - ratio angle_a = constant. The joints' angles count full turns. Both are against\n"
           "one carrier, a body that the two joints have in common: hinge sun, planet and ring on the arm, so\n"
           "that planetary gears are two gear pairs.",
       .example = TWO_SHAFTS "m:gear { \"pair\", j1, j2, ratio = -20 / 40 }",
       .see_also = {"belt", "rack_and_pinion", "screw", "revolute"},
       .function = guarded<gear>},
      {.name = "model:rack_and_pinion",
       .object = "rack_and_pinion",
       .summary = "From the declared position the displacement of the rack's joint grows by the pinion's radius times\n"
                  "the growth of the angle of its joint. A negative radius reverses the direction.",
       .naming = Naming::Optional,
       .positional = {{.name = "pinion", .type = Type::Joint, .text = "joint with an angle", .required = true},
                      {.name = "rack", .type = Type::Joint, .text = "joint with a displacement", .required = true}},
       .fields = {{.name = "radius", .text = "pitch radius of the pinion", .unit = "m", .required = true}},
       .signals = {multiplier("N", "multiplier: force on the rack -lambda, torque on the pinion radius times lambda")},
       .equations = "displacement - radius angle = constant",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local pinion = m:body { \"pinion\", mass = 1, inertia = 0.1, at = {0, 0.05} }\n"
                  "local rack = m:body { \"rack\", mass = 2, inertia = 0.1, at = {0, 0} }\n"
                  "local turn = m:revolute { \"turn\", m.ground, pinion, at = {0, 0.05} }\n"
                  "local slide = m:translational { \"slide\", m.ground, rack, at = {0, 0}, axis = \"x\" }\n"
                  "m:rack_and_pinion { turn, slide, radius = 0.05 }",
       .see_also = {"gear", "screw", "translational"},
       .function = guarded<rack_and_pinion>},
      {.name = "model:belt",
       .object = "belt",
       .summary =
           "A belt or chain without slip between two pulleys: what runs onto one runs off the other, so that both\n"
           "turn in the same direction unless the belt is crossed.",
       .naming = Naming::Optional,
       .positional = {{.name = "a", .type = Type::Joint, .text = "joint of one pulley", .required = true},
                      {.name = "b", .type = Type::Joint, .text = "joint of the other", .required = true}},
       .fields = {{.name = "radius_a", .text = "of pulley a", .unit = "m", .range = Range::Positive, .required = true},
                  {.name = "radius_b", .text = "of pulley b", .unit = "m", .range = Range::Positive, .required = true},
                  {.name = "crossed",
                   .type = Type::Boolean,
                   .text = "a crossed belt turns them in opposite directions",
                   .fallback = "false"}},
       .signals = {gear_multiplier},
       .equations = "angle_b - ratio angle_a = constant with ratio = radius_a / radius_b, negative for a crossed belt",
       .example = TWO_SHAFTS "m:belt { \"drive\", j1, j2, radius_a = 0.05, radius_b = 0.15 }",
       .see_also = {"gear", "revolute"},
       .function = guarded<belt>},
  };
  return constructors;
}

}  // namespace perilune::lua
