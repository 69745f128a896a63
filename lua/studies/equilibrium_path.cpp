// SPDX-License-Identifier: MIT
// m:equilibrium_path, whose result is a printable list of points.
#include "analysis/equilibrium_path.hpp"

#include <cmath>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "runs/run.hpp"
#include "studies/equilibrium_run.hpp"

namespace perilune::lua {

namespace {

using analysis::EquilibriumPath;
using analysis::PathPoint;
using End = EquilibriumPath::End;
using Stability = analysis::Equilibrium::Stability;

constexpr const char* path_key = "equilibria of the path";  // in the metatable

struct PathHandle {
  std::vector<RunHandle> runs;  // of one instant each
  std::string parameter, unit, model, reason;
  std::vector<PathPoint::Kind> kinds;
  std::vector<Stability> stabilities;
  std::vector<double> values;
};

const PathHandle* test_path(lua_State* L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return nullptr;
  lua_getfield(L, -1, path_key);
  const PathHandle* found = test_userdata<PathHandle>(L, -1);
  lua_pop(L, 2);  // the metatable keeps it
  return found;
}

const PathHandle& check_equilibrium_path(lua_State* L, const char* method) {
  if (const PathHandle* path = test_path(L, 1)) return *path;
  throw Error(std::string(method) + " is a method of what m:equilibrium_path returns: write path:" + method +
              " with a colon, not path." + method);
}

std::string kind_name(PathPoint::Kind kind) {
  if (kind == PathPoint::Kind::Regular) return "";
  return kind == PathPoint::Kind::Limit ? "limit" : "bifurcation";
}

std::string headline(const PathHandle& path) {
  std::size_t limits = 0, bifurcations = 0;
  for (const PathPoint::Kind kind : path.kinds) {
    limits += kind == PathPoint::Kind::Limit;
    bifurcations += kind == PathPoint::Kind::Bifurcation;
  }
  const auto counted = [](std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  return "path of equilibria of \"" + path.model + "\" over " + path.parameter + ": " +
         counted(path.values.size(), "point") + ", " + counted(limits, "limit") + ", " +
         counted(bifurcations, "bifurcation") + "; it " + path.reason;
}

int path_tostring(lua_State* L) {
  const std::string text = headline(check_equilibrium_path(L, "__tostring"));
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

/// The ends, and what is singular between them.
int path_pretty(lua_State* L) {
  const PathHandle& path = check_equilibrium_path(L, "__pretty");
  TextRows rows{{"point", path.parameter + (path.unit.empty() ? "" : " [" + path.unit + "]"), "", "then"}};
  for (std::size_t k = 0; k < path.values.size(); ++k) {
    const bool is_end = k == 0 || k + 1 == path.values.size();
    if (!is_end && path.kinds[k] == PathPoint::Kind::Regular) continue;
    const Stability then = path.stabilities[std::min(k + 1, path.values.size() - 1)];
    rows.push_back({std::to_string(k + 1), format::significant(path.values[k], 9), kind_name(path.kinds[k]),
                    then == Stability::Unknown  ? ""
                    : then == Stability::Stable ? "stable"
                                                : "unstable"});
  }
  const std::string text = headline(path) + aligned(rows);
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int path_values(lua_State* L) {
  const PathHandle& path = check_equilibrium_path(L, "values");
  const expr::NodeId node = check_signal(L, path.runs.front(), 2);
  std::vector<double> values;
  for (std::size_t k = 0; k < path.runs.size(); ++k) {
    check_interrupt();
    values.push_back(path.runs[k].trajectory->evaluate(node).back());
    if (!std::isnan(values.back())) continue;
    throw Error("the signal is not a number at " + path.parameter + " = " + format::significant(path.values[k], 6) +
                ": it takes a root or a logarithm of a negative number, or divides zero by zero");
  }
  push_list(L, values);
  return 1;
}

void push_point(lua_State* L, const PathPoint& point, RunHandle run) {
  lua_createtable(L, 0, 5);
  set_number(L, "value", point.value);
  set_number(L, "arc", point.arc);
  if (point.kind != PathPoint::Kind::Regular) set_text(L, "kind", kind_name(point.kind));
  if (point.at.stability != Stability::Unknown) {
    lua_pushboolean(L, point.at.stability == Stability::Stable);
    lua_setfield(L, -2, "stable");
  }
  push_run(L, std::move(run));
  lua_setfield(L, -2, "equilibrium");
}

void push_path(lua_State* L, const EquilibriumPath& found, PathHandle path) {
  lua_createtable(L, static_cast<int>(found.points.size()), 5);
  lua_newtable(L);  // special
  lua_Integer specials = 0;
  for (std::size_t k = 0; k < found.points.size(); ++k) {
    check_interrupt();
    push_point(L, found.points[k], path.runs[k]);
    if (found.points[k].kind != PathPoint::Kind::Regular) {
      lua_pushvalue(L, -1);
      lua_rawseti(L, -3, ++specials);
    }
    lua_rawseti(L, -3, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "special");
  set_text(L, "parameter", path.parameter);
  set_text(L, "reason", found.reason);
  lua_pushboolean(L, found.end == End::Reached);
  lua_setfield(L, -2, "complete");
  set_names(L, "warnings", found.warnings);
  lua_createtable(L, 0, 4);
  lua_pushcfunction(L, guarded<path_tostring>);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, guarded<path_pretty>);
  lua_setfield(L, -2, "__pretty");
  push_methods(L, "path");
  lua_setfield(L, -2, "__index");
  push_metatable<PathHandle>(L, "equilibrium_path");
  lua_pop(L, 1);
  push_userdata(L, "equilibrium_path", std::move(path));
  lua_setfield(L, -2, path_key);
  lua_setmetatable(L, -2);
}

analysis::PathOptions read_options(Args& args, lua_State* L, const std::optional<GivenState>& from) {
  analysis::PathOptions options;
  const std::vector<int> over = read_parameters(args, L, "over");
  if (over.size() != 1) args.fail("over: one parameter, which the path is along, got " + std::to_string(over.size()));
  options.parameter = over[0];
  const model::Parameter& p = args.engine().parameters()[static_cast<std::size_t>(over[0])];
  options.to = args.plain_number("to");
  if (args.given("back_to")) {
    options.back_to = args.plain_number("back_to");
  } else {
    args.value("back_to");
  }
  options.points = args.integer("points");
  options.step = args.plain_number("step");
  const std::string present = "present value of " + p.name + ", " + number_text(p.value);
  if (options.to == p.value) args.fail("to must not be the " + present);
  if (options.back_to && (*options.back_to - p.value) * (options.to - p.value) > 0) {
    args.fail("back_to must not lie on the same side of the " + present + ", as to does; got " +
              number_text(*options.back_to) + " and " + number_text(options.to));
  }
  for (const double end : {options.to, options.back_to.value_or(p.value)}) {
    if (end >= p.lower && end <= p.upper) continue;
    args.fail("the path leads to " + p.name + " = " + number_text(end) + ", outside its bounds " +
              number_text(p.lower) + " to " + number_text(p.upper));
  }
  if (options.points < 2 || options.points > 100'000) {
    args.fail("points must be from 2 to 100000, got " + std::to_string(options.points));
  }
  if (from && from->is_equilibrium && from->parameters != args.model()->parameter_values()) {
    args.fail("from: the equilibrium is that of other values of the parameters; set these, or find it anew");
  }
  return options;
}

}  // namespace

int equilibrium_path(lua_State* L) {
  Args args(L);
  const EquilibriumSearch search = read_equilibrium_search(args, L);
  const analysis::PathOptions options = read_options(args, L, search.from);
  args.check_all_read();
  const ModelPtr& model = args.model();
  const auto system = model->compiled();
  EquilibriumPath found = analysis::follow_equilibria(system, data_at(model, *system, search.from), search.independent,
                                                      search.t, search.wanted, options);
  const auto run_of = [&](const PathPoint& point) {
    return equilibrium_run(model, "point of a path of equilibria", search, point.at, point.data, {}, 0);
  };
  if (found.end == End::Interrupted) {
    push_run(L, run_of(found.points.back()));
    lua_setiuservalue(L, 1, run_value);  // m.last_run: what was found last
    throw Interrupted();
  }
  PathHandle path;
  const model::Parameter& p = args.engine().parameters()[static_cast<std::size_t>(options.parameter)];
  path.parameter = p.name;
  path.unit = p.unit;
  path.model = args.engine().name();
  if (found.end == End::Lost || found.end == End::Enough) {
    found.warnings.push_back("the path did not reach " + number_text(options.to) + ": it " + found.reason);
  }
  path.reason = found.reason;
  bool is_told = false;  // what limits a run has passed: of the first
  for (const PathPoint& point : found.points) {
    check_interrupt();
    path.runs.push_back(run_of(point));
    const std::vector<std::string>& of_run = path.runs.back().trajectory->run().warnings;
    if (!of_run.empty() && !is_told) {
      found.warnings.push_back(p.name + " = " + number_text(point.value) + ": " + of_run.front());
      is_told = true;
    }
    path.kinds.push_back(point.kind);
    path.stabilities.push_back(point.at.stability);
    path.values.push_back(point.value);
  }
  print_warnings(L, found.warnings);
  warn_of_idle_parameters(L, args.engine(), {options.parameter});
  push_path(L, found, std::move(path));
  return 1;
}

std::span<const Function> equilibrium_path_functions() {
  static const std::vector<Function> functions = {
      {.name = "path:values",
       .signature = "path:values(signal)",
       .arguments = {{"signal", signal_name, "its name, or an expression", unitless}},
       .returns = "number[]",
       .summary =
           "The values of a signal (a name or an expression) at the points of what m:equilibrium_path found; of\n"
           "the parameter itself, its values.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"truss\", gravity = {0, 0} }\n"
                  "local P = m:param { \"P\", 0, unit = \"N\" }\n"
                  "local top = m:point { \"top\", at = {0, 0.3}, mass = 1 }\n"
                  "for _, x in ipairs { -1, 1 } do\n"
                  "  m:spring { m:ground { at = {x, 0} }, top, stiffness = 1e3, free_length = 1.09^0.5 }\n"
                  "end\n"
                  "m:force { on = top, law = function() return 0, -P end }\n"
                  "local path = m:equilibrium_path { over = P, to = 20, back_to = -20 }\n"
                  "mbs.chart { os.tmpname(), curves = { { \"truss\", x = path:values(top.y), y = path:values(P) } } }",
       .see_also = {"equilibrium_path", "chart"},
       .function = guarded<path_values>},
  };
  return functions;
}

}  // namespace perilune::lua
