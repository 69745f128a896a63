// SPDX-License-Identifier: MIT
// Joints: constraints between two bodies, markers, places or points.
#include <deque>

#include "base/guard.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "objects/attach.hpp"
#include "objects/joint_friction.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Place;
using model::Vector;

int distance(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  const std::optional<Symbol> length = args.optional_number("length");
  add_distance(args.engine(), args.name(), a, b, length ? &*length : nullptr);
  args.finish();
  return 1;
}

int coincidence(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  add_coincidence(args.engine(), args.name(), a, b);
  args.finish();
  return 1;
}

int joint(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const std::string kind(args.constructor().object);
  const auto& found = model::find_joint_kind(kind)->recipe(engine.dimension());
  if (!found) args.fail(model::no_such_joint(engine.dimension()));
  const model::JointRecipe& recipe = *found;
  if (!recipe.ends.axis_a && args.constructor().find("axis") && args.given("axis")) {
    args.fail("axis is for spatial models; in the plane a joint turns about z");
  }
  const auto [a, b] = read_ends(args, recipe.ends);
  std::optional<Symbol> lead;
  if (recipe.thread) lead = args.number("lead");
  const auto friction = read_friction(L, args, *model::find_joint_kind(kind), a, b);
  add_joint(engine, kind, args.name(), a, b, lead ? &*lead : nullptr);
  if (friction) add_joint_friction(engine, kind, args.name(), a, b, *friction, lead ? &*lead : nullptr);
  args.finish();
  return 1;
}

int dot1(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  if (engine.dimension() == 2) args.fail("directions of bodies are for spatial models; in the plane use their angles");
  const auto [a, b] = read_ends(args, {.position = false, .axis_a = true, .axis_b = true, .own_axis_b = true});
  const Vector u = initial_axis(engine, a, 2), v = initial_axis(engine, b, 2);
  const Symbol declared = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const std::optional<Symbol> cosine = args.optional_number("cosine");
  add_dot1(engine, args.name(), a, local_axis(engine, a, 2), b, local_axis(engine, b, 2), cosine.value_or(declared));
  args.finish();
  return 1;
}

int dot2(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Object &first = args.object("a"), &second = args.object("b");
  const Place &a = *first.place, &b = *second.place;
  const int normal = engine.dimension() == 2 ? 0 : 2;
  if (!has_directions(a)) args.fail(first.title() + " has no axis; use a body, or exchange the two");
  if (!a.axes.empty() && args.given("axis")) {
    args.fail("axis is given, but " + first.title() + " has an axis of its own; leave 'axis' out");
  }
  const Vector axis = a.axes.empty() ? args.axis("axis") : initial_axis(engine, a, normal);
  Symbol square = 0.0, declared = 0.0;
  for (const Symbol& component : axis) square += component * component;
  Vector unit;
  for (const Symbol& component : axis) unit.push_back(component / sqrt(square));
  const Vector from = initial_position(engine, a), to = initial_position(engine, b);
  for (size_t k = 0; k < unit.size(); ++k) declared += unit[k] * (to[k] - from[k]);
  const std::optional<Symbol> distance = args.optional_number("distance");
  add_dot2(engine, args.name(), a, to_local_direction(engine, a, unit), b, distance.value_or(declared));
  args.finish();
  return 1;
}

std::vector<Field> two_places() {
  return {{.name = "a", .type = Type::Place, .text = "one place", .required = true},
          {.name = "b", .type = Type::Place, .text = "the other place", .required = true}};
}

std::vector<Field> two_ends() {
  return {{.name = "a", .type = Type::Place, .text = "a body, m.ground, or a place or marker on one", .required = true},
          {.name = "b", .type = Type::Place, .text = "the same, on another body", .required = true}};
}

Field at_field() {
  return {.name = "at",
          .type = Type::Vector,
          .text = "position of the joint in space as declared, for two bodies",
          .unit = "m",
          .fallback = "that of the place"};
}

Field axis_field(std::string_view text) {
  return {.name = "axis", .type = Type::Axis, .text = text, .fallback = "z axis of the markers"};
}

using Signals = std::vector<SignalText>;

// A joint's own signals, the reaction, and its multipliers; of joints that exist in both dimensions, or in space only.
enum class Exists { Everywhere, InSpace };

Signals with_reaction(std::initializer_list<Signals> own, const Signals& multipliers, Exists exists = Exists::InSpace) {
  const bool everywhere = exists == Exists::Everywhere;
  Signals all;
  for (const Signals& part : own) all.insert(all.end(), part.begin(), part.end());
  all.push_back(
      {"force_x", "N",
       "force of the joint on b, at b's place, along the joint's axes, which turn with a: z (in the plane x) is "
       "along axis; without axis they are those of space as declared",
       "force_y, force_z"});
  all.push_back({"torque_x", "N m", "torque of the joint on b, along the same axes", "torque_y, torque_z",
                 everywhere ? "spatial" : ""});
  if (everywhere) all.push_back({"torque", "N m", "torque of the joint on b", "", "planar"});
  all.insert(all.end(), multipliers.begin(), multipliers.end());
  return all;
}

const Signals angle{{"angle", "rad", "turn of b's x axis from a's about the axis, full turns counted"},
                    {"omega", "rad/s", "its rate"}};
const Signals displacement{
    {"displacement", "m", "of b's place from a's along the axis; 0 as declared for whole bodies"},
    {"speed", "m/s", "its rate"}};

// What can be read of a joint follows from its recipe; multipliers in the order of the equations.
Signals signals_of(const model::JointKind& kind) {
  static constexpr std::string_view more_axes[] = {"", "lambda_axis2", "lambda_axis2, lambda_axis3"};
  const bool in_plane = kind.planar.has_value();
  const std::string_view in_space = in_plane ? "spatial" : "";
  const model::JointRecipe& r = kind.spatial ? *kind.spatial : *kind.planar;
  Signals multipliers;
  if (!kind.relation.text.empty()) multipliers.push_back({"lambda", kind.relation.unit, kind.relation.text});
  if (r.coincidence) {
    multipliers.push_back(
        {"lambda_x", "N", "multipliers of the coincidence, along the axes of space", "lambda_y, lambda_z"});
  }
  if (!r.dot2.empty()) {
    const bool both = r.dot2.size() == 2;
    multipliers.push_back({"lambda_slide1", "N", "multiplier of dot-2", both && !in_plane ? "lambda_slide2" : ""});
    if (both && in_plane) {
      multipliers.push_back({"lambda_slide2", "N", "multiplier of the second dot-2", "", "spatial"});
    }
  }
  if (!r.dot1.empty()) {
    multipliers.push_back({"lambda_axis1", "N m", "multiplier of dot-1", more_axes[r.dot1.size() - 1], in_space});
  }
  if (kind.planar && kind.planar->equal_angle) {
    multipliers.push_back({"lambda_angle", "N m", "multiplier of the equal angles", "", "planar"});
  }
  if (r.angle) {
    multipliers.push_back({"lambda_turn", "N m", "ties the counted angle: torque of what acts on it", "", "spatial"});
  }
  return with_reaction({r.angle ? angle : Signals{}, r.displacement ? displacement : Signals{}}, multipliers,
                       in_plane ? Exists::Everywhere : Exists::InSpace);
}

std::string equations_of(const model::JointKind& kind) {
  if (kind.rub == model::Rub::Nowhere) return kind.equations;
  return kind.equations + "\nThe load of friction, by the joint's own reaction (docs/theory/friction.md):\n" +
         std::string(load_text(kind.rub));
}

Constructor joint_entry(const model::JointKind& kind) {
  static std::deque<std::string> names, equations;  // which entries refer to
  Constructor entry{.name = names.emplace_back("model:" + std::string(kind.name)),
                    .object = kind.name,
                    .summary = kind.summary,
                    .naming = Naming::Optional,
                    .positional = two_ends(),
                    .signals = signals_of(kind),
                    .equations = equations.emplace_back(equations_of(kind)),
                    .example = kind.example,
                    .see_also = kind.see_also,
                    .function = guarded<joint>};
  const model::JointRecipe& recipe = kind.spatial ? *kind.spatial : *kind.planar;
  if (recipe.ends.position) entry.fields.push_back(at_field());
  if (!kind.axis.text.empty()) {
    entry.fields.push_back(
        {.name = "axis", .type = Type::Axis, .text = kind.axis.text, .fallback = kind.axis.fallback});
  }
  if (!kind.axis_b.text.empty()) {
    entry.fields.push_back(
        {.name = "axis_b", .type = Type::Axis, .text = kind.axis_b.text, .fallback = kind.axis_b.fallback});
  }
  if (recipe.thread) {
    entry.fields.push_back({.name = "lead", .text = "advance per turn", .unit = "m", .required = true});
  }
  for (const Field& field : friction_fields(kind)) entry.fields.push_back(field);
  for (const SignalText& signal : friction_signal_texts(kind)) entry.signals.push_back(signal);
  return entry;
}

#define SPATIAL                                       \
  "local mbs = require \"perilune\"\n"                \
  "local m = mbs.model { gravity = {0, 0, -9.81} }\n" \
  "local arm = m:body { \"arm\", mass = 2, inertia = {0.01, 0.17, 0.17}, at = {0.5, 0, 0} }\n"

std::vector<Constructor> make_constructors() {
  std::vector<Constructor> list;
  list.push_back({.name = "model:distance",
                  .object = "distance",
                  .summary = "Keeps two places at a constant distance: a massless rod with ball joints.",
                  .naming = Naming::Optional,
                  .positional = two_places(),
                  .fields = {{.name = "length",
                              .text = "the distance",
                              .unit = "m",
                              .fallback = "distance of the declared positions",
                              .range = Range::Positive}},
                  .signals = {{"length", "m", "current distance"},
                              {"rate", "m/s", "its rate, zero but for drift"},
                              {"force", "N", "tension: pulls the ends together where positive"},
                              {"lambda", "N/m", "multiplier; the tension is 2 lambda length"}},
                  .equations = "|r_b - r_a|^2 - L^2 = 0 (Schaffer 2005, eq. 4.73)",
                  .example = "local mbs = require \"perilune\"\n"
                             "local m = mbs.model { gravity = {0, -9.81} }\n"
                             "local A = m:ground { at = {0, 0} }\n"
                             "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                             "m:distance { A, P }",
                  .see_also = {"bar", "spring", "coincidence"},
                  .function = guarded<distance>});
  list.push_back(
      {.name = "model:coincidence",
       .object = "coincidence",
       .summary = "Keeps two places together: a revolute joint in the plane, a ball joint in space.",
       .naming = Naming::Optional,
       .positional = two_places(),
       .signals = {{"lambda_x", "N", "multipliers, along the axes of space; spherical and revolute have reactions too",
                    "lambda_y, lambda_z"}},
       .equations = "r_b - r_a = 0 (Schaffer 2005, eq. 4.38)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:coincidence { m:ground { at = {0, 0} }, arm:point { -0.5, 0 } }",
       .see_also = {"spherical", "revolute"},
       .function = guarded<coincidence>});
  for (const model::JointKind& kind : model::joint_kinds()) list.push_back(joint_entry(kind));
  list.push_back(
      {.name = "model:dot1",
       .object = "dot1",
       .summary = "The angle between a direction of a and a direction of b is constant (spatial).",
       .naming = Naming::Optional,
       .positional = two_ends(),
       .fields = {axis_field("direction of a in space at the start"),
                  {.name = "axis_b", .type = Type::Axis, .text = "direction of b", .fallback = "z axis of marker b"},
                  {.name = "cosine",
                   .text = "cosine of the angle",
                   .unit = unitless,
                   .fallback = "that of the declared pose"}},
       .signals = with_reaction({}, {{"lambda", "N m", "multiplier"}}),
       .equations = "f.g - c = 0 for unit vectors f of a and g of b (Schaffer 2005, eq. 4.46, there with c = 0)",
       .example = SPATIAL "m:dot1 { \"tilt\", m.ground, arm, axis = \"z\", axis_b = \"x\", cosine = 0.1 }",
       .see_also = {"dot2", "perpendicular_axes"},
       .function = guarded<dot1>});
  list.push_back(
      {.name = "model:dot2",
       .object = "dot2",
       .summary = "The component of the vector from a to b along a direction that turns with a is constant.",
       .naming = Naming::Optional,
       .positional = two_places(),
       .fields =
           {{.name = "axis",
             .type = Type::Axis,
             .text = "direction of a in space at the start",
             .fallback = "axis of marker a; x in the plane"},
            {.name = "distance", .text = "the component", .unit = "m", .fallback = "that of the declared positions"}},
       .signals =
           with_reaction({}, {{"lambda", "N", "multiplier; the force on b is its opposite, along the direction"}},
                         Exists::Everywhere),
       .equations = "f.(r_b - r_a) - c = 0 for a unit vector f of a (Schaffer 2005, eq. 4.58, there with c = 0)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {1, 2}, mass = 1 }\n"
                  "m:dot2 { \"shelf\", m:ground { at = {0, 0} }, P, axis = \"y\" }",
       .see_also = {"dot1", "point_on_plane", "point_on_line"},
       .function = guarded<dot2>});
  return list;
}

}  // namespace

std::span<const Constructor> joint_constructors() {
  static const std::vector<Constructor> constructors = make_constructors();
  return constructors;
}

}  // namespace perilune::lua
