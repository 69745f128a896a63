// SPDX-License-Identifier: MIT
#include "values/spline.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Spline;
using expr::Symbol;
using expr::TablePtr;

constexpr const char* kind = "spline";

// With numbers for x and all ordinates; while a law is checked, ordinates that are expressions have numbers too.
double number_at(const SplineHandle& handle, TablePtr Spline::Term::*table, double x) {
  double sum = 0;
  for (const Spline::Term& term : handle.spline.terms()) {
    const double factor = term.factor.is_number()
                              ? term.factor.number()
                              : Tracing::active()->value(term.factor.in(handle.model->engine->graph()));
    sum += factor * (*(term.*table))(handle.spline.within(x));
  }
  return sum;
}

int evaluate(lua_State* L, TablePtr Spline::Term::*table, const char* user) {
  const SplineHandle& handle = own_userdata<SplineHandle>(L);
  const Operand x = check_operand(L, 2, user);
  const bool has_numbers = !handle.model || Tracing::numeric(handle.model);
  if (!x.is_symbol() && has_numbers) return push_operand(L, constant(number_at(handle, table, x.number)));
  if (x.is_symbol() && handle.model && x.model != handle.model) {
    throw Error(std::string(user) + ": the ordinates and '" + x.text() + "' belong to different models");
  }
  const ModelPtr model = x.is_symbol() ? x.model : handle.model;
  expr::Graph& graph = model->engine->graph();
  graph.set_origin(script_line(L));
  const Symbol at = handle.spline.within(x.is_symbol() ? Symbol(graph, x.node) : Symbol(x.number));
  Symbol sum = 0.0;
  for (const Spline::Term& term : handle.spline.terms()) sum += term.factor * Symbol::lookup(term.*table, at);
  const expr::NodeId node = sum.in(graph);
  if (Tracing* tracing = Tracing::active()) tracing->note_made(node);
  push_expression(L, model, node);
  return 1;
}

int call(lua_State* L) { return evaluate(L, &Spline::Term::value, "spline"); }

int slope(lua_State* L) {
  if (!test_userdata<SplineHandle>(L, 1)) {
    throw Error("slope is a method of a spline: write s:slope(x) with a colon, not s.slope(x)");
  }
  return evaluate(L, &Spline::Term::slope, "slope of a spline");
}

int index(lua_State* L) {
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  if (key == "slope") {
    lua_pushcfunction(L, guarded<slope>);
    return 1;
  }
  own_userdata<SplineHandle>(L);
  lua_getiuservalue(L, 1, 1);
  if (lua_getfield(L, -1, key.c_str()) == LUA_TNIL) {
    throw Error("a spline has no field or method '" + key + "'\nit has: x, y, start_slope, end_slope, period, slope");
  }
  copy_list(L);
  return 1;
}

int new_index(lua_State*) { throw Error("a spline cannot be changed; make another one"); }

int to_text(lua_State* L) {
  own_userdata<SplineHandle>(L);
  lua_getiuservalue(L, 1, 1);
  lua_getfield(L, -1, "x");
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, count);
  const std::string text = "spline of " + std::to_string(count) +
                           " points from x = " + number_text(lua_tonumber(L, -2)) + " to " +
                           number_text(lua_tonumber(L, -1));
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int spline(lua_State* L) {
  Args args(L);
  const std::vector<double> x = args.numbers("x");
  const model::Vector y = args.ordinates("y");
  const std::optional<Symbol> start = args.optional_number("start_slope"), end = args.optional_number("end_slope");
  const double period = args.given("period") ? args.plain_number("period") : 0;
  if (period == 0) args.value("period");
  args.check_all_read();
  if (period > 0 && (start || end)) args.fail("with a period there are no ends; leave start_slope and end_slope out");
  std::optional<Spline> made;
  try {
    if (period > 0) {
      made.emplace(Spline::periodic(x, y, period));
    } else {
      made.emplace(x, y, start, end);
    }
  } catch (const Error& error) {
    args.fail(error.what());
  }
  if (push_metatable<SplineHandle>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__call", guarded<call>},
                                      {"__index", guarded<index>},
                                      {"__newindex", guarded<new_index>},
                                      {"__tostring", guarded<to_text>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, kind, SplineHandle{args.model(), std::move(*made)}, 1);
  args.push_properties();
  lua_setiuservalue(L, -2, 1);
  return 1;
}

}  // namespace

std::span<const Constructor> spline_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.spline",
       .object = "spline",
       .summary = "A tabulated function: the smooth (C2) cubic curve through points, continued linearly beyond them.\n"
                  "s(x) and its slope s:slope(x) work on numbers and on expressions, so in every law. Ordinates and\n"
                  "slopes may be parameters. An end is natural (without curvature) unless its slope is given.",
       .fields =
           {{.name = "x", .type = Type::Numbers, .text = "abscissas, increasing", .unit = "yours", .required = true},
            {.name = "y",
             .type = Type::Ordinates,
             .text = "ordinates, one for each",
             .unit = "yours",
             .required = true},
            {.name = "start_slope", .text = "slope at the first point", .unit = "y / x", .fallback = "natural end"},
            {.name = "end_slope", .text = "slope at the last point", .unit = "y / x", .fallback = "natural end"},
            {.name = "period",
             .type = Type::PlainNumber,
             .text = "after which it repeats; the points lie within one, the first is not given again",
             .unit = "of x",
             .fallback = "it does not repeat",
             .range = Range::Positive}},
       .equations = "s, s' and s'' continuous; s'' = 0 at natural ends; linear beyond the ends, with their slopes;\n"
                    "with a period there are no ends, and s(x + period) = s(x)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local rubber = mbs.spline { x = {-0.1, 0, 0.1, 0.2}, y = {-60, 0, 20, 100} }\n"
                  "print(rubber(0.05), rubber:slope(0.05))\n"
                  "local P = m:point { \"P\", at = {0, -1}, mass = 1 }\n"
                  "m:force { \"buffer\", on = P, law = function(s) return 0, -rubber(s.y + 1) end }",
       .see_also = {"spring", "where", "smoothstep"},
       .function = guarded<spline>},
  };
  return constructors;
}

}  // namespace perilune::lua
