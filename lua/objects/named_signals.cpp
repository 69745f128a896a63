// SPDX-License-Identifier: MIT
// Signals by name: those of a model, and those that the user defines.
#include "model/named_signals.hpp"

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "error.hpp"
#include "model/signals.hpp"
#include "values/expression.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

int find_signal(lua_State* L) {
  const ModelPtr model = check_self(L, "model:signal");
  const std::string name = lua_tostring(L, 2);
  if (!has_signal(*model->engine, name)) {
    throw Error(no_signal(*model->engine, name));
  }
  push_variable(L, name, model, model->engine->signal(name));
  return 1;
}

int signal(lua_State* L) {
  if (lua_gettop(L) == 2 && lua_type(L, 2) == LUA_TSTRING) return find_signal(L);
  Args args(L);
  const std::string unit = args.text("unit");
  bool hides_number = false;
  const expr::NodeId node = read_expression(args, L, "value", true, &hides_number);
  args.check_all_read();
  model::Model& engine = args.engine();
  add_named_signal(engine, args.name(), {engine.graph(), node}, unit, hides_number);
  args.model()->declare({"signal", args.name(), script_line(L)});
  push_expression(L, args.model(), node, hides_number);
  return 1;
}

int signals(lua_State* L) {
  const model::Model& engine = *check_self(L, "model:signals")->engine;
  lua_newtable(L);
  lua_newtable(L);
  lua_Integer count = 0;
  for (const auto& [name, signal] : engine.record().signals) {
    lua_pushlstring(L, name.data(), name.size());
    lua_rawseti(L, -3, ++count);
    const std::string& unit = signal.shown_unit.empty() ? signal.unit : signal.shown_unit;
    lua_pushlstring(L, unit.data(), unit.size());
    lua_setfield(L, -2, name.c_str());
  }
  lua_setfield(L, -2, "units");
  return 1;
}

}  // namespace

std::span<const Constructor> signal_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:signal",
       .object = "signal",
       .returns = "expression",
       .summary =
           "Gives an expression a name, which then stands wherever that of a built-in signal does: in run:plot,\n"
           "run:csv and their like, run:at, mbs.compare, m:fit. Returns the expression, for objectives, stops and\n"
           "laws; m:signal \"toe\", or m:signal \"P1.x\" of a built-in one, finds it by its name. Expressions count\n"
           "in SI units everywhere in a script, with and without a unit here: in laws, objectives, run:at and\n"
           "run:values. Files and pictures show the value in the unit given, and name it: toe [deg]. Without one\n"
           "they show the expression's own, where it follows from those of the signals in it. Units are m, g, s,\n"
           "N, J, W, Pa, V, A, K, rad with prefixes (mm, kN), deg, rev, min, h, bar, products and quotients of\n"
           "them (N/mm), rpm of rad/s, and %. One that is not that of the value, and a value that is multiplied\n"
           "by the unit's factor already, as by math.deg, are errors. The name must be no other's.",
       .naming = Naming::Required,
       .positional = {{.name = "value",
                       .type = Type::Integrand,
                       .text = "what it is; it may read accelerations and multipliers",
                       .unit = "SI",
                       .required = true}},
       .fields = {{.name = "unit", .type = Type::String, .text = "in which files and pictures show it"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {3, 4}, velocity = {1, 5}, mass = 1 }\n"
                  "local elevation = m:signal { \"elevation\", math.atan(P.y, P.x), unit = \"deg\" }\n"
                  "m:signal { \"speed\", function() return math.sqrt(P.vx ^ 2 + P.vy ^ 2) end, unit = \"km/h\" }\n"
                  "local run = m:simulate { t = 1, stop = elevation }\n"
                  "run:plot(\"elevation\", \"speed\")\n"
                  "print(math.deg(run:at(\"elevation\", 0)), m:signal \"P.x\" == P.x)",
       .see_also = {"signals", "objective", "plot", "csv"},
       .function = guarded<signal>},
  };
  return constructors;
}

std::span<const Function> signal_functions() {
  static const std::vector<Function> functions = {
      {.name = "model:signals",
       .signature = "m:signals()",
       .returns = "table",
       .summary = "The list of the names of everything that can be measured in the model; its field units has the\n"
                  "unit of each by its name.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "print(table.concat(m:signals(), \", \"), m:signals().units[\"energy.total\"])",
       .see_also = {"signal"},
       .function = guarded<signals>},
  };
  return functions;
}

}  // namespace perilune::lua
