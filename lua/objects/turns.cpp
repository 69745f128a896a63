// SPDX-License-Identifier: MIT
// How far bodies have turned, as expressions.
#include "model/body/turns.hpp"

#include <cmath>

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/expression.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

bool is_marker(const Object& object) { return object.kind == "marker"; }

/// The body, or the marker on one, that the method was called on.
const Object& frame_of(lua_State* L, const char* method) {
  const Object* marker = test_userdata<Object>(L, 1);
  if (!marker || !is_marker(*marker)) check_self(L, std::string("body:") + method);
  const Object& frame = own_userdata<Object>(L);
  if (!frame.is_whole() && !is_marker(frame)) {
    throw Error(frame.title() + " is a place without axes of its own; " + method + " is of a body or a marker");
  }
  return frame;
}

/// The same, of a spatial model.
const Object& spatial_frame_of(lua_State* L, const char* method) {
  const Object& body = frame_of(L, method);
  const ModelPtr& model = body.model;
  if (model->engine->dimension() == 2) {
    throw Error(body.title() + ": " + method + " is for spatial models; a planar body has an angle");
  }
  return body;
}

/// What a law may read, or a number where nothing turns.
void push_turn(lua_State* L, const std::string& name, const ModelPtr& model, const expr::Symbol& value) {
  if (value.is_number()) return push_symbol(L, model, value);
  push_variable(L, name, model, value.in(model->engine->graph()));
}

int push_all(lua_State* L, const Object& body, const std::string& method, const model::Vector& values) {
  for (const expr::Symbol& value : values) push_turn(L, body.name + ":" + method + "()", body.model, value);
  return static_cast<int>(values.size());
}

/// It is of one body against space: another one would be overlooked.
void refuse_arguments(lua_State* L, const char* function) {
  if (lua_gettop(L) < 2) return;
  throw Error(std::string(function) + ": it takes nothing, got " + described_value(L, 2) +
              "; it is of a body against space, and a:turn_of(b, axis) of one against another");
}

int roll_pitch_yaw(lua_State* L) {
  refuse_arguments(L, "roll_pitch_yaw");
  const Object& body = spatial_frame_of(L, "roll_pitch_yaw");
  return push_all(L, body, "roll_pitch_yaw", roll_pitch_yaw(*body.model->engine, *body.place));
}

/// A body of which Euler parameters are known.
const Object& turned_body_of(lua_State* L, const char* method) {
  refuse_arguments(L, method);
  check_self(L, std::string("body:") + method);
  const Object& body = spatial_frame_of(L, method);
  if (body.place->kind != model::Place::Kind::SpatialBody) {
    throw Error(body.title() + ": " + method + " is of m:body, which has Euler parameters; roll_pitch_yaw and " +
                "turn_of are of any");
  }
  return body;
}

int rotation_vector(lua_State* L) {
  const Object& body = turned_body_of(L, "rotation_vector");
  return push_all(L, body, "rotation_vector", rotation_vector(*body.model->engine, *body.place));
}

int axis_angle(lua_State* L) {
  const Object& body = turned_body_of(L, "axis_angle");
  return push_all(L, body, "axis_angle", axis_angle(*body.model->engine, *body.place));
}

/// "x", "y", "z" or three numbers.
model::Vector read_axis(lua_State* L, int index, const std::string& title) {
  const std::string expected = title + ": the axis is \"x\", \"y\", \"z\" or 3 numbers, in the frame of the first one";
  if (lua_type(L, index) == LUA_TSTRING) {
    const std::string letter = lua_tostring(L, index);
    if (letter == "x") return {1.0, 0.0, 0.0};
    if (letter == "y") return {0.0, 1.0, 0.0};
    if (letter == "z") return {0.0, 0.0, 1.0};
  }
  if (!lua_istable(L, index)) throw Error(expected + "; got " + described_value(L, index));
  model::Vector axis;
  double square = 0;
  for (lua_Integer k = 1; k <= 3; ++k) {
    if (lua_rawgeti(L, index, k) != LUA_TNUMBER) throw Error(expected + "; got " + described_value(L, lua_gettop(L)));
    square += lua_tonumber(L, -1) * lua_tonumber(L, -1);
    axis.emplace_back(lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  if (lua_rawlen(L, index) > 3 || !(square > 0) || !std::isfinite(square)) throw Error(expected + ", not all zero");
  return axis;
}

int turn_of(lua_State* L) {
  const Object& a = frame_of(L, "turn_of");
  const ModelPtr& model = a.model;
  const Object* b = test_userdata<Object>(L, 2);
  if (!b || !(b->is_whole() || is_marker(*b))) {
    throw Error("turn_of: expected a body or a marker, got " + described_value(L, 2));
  }
  if (b->model != model) throw Error("turn_of: " + b->title() + " is of another model");
  model::Vector axis;
  if (model->engine->dimension() == 3) {
    axis = read_axis(L, 3, "turn_of");
  } else if (!lua_isnoneornil(L, 3)) {
    throw Error("turn_of: an axis is for spatial models; this model is planar");
  }
  if (lua_gettop(L) > 3) {
    throw Error("turn_of: expected nothing behind the axis, got " + described_value(L, 4) +
                "; it measures about one axis, so call it once for each");
  }
  push_turn(L, a.name + ":turn_of(" + b->name + ")", model, turn_about(*model->engine, *a.place, *b->place, axis));
  return 1;
}

}  // namespace

std::span<const Function> turn_functions() {
  static constexpr std::string_view example =
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
      "local top = m:body { \"top\", mass = 1, inertia = {0.02, 0.02, 0.01}, angular_velocity = {0.5, 0, 3} }\n"
      "local roll, pitch, yaw = top:roll_pitch_yaw()\n"
      "local rx, ry, rz = top:rotation_vector()\n"
      "m:signal { \"yaw\", yaw, unit = \"deg\" }\n"
      "m:signal { \"spin\", m.ground:turn_of(top, \"z\"), unit = \"deg\" }\n"
      "m:simulate { t = 0.5 }:plot(\"yaw\", \"spin\", { \"turned\", math.sqrt(rx^2 + ry^2 + rz^2), unit = \"deg\" })";
  static constexpr std::string_view example_of_markers =
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
      "local rod = m:body { \"rod\", mass = 1, inertia = {0.02, 0.02, 0.01}, at = {0.3, 0, 0} }\n"
      "local post = m.ground:marker { \"post\", axis = \"y\", x_axis = \"x\" }\n"
      "local tool = rod:marker { \"tool\", at = {0.3, 0, 0}, axis = \"y\", x_axis = {0, 0, -1} }\n"
      "m:revolute { \"pin\", m.ground, rod, at = {0, 0, 0}, axis = \"y\" }\n"
      "local roll, pitch, yaw = tool:roll_pitch_yaw()\n"
      "m:signal { \"pitch\", pitch, unit = \"deg\" }\n"
      "m:signal { \"turned\", post:turn_of(tool, \"z\"), unit = \"deg\" }\n"
      "m:simulate { t = 0.5 }:plot(\"pitch\", \"turned\")";
  static const std::vector<Function> functions = {
      {.name = "body:roll_pitch_yaw",
       .signature = "body:roll_pitch_yaw()",
       .returns = "perilune.number, perilune.number, perilune.number",
       .summary =
           "Roll, pitch and yaw of a body in space (rad), as three expressions: its axes are those of space turned\n"
           "by yaw about z, then by pitch about the new y, then by roll about the newest x (intrinsic z-y-x,\n"
           "A = Rz(yaw) Ry(pitch) Rx(roll)). With x ahead and z up, a nose that goes down has a positive pitch. Yaw\n"
           "and roll jump at half a turn; at a pitch of a quarter they and all derivatives are undefined.",
       .example = example,
       .see_also = {"rotation_vector", "turn_of", "signal"},
       .function = guarded<roll_pitch_yaw>},
      {.name = "body:rotation_vector",
       .signature = "body:rotation_vector()",
       .returns = "perilune.number, perilune.number, perilune.number",
       .summary =
           "The axis of the one turn that takes the axes of space to those of the body, times its angle (rad), as\n"
           "three expressions. Its length, the angle, is at most half a turn; there the vector jumps to its opposite.",
       .example = example,
       .see_also = {"axis_angle", "roll_pitch_yaw", "turn_of", "signal"},
       .function = guarded<rotation_vector>},
      {.name = "body:axis_angle",
       .signature = "body:axis_angle()",
       .returns = "perilune.number, perilune.number, perilune.number, perilune.number",
       .summary =
           "The axis, of length 1, of the one turn that takes the axes of space to those of the body, and its angle\n"
           "(rad), from 0 to half a turn: four expressions, x, y, z, angle. The axis is zero where nothing is turned;\n"
           "it jumps to its opposite at half a turn, and where the body passes by no turn. Steps end there, so that\n"
           "integrals and derivatives of the angle are right; take rotation_vector for those of the axis.",
       .example = example,
       .see_also = {"rotation_vector", "roll_pitch_yaw", "turn_of", "signal"},
       .function = guarded<axis_angle>},
      {.name = "body:turn_of",
       .signature = "body:turn_of(other, axis)",
       .arguments = {{"other", "perilune.body_like|perilune.marker", "the body that turns", unitless},
                     {"axis?", "string|number[]", "\"x\", \"y\", \"z\" or 3 numbers, in this body's frame (spatial)",
                      unitless}},
       .returns = "perilune.number",
       .summary =
           "The angle (rad) by which another body or marker is turned from this one about an axis of this one, from\n"
           "where their axes are parallel: of a turn about other axes, too, that part which is about this one. In "
           "space it\n"
           "jumps at half a turn; in the plane there is no axis, and full turns count.",
       .example = example,
       .see_also = {"roll_pitch_yaw", "rotation_vector", "revolute"},
       .function = guarded<turn_of>},
      {.name = "marker:roll_pitch_yaw",
       .signature = "marker:roll_pitch_yaw()",
       .returns = "perilune.number, perilune.number, perilune.number",
       .summary =
           "Roll, pitch and yaw of the axes of a marker in space (rad), as body:roll_pitch_yaw() has those of a\n"
           "body.",
       .example = example_of_markers,
       .see_also = {"marker", "turn_of", "signal"},
       .function = guarded<roll_pitch_yaw>},
      {.name = "marker:turn_of",
       .signature = "marker:turn_of(other, axis)",
       .arguments = {{"other", "perilune.body_like|perilune.marker", "what turns", unitless},
                     {"axis?", "string|number[]", "\"x\", \"y\", \"z\" or 3 numbers, in this marker's frame (spatial)",
                      unitless}},
       .returns = "perilune.number",
       .summary = "The angle (rad) by which another marker or body is turned from this one about an axis of this one,\n"
                  "as body:turn_of has it of bodies.",
       .example = example_of_markers,
       .see_also = {"marker", "roll_pitch_yaw", "revolute"},
       .function = guarded<turn_of>},
  };
  return functions;
}

}  // namespace perilune::lua
