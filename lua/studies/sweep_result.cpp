// SPDX-License-Identifier: MIT
// The result of a sweep as a table of rows, and as text.
#include <algorithm>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "schema/schema.hpp"
#include "studies/sweep.hpp"
#include "values/object.hpp"

namespace perilune::lua {

namespace {

using optimize::Trial;

constexpr const char* result_key = "result of the sweep";  // in the metatable
constexpr std::size_t most_rows = 20, most_reasons = 5;

std::string short_number(double value) { return format::significant(value, 6); }

std::size_t failures(const SweepResult& sweep) {
  return static_cast<std::size_t>(
      std::count_if(sweep.trials.begin(), sweep.trials.end(), [](const Trial& t) { return !t.succeeded(); }));
}

/// The trials with the lowest and the highest value of an objective; null if all failed.
std::pair<const Trial*, const Trial*> extremes(const SweepResult& sweep, std::size_t objective) {
  const Trial *lowest = nullptr, *highest = nullptr;
  for (const Trial& t : sweep.trials) {
    if (!t.succeeded()) continue;
    if (!lowest || t.values[objective] < lowest->values[objective]) lowest = &t;
    if (!highest || t.values[objective] > highest->values[objective]) highest = &t;
  }
  return {lowest, highest};
}

std::string job_of(const Trial& t) { return "job " + std::to_string(t.job + 1); }

/// sweep of "five-bar" over L01, L02: 25 jobs, 1 failed
std::string headline(const SweepResult& sweep) {
  std::string text = "sweep of \"" + sweep.model + "\" over ";
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) text += (k > 0 ? ", " : "") + sweep.parameters[k].name;
  text += ": ";
  if (sweep.trials.size() < sweep.jobs) text += std::to_string(sweep.trials.size()) + " of ";
  text += std::to_string(sweep.jobs) + (sweep.jobs == 1 ? " job" : " jobs");
  if (const std::size_t failed = failures(sweep)) text += ", " + std::to_string(failed) + " failed";
  return text;
}

const SweepResult* test_sweep(lua_State* L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return nullptr;
  lua_getfield(L, -1, result_key);
  const SweepResult* found = test_userdata<SweepResult>(L, -1);
  lua_pop(L, 2);  // the metatable keeps it
  return found;
}

int sweep_tostring(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "__tostring");
  std::string text = headline(sweep);
  for (std::size_t k = 0; k < sweep.objectives.size(); ++k) {
    const Trial* lowest = extremes(sweep, k).first;
    if (!lowest) continue;
    text += "; lowest " + sweep.objectives[k] + " " + short_number(lowest->values[k]) + " (" + job_of(*lowest) + ")";
  }
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int sweep_pretty(lua_State* L) {
  const SweepResult& sweep = check_sweep(L, "__pretty");
  TextRows rows{{"job"}};
  for (const auto& q : sweep.parameters) rows[0].push_back(labelled(q));
  for (const std::string& name : sweep.objectives) rows[0].push_back(name);
  std::string reasons;
  std::size_t failed = 0;
  for (std::size_t k = 0; k < std::min(most_rows, sweep.trials.size()); ++k) {
    const Trial& t = sweep.trials[k];
    rows.push_back({std::to_string(t.job + 1)});
    for (const double x : t.point) rows.back().push_back(short_number(x));
    for (const double x : t.values) rows.back().push_back(short_number(x));
    if (t.succeeded()) continue;
    rows.back().insert(rows.back().end(), sweep.objectives.size(), "failed");
    if (++failed <= most_reasons)
      reasons += "\n  " + job_of(t) + " failed: " + t.failure.substr(0, t.failure.find('\n'));
  }
  std::string text = headline(sweep) + aligned(rows);
  if (sweep.trials.size() > most_rows) {
    text += "\n  and " + std::to_string(sweep.trials.size() - most_rows) + " more";
    for (std::size_t k = 0; k < sweep.objectives.size(); ++k) {
      const auto [lowest, highest] = extremes(sweep, k);
      if (!lowest) continue;
      text += "\n  " + sweep.objectives[k] + ": lowest " + short_number(lowest->values[k]) + " (" + job_of(*lowest) +
              "), highest " + short_number(highest->values[k]) + " (" + job_of(*highest) + ")";
    }
  }
  text += reasons;
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

void push_by_parameter(lua_State* L, const SweepResult& sweep, const std::vector<double>& numbers) {
  lua_newtable(L);
  for (std::size_t p = 0; p < numbers.size(); ++p) set_number(L, sweep.parameters[p].name.c_str(), numbers[p]);
  refuse_other_names(L);
}

void push_row(lua_State* L, const SweepResult& sweep, const Trial& t) {
  lua_newtable(L);
  set_integer(L, "job", static_cast<lua_Integer>(t.job) + 1);
  push_by_parameter(L, sweep, t.point);
  lua_setfield(L, -2, "parameters");
  if (!t.warnings.empty()) set_names(L, "warnings", t.warnings);
  if (!t.succeeded()) {
    set_text(L, "failure", t.failure);
    return;
  }
  lua_newtable(L);
  for (std::size_t k = 0; k < t.values.size(); ++k) set_number(L, sweep.objectives[k].c_str(), t.values[k]);
  refuse_other_names(L);
  lua_setfield(L, -2, "values");
  if (t.derivatives.empty()) return;
  lua_newtable(L);
  for (std::size_t k = 0; k < t.derivatives.size(); ++k) {
    push_by_parameter(L, sweep, t.derivatives[k]);
    lua_setfield(L, -2, sweep.objectives[k].c_str());
  }
  lua_setfield(L, -2, "gradients");
}

constexpr std::string_view example = R"(local mbs = require "perilune"
local m = mbs.model { "pendulum", gravity = {0, -9.81} }
local L = m:param { "L", 1, unit = "m", min = 0.5, max = 2 }
local c = m:param { "c", 0.1, unit = "N s/m", min = 0, max = 1 }
local A, P = m:ground { at = {0, 0} }, m:point { "P", at = {L, 0}, mass = 1 }
m:distance { A, P }
m:force { "drag", on = P, law = function(s) return -c * s.vx, -c * s.vy end }
local height = m:objective { "height", integral = function() return P.y^2 end }
for _, design in ipairs { mbs.grid { 3, {0, 0.5} }, mbs.list { {1, 0.1}, {2, 0.2} },
                          mbs.random { points = 4 }, mbs.latin_hypercube { points = 4, seed = 2 } } do
  local found = mbs.sweep { height, over = { L, c }, design = design, t = 1 }
  print(found, found[1].parameters.L, found.best.values.height)
end
local slopes = mbs.sweep { height, over = L, design = mbs.grid { 5 }, t = 1, method = mbs.adjoint {} }
print(slopes[1].gradients.height.L)
slopes:plot()
slopes:csv(os.tmpname()))";

}  // namespace

std::string labelled(const SweepResult::Quantity& q) { return q.unit.empty() ? q.name : q.name + " [" + q.unit + "]"; }

const SweepResult& check_sweep(lua_State* L, const char* method) {
  if (const SweepResult* sweep = test_sweep(L, 1)) return *sweep;
  throw Error(std::string(method) + " is a method of what mbs.sweep returns: write found:" + method +
              " with a colon, not found." + method);
}

std::string_view sweep_example() { return example; }

void push_sweep(lua_State* L, SweepResult sweep) {
  lua_createtable(L, static_cast<int>(sweep.trials.size()), 6);
  const Trial* best = sweep.objectives.empty() ? nullptr : extremes(sweep, 0).first;
  for (std::size_t k = 0; k < sweep.trials.size(); ++k) {
    push_row(L, sweep, sweep.trials[k]);
    if (&sweep.trials[k] == best) {
      lua_pushvalue(L, -1);
      lua_setfield(L, -3, "best");
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  set_integer(L, "jobs", static_cast<lua_Integer>(sweep.jobs));
  set_integer(L, "failed", static_cast<lua_Integer>(failures(sweep)));
  lua_pushboolean(L, sweep.trials.size() == sweep.jobs);
  lua_setfield(L, -2, "complete");

  lua_createtable(L, 0, 4);
  lua_pushcfunction(L, guarded<sweep_tostring>);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, guarded<sweep_pretty>);
  lua_setfield(L, -2, "__pretty");
  push_methods(L, "sweep");
  lua_setfield(L, -2, "__index");
  push_metatable<SweepResult>(L, "sweep_result");
  lua_pop(L, 1);
  push_userdata(L, "sweep_result", std::move(sweep));
  lua_setfield(L, -2, result_key);
  lua_setmetatable(L, -2);
}

}  // namespace perilune::lua
