// SPDX-License-Identifier: MIT
// Objectives, and what runs say of extrema over time.
#include <cmath>
#include <limits>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/law/switches.hpp"
#include "runs/experiment.hpp"
#include "values/expression_field.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;

std::shared_ptr<const expr::Graph> graph_of(const ModelPtr& model) { return {model, &model->engine->graph()}; }

int objective_tostring(lua_State* L) {
  const ObjectiveHandle& handle = own_userdata<ObjectiveHandle>(L);
  lua_pushstring(L, ("objective \"" + handle.objective->name + "\"").c_str());
  return 1;
}

int objective_index(lua_State* L) {
  const std::string& name = own_userdata<ObjectiveHandle>(L).objective->name;
  const std::string key = luaL_tolstring(L, 2, nullptr);
  static const std::vector<std::string> known = {"name"};
  if (key != "name") {
    throw Error("objective \"" + name + "\" has no field '" + key + "'" + did_you_mean(closest(key, known)) +
                ", only its name; its value is in run.objectives of m:simulate { objectives = ... }");
  }
  lua_pushstring(L, name.c_str());
  return 1;
}

int objective_newindex(lua_State* L) {
  throw Error("objective \"" + own_userdata<ObjectiveHandle>(L).objective->name + "\" cannot be changed");
}

/// The signal of `maximum` or `minimum`.
NodeId read_extremum(Args& args, lua_State* L, bool has_others) {
  const NodeId maximum = read_expression(args, L, "maximum", true), minimum = read_expression(args, L, "minimum", true);
  if (maximum == expr::no_node && minimum == expr::no_node) return expr::no_node;
  if (maximum != expr::no_node && minimum != expr::no_node) {
    args.fail("give either maximum or minimum; two objectives have both");
  }
  if (has_others) {
    args.fail(std::string(maximum == expr::no_node ? "minimum" : "maximum") +
              " does not go together with terminal or integral; make it an objective of its own");
  }
  return maximum == expr::no_node ? minimum : maximum;
}

}  // namespace

int make_objective(lua_State* L) {
  Args args(L);
  const std::string name = args.name();
  NodeId terminal = read_expression(args, L, "terminal", true), integral = read_expression(args, L, "integral", true);
  NodeId extremum = read_extremum(args, L, terminal != expr::no_node || integral != expr::no_node);
  const double from = args.given("from") ? args.plain_number("from") : -std::numeric_limits<double>::infinity(),
               to = args.given("to") ? args.plain_number("to") : std::numeric_limits<double>::infinity();
  args.check_all_read();
  if (terminal == expr::no_node && integral == expr::no_node && extremum == expr::no_node) {
    args.fail("terminal, integral, maximum or minimum is missing\nmore: help \"objective\"");
  }
  if (extremum == expr::no_node && (args.given("from") || args.given("to"))) {
    args.fail("from and to belong to maximum or minimum, not to terminal and integral");
  }
  if (!(from < to)) args.fail("from has to be less than to");
  model::Model& engine = args.engine();
  const auto with_switches = [&](NodeId& node) {
    if (node != expr::no_node) node = integrand(engine, name, {engine.graph(), node}).in(engine.graph());
  };
  with_switches(integral);
  with_switches(extremum);
  auto objective = extremum == expr::no_node
                       ? std::make_shared<simulation::Objective>(name, graph_of(args.model()), terminal, integral)
                       : std::make_shared<simulation::Objective>(
                             name, graph_of(args.model()),
                             simulation::Extremum{simulation::Measure(engine.graph(), std::vector<NodeId>{extremum}),
                                                  args.given("minimum"), from, to});
  if (integral != expr::no_node) objective->switches = switches_of(engine, {integral});
  if (extremum != expr::no_node) objective->switches = switches_of(engine, {extremum});
  args.model()->declare({"objective", name, script_line(L)});
  if (push_metatable<ObjectiveHandle>(L, "objective")) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<objective_index>},
                                      {"__newindex", guarded<objective_newindex>},
                                      {"__tostring", guarded<objective_tostring>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, "objective", ObjectiveHandle{args.model(), std::move(objective)});
  return 1;
}

/// Of objectives that are extrema: when, and what interpolation is off by.
void push_peaks(lua_State* L, const simulation::Trajectory& trajectory) {
  lua_newtable(L);
  const auto& objectives = trajectory.problem().objectives;
  const auto& peaks = trajectory.run().peaks;
  for (size_t k = 0; k < peaks.size(); ++k) {
    if (!peaks[k]) continue;
    lua_createtable(L, 0, 3);
    set_number(L, "value", peaks[k]->value);
    set_number(L, "t", peaks[k]->t);
    set_number(L, "error", peaks[k]->error);
    lua_setfield(L, -2, objectives[k]->name.c_str());
  }
  refuse_other_names(L);
}

}  // namespace perilune::lua
