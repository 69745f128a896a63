// SPDX-License-Identifier: MIT
// m:check_gradient: every way to a gradient that the settings allow, in one table.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "processor_time.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

namespace {

struct Row {
  std::string method;
  std::vector<double> gradient;
  double difference = 0;  // from the first row that did not fail, relative to `size_of_gradient`
  double forward_runs = 0;
  std::string failure = {};  // empty: it did not fail
};

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

/// What differences are relative to. The gradient itself says nothing about its accuracy where it is nearly zero, as at
/// an optimum: there it is that of a point near by, or what a change of the objective by a millionth would be.
double size_of_gradient(const simulation::Problem& problem, std::vector<double> parameters,
                        const std::vector<int>& over, const sensitivity::Method& method, double value,
                        const std::vector<double>& gradient) {
  constexpr double away = 1e-3, insignificant = 1e-6;
  double size = largest(gradient);
  for (const int number : over) {
    double& parameter = parameters[static_cast<std::size_t>(number)];
    const double scale = parameter == 0 ? 1 : std::abs(parameter);
    size = std::max(size, insignificant * std::abs(value) / scale);
    parameter += away * scale;
  }
  try {
    size = std::max(size, largest(sensitivity::gradient(problem, parameters, over, method).derivatives[0]));
  } catch (const NumericalError&) {  // no motion there
  }
  return size;
}

int check_tostring(lua_State* L) {
  require_table(L);
  std::string text = "gradient of " + text_field(L, 1, "objective") + "\n";
  char line[160];
  std::snprintf(line, sizeof line, "%-44s %20s %14s", "method", "relative difference", "forward runs");
  text += line;
  for (lua_Integer k = 1; lua_rawgeti(L, 1, k) == LUA_TTABLE; ++k) {
    const std::string method = text_field(L, -1, "method");
    if (lua_getfield(L, -1, "failure") == LUA_TSTRING) {
      std::snprintf(line, sizeof line, "\n%-44s %20s", method.c_str(), "failed");
      text += std::string(line) + ": " + lua_tostring(L, -1);
      lua_pop(L, 2);
      continue;
    }
    lua_pop(L, 1);
    lua_getfield(L, -1, "relative_difference");
    lua_getfield(L, -2, "forward_runs");
    std::snprintf(line, sizeof line, "\n%-44s %20.1e %14.2f", method.c_str(), lua_tonumber(L, -2), lua_tonumber(L, -1));
    text += line;
    lua_pop(L, 3);
  }
  lua_pushstring(L, text.c_str());
  return 1;
}

void push_rows(lua_State* L, const std::string& objective, double value, const std::vector<Row>& rows) {
  lua_newtable(L);
  lua_pushstring(L, objective.c_str());
  lua_setfield(L, -2, "objective");
  lua_pushnumber(L, value);
  lua_setfield(L, -2, "value");
  double worst = 0;
  lua_Integer number = 0;
  for (const Row& row : rows) {
    lua_newtable(L);
    lua_pushstring(L, row.method.c_str());
    lua_setfield(L, -2, "method");
    if (!row.failure.empty()) {
      lua_pushlstring(L, row.failure.data(), row.failure.size());
      lua_setfield(L, -2, "failure");
      lua_rawseti(L, -2, ++number);
      worst = std::numeric_limits<double>::infinity();
      continue;
    }
    lua_newtable(L);
    for (std::size_t i = 0; i < row.gradient.size(); ++i) {
      lua_pushnumber(L, row.gradient[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    lua_setfield(L, -2, "value");
    lua_pushnumber(L, row.difference);
    lua_setfield(L, -2, "relative_difference");
    lua_pushnumber(L, row.forward_runs);
    lua_setfield(L, -2, "forward_runs");
    lua_rawseti(L, -2, ++number);
    worst = std::max(worst, row.difference);
  }
  lua_pushnumber(L, worst);
  lua_setfield(L, -2, "worst");
  if (luaL_newmetatable(L, "perilune.gradient_check")) {
    lua_pushcfunction(L, guarded<check_tostring>);
    lua_setfield(L, -2, "__tostring");
    lua_pushstring(L, "gradient check");
    lua_setfield(L, -2, "__name");
  }
  lua_setmetatable(L, -2);
}

}  // namespace

int check_gradient(lua_State* L) {
  Args args(L);
  bool is_list = false;
  simulation::Problem problem = read_problem(args, L);
  problem.objectives = read_objectives(args, L, "objective", is_list);
  const std::vector<int> over = read_parameters(args, L, "over");
  args.check_all_read();
  if (problem.objectives.size() != 1)
    args.fail("it takes one objective, got a list of " + std::to_string(problem.objectives.size()));
  const std::vector<double> parameters = args.model()->parameter_values();
  const double start = processor_time();
  const simulation::Evaluation motion = simulation::evaluate(problem, parameters);
  sensitivity::require_complete(motion.solution);
  const double forward = std::max(processor_time() - start, 1e-9);
  std::vector<Row> rows;
  double value = 0, size = 0;
  const Row* reference = nullptr;
  const auto methods = sensitivity::methods_offered(problem, motion);
  rows.reserve(methods.size());
  for (const sensitivity::Method& method : methods) {
    Row& row = rows.emplace_back(Row{sensitivity::name_of(method), {}});
    try {
      const sensitivity::Gradient result = sensitivity::gradient(problem, parameters, over, method);
      row.gradient = result.derivatives[0];
      row.forward_runs = result.seconds / forward;
      if (!reference) {
        reference = &row;
        value = result.values[0];
        size = size_of_gradient(problem, parameters, over, method, value, row.gradient);
      }
      const double difference = largest_difference(row.gradient, reference->gradient);
      row.difference = difference > 0 ? difference / size : 0;
    } catch (const NumericalError& failure) {
      row.failure = failure.what();
    }
  }
  if (!reference) throw NumericalError(rows.empty() ? "no method goes with these settings" : rows.front().failure);
  push_rows(L, problem.objectives[0]->name, value, rows);
  return 1;
}

}  // namespace perilune::lua
