// SPDX-License-Identifier: MIT
// Joints: constraints between two bodies, markers, places or points.
#include "attach.hpp"
#include "guard.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Place;
using model::Vector;

int distance(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  const std::optional<Symbol> length = args.optional_number("length");
  args.engine().add_distance(args.name(), a, b, length ? &*length : nullptr);
  args.finish();
  return 1;
}

int coincidence(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  args.engine().add_coincidence(args.name(), a, b);
  args.finish();
  return 1;
}

EndNeeds needs_of(std::string_view kind, int dimension) {
  const bool spatial = dimension == 3;
  if (kind == "spherical") return {};
  if (kind == "weld") return {.axis_a = true, .axis_b = true, .any_direction = true};
  if (kind == "revolute") return {.axis_a = spatial, .axis_b = spatial};
  if (kind == "universal") return {.axis_a = true, .axis_b = true, .own_axis_b = true};
  if (kind == "perpendicular_axes") return {.position = false, .axis_a = true, .axis_b = true, .own_axis_b = true};
  if (kind == "parallel_axes") return {.position = false, .axis_a = true, .axis_b = true};
  if (kind == "point_on_line" || kind == "point_on_plane") return {.axis_a = true};
  return {.axis_a = true, .axis_b = true};
}

int joint(lua_State* L) {
  Args args(L);
  const std::string kind(args.constructor().object);
  if (args.engine().dimension() == 2 && kind == "revolute" && args.given("axis")) {
    args.fail("axis is for spatial models; in the plane a joint turns about z");
  }
  const auto [a, b] = read_ends(args, needs_of(kind, args.engine().dimension()));
  args.engine().add_joint(kind, args.name(), a, b);
  args.finish();
  return 1;
}

int screw(lua_State* L) {
  Args args(L);
  const auto [a, b] = read_ends(args, {.axis_a = true, .axis_b = true});
  const Symbol lead = args.number("lead");
  args.engine().add_screw(args.name(), a, b, lead);
  args.finish();
  return 1;
}

int dot1(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  if (engine.dimension() == 2) args.fail("directions of bodies are for spatial models; in the plane use their angles");
  const auto [a, b] = read_ends(args, {.position = false, .axis_a = true, .axis_b = true, .own_axis_b = true});
  const Vector u = engine.initial_axis(a, 2), v = engine.initial_axis(b, 2);
  const Symbol declared = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const std::optional<Symbol> cosine = args.optional_number("cosine");
  engine.add_dot1(args.name(), a, engine.local_axis(a, 2), b, engine.local_axis(b, 2), cosine.value_or(declared));
  args.finish();
  return 1;
}

int dot2(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Object &first = args.object("a"), &second = args.object("b");
  const Place &a = *first.place, &b = *second.place;
  const int normal = engine.dimension() == 2 ? 0 : 2;
  if (a.kind == Place::Kind::Point) args.fail(first.title() + " has no axis; use a body, or exchange the two");
  if (!a.axes.empty() && args.given("axis")) {
    args.fail("axis is given, but " + first.title() + " has an axis of its own; leave 'axis' out");
  }
  const Vector axis = a.axes.empty() ? args.axis("axis") : engine.initial_axis(a, normal);
  Symbol square = 0.0, declared = 0.0;
  for (const Symbol& component : axis) square += component * component;
  Vector unit;
  for (const Symbol& component : axis) unit.push_back(component / sqrt(square));
  const Vector from = engine.initial_position(a), to = engine.initial_position(b);
  for (size_t k = 0; k < unit.size(); ++k) declared += unit[k] * (to[k] - from[k]);
  const std::optional<Symbol> distance = args.optional_number("distance");
  engine.add_dot2(args.name(), a, engine.to_local_direction(a, unit), b, distance.value_or(declared));
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

Signals with_reaction(std::initializer_list<Signals> own, std::initializer_list<SignalText> multipliers,
                      Exists exists = Exists::InSpace) {
  const bool everywhere = exists == Exists::Everywhere;
  Signals all;
  for (const Signals& part : own) all.insert(all.end(), part.begin(), part.end());
  all.push_back({"force_x", "N", "force of the joint on b, at b's place, along a's axes", "force_y, force_z"});
  all.push_back({"torque_x", "N m", "torque of the joint on b, along a's axes", "torque_y, torque_z",
                 everywhere ? "spatial" : ""});
  if (everywhere) all.push_back({"torque", "N m", "torque of the joint on b", "", "planar"});
  all.insert(all.end(), multipliers.begin(), multipliers.end());
  return all;
}

const Signals angle{{"angle", "rad", "turn of b's x axis from a's about the axis, full turns counted"},
                    {"omega", "rad/s", "its rate"}};
const Signals displacement{{"displacement", "m", "of b's place from a's along the axis"}, {"speed", "m/s", "its rate"}};

// Multipliers of the elementary constraints, in the order of the equations.
constexpr SignalText of_coincidence{"lambda_x", "N", "multipliers of the coincidence", "lambda_y, lambda_z"};
constexpr SignalText of_angle{"lambda_angle", "N m", "multiplier of the equal angles", "", "planar"};
constexpr SignalText of_turn{"lambda_turn", "N m", "ties the counted angle: torque of what acts on it", "", "spatial"};
constexpr SignalText of_axes(std::string_view others, std::string_view when = {}) {
  return {"lambda_axis1", "N m", "multiplier of dot-1", others, when};
}
constexpr SignalText of_slides(std::string_view others = {}) {
  return {"lambda_slide1", "N", "multiplier of dot-2", others};
}
constexpr SignalText of_second_slide{"lambda_slide2", "N", "multiplier of the second dot-2", "", "spatial"};

constexpr std::string_view elementary =
    "Elementary constraints (Schaffer 2005, eqs. 4.38, 4.46 and 4.58): coincidence r_b - r_a = 0, dot-1\n"
    "f.g = 0 for an axis f of a and g of b, dot-2 f.(r_b - r_a) = 0. Here: ";

Constructor joint_entry(std::string_view name, std::string_view object, std::string_view summary,
                        std::vector<Field> fields, Signals signals, std::string_view equations,
                        std::string_view example, std::vector<std::string_view> see_also) {
  return {.name = name,
          .object = object,
          .summary = summary,
          .naming = Naming::Optional,
          .positional = two_ends(),
          .fields = std::move(fields),
          .signals = std::move(signals),
          .equations = equations,
          .example = example,
          .see_also = std::move(see_also),
          .function = guarded<joint>};
}

#define SPATIAL                                       \
  "local mbs = require \"perilune\"\n"                \
  "local m = mbs.model { gravity = {0, 0, -9.81} }\n" \
  "local arm = m:body { \"arm\", mass = 2, inertia = {0.01, 0.17, 0.17}, at = {0.5, 0, 0} }\n"

std::vector<Constructor> make_constructors() {
  static const std::string theory[] = {
      std::string(elementary) + "coincidence, and z_b normal to x_a and y_a. In the plane: coincidence.",
      std::string(elementary) +
          "dot-2 with x_a and y_a, z_b normal to x_a and y_a, x_b normal to y_a. In the plane: "
          "dot-2 with y_a, and equal angles.",
      std::string(elementary) + "dot-2 with x_a and y_a, z_b normal to x_a and y_a.",
      std::string(elementary) +
          "coincidence, z_b normal to x_a and y_a, x_b normal to y_a. In the plane: coincidence "
          "and equal angles.",
      std::string(elementary) + "coincidence, and z_a normal to z_b.",
      std::string(elementary) + "dot-2 with z_a, and z_b normal to x_a and y_a.",
      std::string(elementary) + "dot-2 with x_a and y_a. In the plane: dot-2 with y_a.",
      std::string(elementary) + "dot-2 with z_a.",
      std::string(elementary) + "z_b normal to x_a and y_a.",
      std::string(elementary) + "z_a normal to z_b.",
      std::string(elementary) + "coincidence."};
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
  list.push_back(joint_entry(
      "model:revolute", "revolute",
      "A hinge between two bodies, at a position of space where both are in the declared configuration;\n"
      "or between two places or markers on them; or at a given place of one of them. b turns against a\n"
      "about the axis, counter-clockwise seen against it; in the plane about z. A whole body takes over the\n"
      "axes of the other end as declared, so that angle is 0 there, however the body is turned; a place or a\n"
      "marker keeps its own axes, and between two of them angle is what is declared.",
      {at_field(), axis_field("direction in space at the start (spatial models)")},
      with_reaction({angle}, {of_coincidence, of_axes("lambda_axis2", "spatial"), of_turn}, Exists::Everywhere),
      theory[0],
      SPATIAL
      "m:revolute { \"pivot\", m.ground, arm, at = {0, 0, 0}, axis = \"y\" }\n"
      "print(m:signal \"pivot.angle\", m:signal \"pivot.force_z\")",
      {"marker", "spherical", "cylindrical", "torsion_spring", "driver"}));
  list.push_back(joint_entry(
      "model:translational", "translational",
      "A slider: b moves along the axis of a and does not turn against it. In space the axis is the z axis\n"
      "of the markers, in the plane their x axis.",
      {at_field(),
       {.name = "axis",
        .type = Type::Axis,
        .text = "direction of sliding in space at the start",
        .fallback = "axis of the markers; x in the plane"}},
      with_reaction({displacement},
                    {of_slides(), of_second_slide, of_axes("lambda_axis2, lambda_axis3", "spatial"), of_angle},
                    Exists::Everywhere),
      theory[1], SPATIAL "m:translational { \"rail\", m.ground, arm, at = {0, 0, 0}, axis = \"x\" }",
      {"cylindrical", "revolute", "point_on_line", "driver"}));
  list.push_back(
      joint_entry("model:cylindrical", "cylindrical", "b slides along the axis of a and turns about it (spatial).",
                  {at_field(), axis_field("direction in space at the start")},
                  with_reaction({angle, displacement}, {of_slides("lambda_slide2"), of_axes("lambda_axis2"), of_turn}),
                  theory[2], SPATIAL "m:cylindrical { \"sleeve\", m.ground, arm, at = {0, 0, 0}, axis = \"x\" }",
                  {"screw", "revolute", "translational"}));
  list.push_back(
      {.name = "model:screw",
       .object = "screw",
       .summary = "b turns about the axis of a and moves along it by the lead per turn (spatial). A positive\n"
                  "lead is a right-handed thread.",
       .naming = Naming::Optional,
       .positional = two_ends(),
       .fields = {at_field(),
                  axis_field("direction in space at the start"),
                  {.name = "lead", .text = "advance per turn", .unit = "m", .required = true}},
       .signals =
           with_reaction({angle, displacement},
                         {{"lambda", "N", "multiplier of the thread: its push against growth of the displacement"},
                          of_slides("lambda_slide2"),
                          of_axes("lambda_axis2"),
                          of_turn}),
       .equations = "a cylindrical joint, and displacement - lead / (2 pi) angle = 0 from the declared\n"
                    "position. The reaction is that of the cylindrical joint, without the thread's.",
       .example = SPATIAL "m:screw { \"thread\", m.ground, arm, at = {0, 0, 0}, axis = \"z\", lead = 0.01 }",
       .see_also = {"cylindrical", "rack_and_pinion"},
       .function = guarded<screw>});
  list.push_back(joint_entry("model:spherical", "spherical",
                             "A ball joint: keeps two places together and leaves all rotations free (spatial).",
                             {at_field()}, with_reaction({}, {of_coincidence}), theory[10],
                             "local mbs = require \"perilune\"\n"
                             "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                             "local top = m:body { \"top\", mass = 1, inertia = {1, 1, 0.5}, at = {0, 0, 1} }\n"
                             "m:spherical { \"tip\", m:ground { at = {0, 0, 0} }, top:point { 0, 0, -1 } }",
                             {"coincidence", "revolute", "universal"}));
  list.push_back(joint_entry(
      "model:universal", "universal",
      "A Cardan joint (spatial): the places of a and b coincide in the middle of a cross, which has one arm\n"
      "along the axis of a and the other along axis_b of b; the two stay at a right angle.",
      {at_field(),
       axis_field("arm of the cross in a: direction in space at the start"),
       {.name = "axis_b",
        .type = Type::Axis,
        .text = "arm of the cross in b, normal to axis",
        .fallback = "z axis of marker b"}},
      with_reaction({}, {of_coincidence, of_axes({})}), theory[4],
      SPATIAL "m:universal { \"cross\", m.ground, arm, at = {0, 0, 0}, axis = \"y\", axis_b = \"z\" }",
      {"spherical", "revolute"}));
  list.push_back(
      joint_entry("model:weld", "weld",
                  "Fixes b to a. Two bodies, or places without axes, keep their declared relative pose;\n"
                  "markers are brought to coincide.",
                  {at_field()},
                  with_reaction({}, {of_coincidence, of_axes("lambda_axis2, lambda_axis3", "spatial"), of_angle},
                                Exists::Everywhere),
                  theory[3], SPATIAL "m:weld { \"clamp\", m.ground, arm, at = {0, 0, 0} }", {"marker", "revolute"}));
  list.push_back(joint_entry(
      "model:planar", "planar",
      "b moves in the plane through a's place that is normal to the axis, and turns about the normal only\n"
      "(spatial).",
      {at_field(), axis_field("normal of the plane in space at the start")},
      with_reaction({}, {of_slides(), of_axes("lambda_axis2")}), theory[5],
      SPATIAL "m:planar { \"table\", m.ground, arm, at = {0, 0, 0}, axis = \"z\" }", {"point_on_plane", "revolute"}));
  list.push_back(joint_entry(
      "model:point_on_line", "point_on_line",
      "The place b stays on the line through a's place along a's axis; b's body may turn freely. b may be a\n"
      "point. In the plane the line is the x axis of a's marker.",
      {at_field(),
       {.name = "axis",
        .type = Type::Axis,
        .text = "the line's direction in space at the start",
        .fallback = "axis of the marker; x in the plane"}},
      with_reaction({displacement}, {of_slides(), of_second_slide}, Exists::Everywhere), theory[6],
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, -9.81} }\n"
      "local bead = m:point { \"bead\", at = {1, -1}, mass = 1 }\n"
      "m:point_on_line { \"wire\", m:ground { at = {0, 0} }, bead, axis = {1, -1} }",
      {"translational", "point_on_plane", "dot2"}));
  list.push_back(
      joint_entry("model:point_on_plane", "point_on_plane",
                  "The place b stays in the plane through a's place normal to a's axis (spatial). b may be a point.",
                  {at_field(), axis_field("normal of the plane in space at the start")},
                  with_reaction({}, {of_slides()}), theory[7],
                  "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local puck = m:point { \"puck\", at = {1, 0, 0}, velocity = {0, 1, 0}, mass = 1 }\n"
                  "m:point_on_plane { \"table\", m:ground { at = {0, 0, 0} }, puck, axis = \"z\" }",
                  {"planar", "point_on_line", "dot2"}));
  list.push_back(joint_entry(
      "model:parallel_axes", "parallel_axes", "An axis of b stays parallel to an axis of a (spatial).",
      {axis_field("direction in space at the start")}, with_reaction({}, {of_axes("lambda_axis2")}), theory[8],
      SPATIAL "m:parallel_axes { \"upright\", m.ground, arm, axis = \"z\" }", {"perpendicular_axes", "dot1"}));
  list.push_back(joint_entry(
      "model:perpendicular_axes", "perpendicular_axes", "An axis of b stays normal to an axis of a (spatial).",
      {axis_field("direction of a in space at the start"),
       {.name = "axis_b", .type = Type::Axis, .text = "direction of b", .fallback = "z axis of marker b"}},
      with_reaction({}, {of_axes({})}), theory[9],
      SPATIAL "m:perpendicular_axes { \"square\", m.ground, arm, axis = \"z\", axis_b = \"x\" }",
      {"parallel_axes", "dot1"}));
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
