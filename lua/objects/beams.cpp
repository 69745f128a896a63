// SPDX-License-Identifier: MIT
// Flexible beams, and clamps of their ends.
#include "model/beam/cables.hpp"

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

model::CableAxial axial_form(Args& args) {
  using model::CableAxial;
  static const std::vector<std::string> words = {"chord", "green", "printed"};
  constexpr CableAxial forms[] = {CableAxial::Chord, CableAxial::Green, CableAxial::Printed};
  const std::string word = args.text("axial");
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    args.fail("axial must be \"chord\", \"green\" or \"printed\", got \"" + word + "\"" +
              did_you_mean(closest(word, words)));
  }
  return forms[found - words.begin()];
}

int beam(lua_State* L) {
  Args args(L);
  constexpr int most = 100'000;
  model::CableShape shape;
  shape.from = args.vector("from");
  shape.to = args.vector("to");
  shape.elements = args.integer("elements");
  if (shape.elements > most) args.fail("elements must be at most 100000, got " + std::to_string(shape.elements));
  const expr::Symbol young = args.number("young"), area = args.number("area");
  shape.mass_per_length = args.number("density") * area;
  shape.axial_stiffness = young * area;
  shape.bending_stiffness = young * args.number("second_moment");
  shape.damping = args.number("damping");
  shape.axial = axial_form(args);
  shape.velocity = args.vector("velocity");
  const bool is_planar = args.engine().dimension() == 2;
  shape.angular_velocity = is_planar ? model::Vector{args.number("angular_velocity")} : args.vector("angular_velocity");
  const std::vector<model::Place> nodes = add_cable(args.engine(), args.name(), shape);
  const Object& made = args.finish();
  const ModelPtr model = args.model();
  const std::string position = made.defined_at;
  const int object = lua_gettop(L);
  lua_getiuservalue(L, object, 1);
  const int properties = lua_gettop(L);
  lua_createtable(L, static_cast<int>(nodes.size()), 0);
  const int list = lua_gettop(L);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    model->declare({"node", nodes[k].name, position, {}});
    push_object(L, {model, "node", nodes[k].name, position, nodes[k]});
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    for (const char* name : {"first", "last"}) {
      if (k != (*name == 'f' ? 0 : nodes.size() - 1)) continue;
      lua_pushvalue(L, -1);
      lua_setfield(L, properties, name);
    }
    lua_rawseti(L, list, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, properties, "nodes");
  lua_settop(L, object);
  return 1;
}

int clamp(lua_State* L) {
  Args args(L);
  const model::Place node = args.place("node"), body = args.place("body");
  add_clamp(args.engine(), args.name(), node, body);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> beam_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:beam",
       .object = "beam",
       .summary =
           "A flexible, slender, straight beam between two positions, without load as declared: it stretches and\n"
           "bends by any amount, without shear and torsion. Its nodes are points with a slope, to which\n"
           "anything may attach: first, last, and the list nodes (named \"arm_1\", \"arm_2\", ...). It is held by\n"
           "joints of points (m:coincidence) and by m:clamp.",
       .naming = Naming::Required,
       .fields =
           {{.name = "from", .type = Type::Vector, .text = "first end", .unit = "m", .required = true},
            {.name = "to", .type = Type::Vector, .text = "last end", .unit = "m", .required = true},
            {.name = "elements",
             .type = Type::Integer,
             .text = "how many, of equal length",
             .fallback = "4",
             .range = Range::Positive},
            {.name = "young", .text = "Young's modulus", .unit = "Pa", .range = Range::Positive, .required = true},
            {.name = "density", .text = "density", .unit = "kg/m^3", .range = Range::Positive, .required = true},
            {.name = "area", .text = "of the section", .unit = "m^2", .range = Range::Positive, .required = true},
            {.name = "second_moment",
             .text = "of the section's area, the same about all its axes",
             .unit = "m^4",
             .range = Range::Positive,
             .required = true},
            {.name = "damping",
             .text = "stress is young (strain + damping strain rate)",
             .unit = "s",
             .fallback = "0",
             .range = Range::NonNegative},
            {.name = "axial",
             .type = Type::String,
             .text = "\"chord\": by the distance of nodes; \"green\": by the strain along the line; \"printed\":\n"
                     "the source's, which has no energy",
             .fallback = "chord"},
            {.name = "velocity",
             .type = Type::Vector,
             .text = "of its first end at the start",
             .unit = "m/s",
             .fallback = "0"},
            {.name = "angular_velocity",
             .type = Type::Rotation,
             .text = "at the start; in space",
             .unit = "rad/s",
             .fallback = "0"}},
       .signals = {{"strain_energy", "J", "of bending and, but for \"printed\", of stretching"},
                   {"length", "m", "sum of the distances of its nodes"}},
       .equations =
           "Cubic elements by absolute nodal coordinates q = (r_i, t_i, r_j, t_j), t = dr/dx (Ebrahimi 2019,\n"
           "(28)-(35), corrected); U = EI |r''|^2 / 2 and EA (d / l - 1)^2 / 2 along the line; damping of\n"
           "bending by the rate of r'' as seen by the chord: a bent beam that turns about its chord is damped.",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, -9.81} }\n"
           "local b = m:param { \"b\", 0.05, unit = \"m\" }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1.2, 0}, elements = 5, young = 1e7, density = 4000,\n"
           "  area = b^2, second_moment = b^4 / 12 }\n"
           "m:coincidence { arm.first, m:ground { at = {0, 0} } }\n"
           "print(arm.last.y, m:mobility())",
       .see_also = {"clamp", "point", "coincidence", "bar"},
       .function = guarded<beam>},
      {.name = "model:clamp",
       .object = "clamp",
       .summary = "Clamps a node of a beam to a body or the ground where both are declared: position and slope stay\n"
                  "what they are in the body's frame. The end does not stretch, and turning about its own axis is not\n"
                  "held, as the beam knows no torsion.",
       .naming = Naming::Optional,
       .positional = {{.name = "node", .type = Type::Place, .text = "a node of a beam: arm.first", .required = true},
                      {.name = "body", .type = Type::Body, .text = "a body, or m.ground", .required = true}},
       .signals = {{"lambda_x", "N", "multipliers of the position, in space", "lambda_y, lambda_z"},
                   {"slope_x", "N m", "multipliers of the slope, along the body's axes", "slope_y, slope_z"}},
       .equations = "r_node - r_body = 0, A^T t - (A^T t at the start) = 0 (Ebrahimi 2019, (41), (42))",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local arm = m:beam { \"arm\", from = {0, 0, 0}, to = {1, 0, 0}, young = 7e10, density = 2700, area "
                  "= 1e-4,\n"
                  "  second_moment = 8e-10 }\n"
                  "m:clamp { arm.first, m.ground }\n"
                  "print(m:equilibrium({}):values(arm.last.z)[1])",
       .see_also = {"beam", "coincidence", "weld"},
       .function = guarded<clamp>},
  };
  return constructors;
}

}  // namespace perilune::lua
