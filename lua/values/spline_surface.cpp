// SPDX-License-Identifier: MIT
#include "values/spline_surface.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::SplineSurface;
using expr::Symbol;

constexpr const char* surface_kind = "bicubic spline";

// As for splines: while a law is checked, heights that are expressions have numbers too.
double number_at(const SplineSurfaceHandle& handle, double x, double y) {
  double sum = (*handle.surface.numbers())(x, y);
  for (const SplineSurface::Term& term : handle.surface.terms()) {
    const double height = Tracing::active()->value(term.height.in(handle.model->engine->graph()));
    sum += height * (*term.along_x)(x) * (*term.along_y)(y);
  }
  return sum;
}

int surface_call(lua_State* L) {
  const SplineSurfaceHandle& handle = own_userdata<SplineSurfaceHandle>(L);
  const Operand x = check_operand(L, 2, surface_kind), y = check_operand(L, 3, surface_kind);
  const bool is_number = !x.is_symbol() && !y.is_symbol();
  if (is_number && (!handle.model || Tracing::numeric(handle.model))) {
    return push_operand(L, constant(number_at(handle, x.number, y.number)));
  }
  const ModelPtr model = x.is_symbol() ? x.model : y.is_symbol() ? y.model : handle.model;
  for (const ModelPtr& other : {handle.model, y.is_symbol() ? y.model : model}) {
    if (other && other != model) throw Error("bicubic spline: its heights and places belong to different models");
  }
  expr::Graph& graph = model->engine->graph();
  graph.set_origin(script_line(L));
  const auto symbol = [&](const Operand& o) { return o.is_symbol() ? Symbol(graph, o.node) : Symbol(o.number); };
  const expr::NodeId node = handle.surface(symbol(x), symbol(y)).in(graph);
  if (Tracing* tracing = Tracing::active()) tracing->note_made(node);
  push_expression(L, model, node);
  return 1;
}

int surface_index(lua_State* L) {
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  own_userdata<SplineSurfaceHandle>(L);
  lua_getiuservalue(L, 1, 1);
  if (lua_getfield(L, -1, key.c_str()) == LUA_TNIL) {
    throw Error("a bicubic spline has no field '" + key + "'\nit has: x, y, z");
  }
  copy_list(L);
  return 1;
}

int surface_new_index(lua_State*) { throw Error("a bicubic spline cannot be changed; make another one"); }

int surface_text(lua_State* L) {
  own_userdata<SplineSurfaceHandle>(L);
  lua_getiuservalue(L, 1, 1);
  const int fields = lua_gettop(L);
  std::string text = "bicubic spline of ";
  for (const char* axis : {"x", "y"}) {
    lua_getfield(L, fields, axis);
    text += std::to_string(lua_rawlen(L, -1)) + (*axis == 'x' ? " x " : " heights");
  }
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int bicubic_spline(lua_State* L) {
  Args args(L);
  const std::vector<double> x = args.numbers("x"), y = args.numbers("y");
  const std::vector<model::Vector> z = args.rows("z");
  args.check_all_read();
  std::optional<SplineSurface> made;
  try {
    made.emplace(x, y, z);
  } catch (const Error& error) {
    args.fail(error.what());
  }
  if (push_metatable<SplineSurfaceHandle>(L, surface_kind)) {
    constexpr luaL_Reg functions[] = {{"__call", guarded<surface_call>},
                                      {"__index", guarded<surface_index>},
                                      {"__newindex", guarded<surface_new_index>},
                                      {"__tostring", guarded<surface_text>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, surface_kind, SplineSurfaceHandle{args.model(), std::move(*made)}, 1);
  args.push_properties();
  lua_setiuservalue(L, -2, 1);
  return 1;
}

}  // namespace

std::span<const Constructor> spline_surface_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.bicubic_spline",
       .object = "bicubic_spline",
       .summary =
           "Heights over a grid: the smooth (C2) surface of cubic splines along both axes through them, natural at\n"
           "its edges and continued linearly beyond. s(x, y) works on numbers and on expressions, so in every law;\n"
           "as the height of a contact or a tire it makes a terrain. Heights may be parameters.",
       .fields =
           {{.name = "x", .type = Type::Numbers, .text = "abscissas, increasing", .unit = "yours", .required = true},
            {.name = "y", .type = Type::Numbers, .text = "the same across", .unit = "yours", .required = true},
            {.name = "z",
             .type = Type::Rows,
             .text = "one row for each x, with a height for each y",
             .unit = "yours",
             .required = true}},
       .equations = "s and its derivatives up to s_xxyy continuous; s_xx = 0, s_yy = 0 at the edges; linear beyond",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local bump = m:param { \"bump\", 0.1, unit = \"m\" }\n"
                  "local field = mbs.bicubic_spline { x = {0, 1, 2, 3}, y = {-1, 0, 1},\n"
                  "                                   z = { {0, 0, 0}, {0, bump, 0}, {0.02, 0, 0}, {0, 0, 0.05} } }\n"
                  "local ball = m:body { \"ball\", mass = 1, inertia = {4e-3, 4e-3, 4e-3}, at = {0.3, 0, 0.3} }\n"
                  "m:contact { m.ground, ball, radius = 0.1, height = field,\n"
                  "            normal = mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.1 } }",
       .see_also = {"spline", "contact", "tire"},
       .function = guarded<bicubic_spline>},
  };
  return constructors;
}

}  // namespace perilune::lua
