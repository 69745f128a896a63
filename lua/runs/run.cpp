// SPDX-License-Identifier: MIT
// What a simulation returns: signals by name.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/removal.hpp"
#include "model/signals.hpp"
#include "poll.hpp"
#include "runs/phases.hpp"
#include "runs/run.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

const RunHandle& check_run(lua_State* L, const char* method) {
  if (const RunHandle* run = test_userdata<RunHandle>(L, 1)) return *run;
  throw Error(std::string(method) + " is a method of a run: write run:" + method + " with a colon, not run." + method);
}

std::string check_path(lua_State* L, const char* method) {
  if (lua_type(L, 2) == LUA_TSTRING) return lua_tostring(L, 2);
  throw Error(std::string(method) + ": expected the name of a file, got " + described_value(L, 2));
}

namespace {

/// Values of a signal that a script goes on with.
const std::vector<double>& numbers(const std::vector<double>& values, const std::vector<double>& times) {
  const auto found = std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  if (found == values.end()) return values;
  char text[160];
  std::snprintf(text, sizeof text,
                "the signal is not a number at t = %.6g s: it takes a root or a logarithm of a negative number, or "
                "divides zero by zero",
                times[static_cast<std::size_t>(found - values.begin())]);
  throw Error(text);
}

int times(lua_State* L) {
  push_list(L, check_run(L, "times").trajectory->times());
  return 1;
}

// Units are asked for there, and what is not asked for is not to be ignored.
void refuse_more(lua_State* L, const std::string& function, const std::string& last) {
  constexpr int most = 3;
  if (lua_gettop(L) <= most) return;
  throw Error(function + ": expected nothing behind " + last + ", got " + described_value(L, most + 1) +
              "; values are in SI units, of which math.deg makes degrees");
}

int values(lua_State* L) {
  const RunHandle& run = check_run(L, "values");
  refuse_more(L, "values", "the list of times");
  const expr::NodeId node = check_signal(L, run, 2);
  if (lua_isnoneornil(L, 3)) {
    push_list(L, numbers(run.trajectory->evaluate(node), run.trajectory->times()));
    return 1;
  }
  std::vector<double> times;
  if (!lua_istable(L, 3)) throw Error("values: expected a list of times, got " + described_value(L, 3));
  Poll poll;
  for (lua_Integer i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; ++i) {
    poll();
    if (lua_type(L, -1) != LUA_TNUMBER) throw Error("values: expected a list of times, got " + described_value(L, -1));
    times.push_back(lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
  push_list(L, numbers(run.trajectory->evaluate(node, times), times));
  return 1;
}

int at(lua_State* L) {
  const RunHandle& run = check_run(L, "at");
  refuse_more(L, "at", "the time");
  const expr::NodeId node = check_signal(L, run, 2);
  if (run.equilibrium && lua_isnoneornil(L, 3)) {
    lua_pushnumber(L, numbers(run.trajectory->evaluate(node), run.trajectory->times()).back());
    return 1;
  }
  if (lua_type(L, 3) != LUA_TNUMBER) throw Error("at: expected a time, got " + described_value(L, 3));
  const std::vector<double> times{lua_tonumber(L, 3)};
  lua_pushnumber(L, numbers(run.trajectory->evaluate(node, times), times).front());
  return 1;
}

/// The declared coordinate and the declared velocity that assembly changed most; empty if it left them alone.
std::string assembly_note(const RunHandle& run) {
  constexpr double least = 1e-6;  // what rounding of declared places may leave
  const simulation::Evaluation& of = run.trajectory->run();
  const std::vector<model::Coordinate> coordinates = model::present_coordinates(run.trajectory->model());
  if (!of.data || of.initial.q.size() != coordinates.size()) return {};  // driven motions have no assembly of their own
  double moved = least, turned = least;
  std::string positions, velocities;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i].role == model::Role::Auxiliary) continue;
    const double q = of.data->initial_q[i], v = of.data->initial_v[i], dq = of.initial.q[i] - q,
                 dv = of.initial.v[i] - v;
    if (std::abs(dq) > moved) {
      moved = std::abs(dq);
      positions = "; assembly moved " + coordinates[i].name + " by " + number_text(dq);
    }
    if (v != 0 && std::abs(dv) > turned) {
      turned = std::abs(dv);
      velocities =
          "; assembly made the rate of " + coordinates[i].name + " " + number_text(v + dv) + ", not " + number_text(v);
    }
  }
  return positions + velocities;
}

/// What the audit says, in few digits: figures of rounding are not the same on every machine.
std::string quality_note(const simulation::Quality& quality) {
  if (!quality.is_known) return {};
  auto digit = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.0e", value);
    return std::string(text);
  };
  const double error = quality.knows_energy ? quality.energy_error : quality.constraint_work;
  return (quality.knows_energy ? "; energy to " : "; work of constraints to ") +
         digit(quality.energy > 0 ? error / quality.energy : 0) + ", constraints to " +
         digit(std::max(quality.position_drift, quality.normalization));
}

void push_quality(lua_State* L, const RunHandle& run) {
  const simulation::Evaluation& of = run.trajectory->run();
  const integrator::Statistics& work = of.solution.statistics;
  lua_createtable(L, 0, 9);
  set_number(L, "energy", of.quality.energy);
  if (of.quality.knows_energy) set_number(L, "energy_error", of.quality.energy_error);
  set_number(L, "constraint_work", of.quality.constraint_work);
  set_number(L, "position_drift", of.quality.position_drift);
  set_number(L, "velocity_drift", of.quality.velocity_drift);
  set_number(L, "normalization", of.quality.normalization);
  set_number(L, "pivot_ratio", of.quality.pivot_ratio);
  set_number(L, "rejected", work.steps > 0 ? static_cast<double>(work.rejected) / static_cast<double>(work.steps) : 0);
  lua_newtable(L);
  const auto& objectives = run.trajectory->problem().objectives;
  for (size_t k = 0; k < of.integral_errors.size(); ++k) {
    if (objectives[k]->integral) set_number(L, objectives[k]->name.c_str(), of.integral_errors[k]);
  }
  lua_setfield(L, -2, "integral_error");
}

int run_tostring(lua_State* L) {
  const RunHandle& run = own_userdata<RunHandle>(L);
  const integrator::Solution& s = run.trajectory->solution();
  std::string text = "run of \"" + run.model->engine->name() + "\" ";
  if (run.equilibrium) {
    text += "at t = " + number_text(s.mesh.t.front()) + " s: " + run.trajectory->how() + ", " +
            std::to_string(s.statistics.newton_iterations) + " iterations, residual " +
            number_text(run.equilibrium->residual);
    lua_pushstring(L, text.c_str());
    return 1;
  }
  text += "from " + number_text(s.mesh.t.front()) + " to " + number_text(s.mesh.t.back()) +
          " s: " + run.trajectory->how() + ", " + std::to_string(s.statistics.steps) + " steps";
  if (s.statistics.rejected) text += ", " + std::to_string(s.statistics.rejected) + " rejected";
  text += quality_note(run.trajectory->run().quality);
  if (s.status != integrator::Status::Completed) text += "; stopped: " + s.message;
  text += assembly_note(run);
  lua_pushstring(L, text.c_str());
  return 1;
}

// The text and how far the coordinates, the energy and the drift went.
int run_pretty(lua_State* L) {
  constexpr size_t most_coordinates = 8;
  run_tostring(L);
  std::string text = lua_tostring(L, -1);
  const RunHandle& run = own_userdata<RunHandle>(L);
  const std::vector<model::Coordinate> coordinates = model::present_coordinates(run.trajectory->model());
  std::vector<std::string> names;
  for (const model::Coordinate& c : coordinates) {
    if (names.size() < most_coordinates && c.role != model::Role::State) names.push_back(c.name);
  }
  const bool is_cut = names.size() < coordinates.size();
  names.insert(names.end(), {"energy.total", "constraint.drift"});
  const format::Table table = run.trajectory->table(shown_signals(run.trajectory->model(), names));
  size_t width = 0;
  for (const format::Column& column : table.columns) width = std::max(width, format::heading(column).size());
  char line[200];
  std::snprintf(line, sizeof line, "\n  %-*s %12s %12s %12s %12s", static_cast<int>(width), "", "start", "end",
                "lowest", "highest");
  text += line;
  for (const format::Column& column : table.columns) {
    const std::vector<double>& values = column.values;
    if (values.empty() || column.name == "t") continue;
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    std::snprintf(line, sizeof line, "\n  %-*s %12.6g %12.6g %12.6g %12.6g", static_cast<int>(width),
                  format::heading(column).c_str(), values.front(), values.back(), *lowest, *highest);
    text += line;
  }
  if (is_cut) text += "\n  and " + std::to_string(coordinates.size() - most_coordinates) + " more coordinates";
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

void push_events(lua_State* L, const RunHandle& run) {
  const std::vector<integrator::Event>& events = run.trajectory->solution().events;
  lua_createtable(L, static_cast<int>(events.size()), 0);
  for (size_t k = 0; k < events.size(); ++k) {
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, events[k].t);
    lua_setfield(L, -2, "t");
    lua_pushstring(L, events[k].name.c_str());
    lua_setfield(L, -2, "what");
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

int run_index(lua_State* L) {
  const RunHandle& run = own_userdata<RunHandle>(L);
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  luaL_getmetafield(L, 1, "methods");
  if (lua_getfield(L, -1, key.c_str()) != LUA_TNIL) return 1;
  const integrator::Solution& s = run.trajectory->solution();
  const std::pair<const char*, long> counters[] = {{"steps", s.statistics.steps},
                                                   {"rejected", s.statistics.rejected},
                                                   {"evaluations", s.statistics.evaluations},
                                                   {"jacobians", s.statistics.jacobians},
                                                   {"factorizations", s.statistics.factorizations},
                                                   {"newton_iterations", s.statistics.newton_iterations}};
  for (const auto& [name, count] : counters) {
    if (key != name) continue;
    lua_pushinteger(L, count);
    return 1;
  }
  if (key == "reason") {
    lua_pushstring(L, s.message.c_str());
    return 1;
  }
  const std::pair<const char*, double> numbers[] = {
      {"seconds", run.seconds}, {"t", s.mesh.t.back()}, {"moved", run.trajectory->run().initial.moved}};
  for (const auto& [name, value] : numbers) {
    if (key != name) continue;
    lua_pushnumber(L, value);
    return 1;
  }
  if (key == "events") {
    push_events(L, run);
    return 1;
  }
  if (key == "quality") {
    if (!run.trajectory->run().quality.is_known) return 0;
    push_quality(L, run);
    return 1;
  }
  if (key == "warnings") {
    const std::vector<std::string>& warnings = run.trajectory->run().warnings;
    lua_createtable(L, static_cast<int>(warnings.size()), 0);
    for (size_t k = 0; k < warnings.size(); ++k) {
      lua_pushstring(L, warnings[k].c_str());
      lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
    }
    return 1;
  }
  if (run.equilibrium && key == "residual") {
    lua_pushnumber(L, run.equilibrium->residual);
    return 1;
  }
  if (run.equilibrium && key == "stable") {
    using Stability = analysis::Equilibrium::Stability;
    if (run.equilibrium->stability == Stability::Unknown) return 0;
    lua_pushboolean(L, run.equilibrium->stability == Stability::Stable);
    return 1;
  }
  if (key == "phases") {
    push_phase_list(L, *run.trajectory);
    return 1;
  }
  if (key == "objectives") {
    lua_newtable(L);
    const auto& objectives = run.trajectory->problem().objectives;
    for (size_t k = 0; k < objectives.size(); ++k) {
      lua_pushnumber(L, run.trajectory->run().values[k]);
      lua_setfield(L, -2, objectives[k]->name.c_str());
    }
    refuse_other_names(L);
    return 1;
  }
  if (key == "peaks") {
    push_peaks(L, *run.trajectory);
    return 1;
  }
  std::vector<std::string> names = run_members(run);
  names.insert(names.end(), {"times", "values", "at", "csv", "json", "svg", "gnuplot", "plot", "view", "vtk", "movie"});
  const std::string title = "a run has no field or method '" + key + "'";
  if (const std::string_view elsewhere = full_name_of(key); !elsewhere.empty()) {
    throw Error(title + did_you_mean(elsewhere));
  }
  const std::string meaning = closest(key, names).empty() ? meaning_of(key) : "";
  throw Error(title + (meaning.empty() ? suggestion_or_list(key, names, "a run has") : meaning));
}

int run_newindex(lua_State* L) {
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  throw Error("a run cannot be changed: its field '" + key + "' cannot be set");
}

}  // namespace

std::vector<std::string> run_members(const RunHandle& run) {
  std::vector<std::string> names = {
      "steps",  "rejected", "evaluations", "jacobians", "factorizations", "newton_iterations",
      "reason", "seconds",  "t",           "moved",     "objectives",     "warnings",
      "events", "phases",   "quality",     "peaks"};
  if (run.equilibrium) names.insert(names.end(), {"residual", "stable"});
  return names;
}

void push_run(lua_State* L, RunHandle run) {
  if (push_metatable<RunHandle>(L, "run")) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<run_index>},
                                      {"__newindex", guarded<run_newindex>},
                                      {"__tostring", guarded<run_tostring>},
                                      {"__pretty", guarded<run_pretty>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
    push_methods(L, "run");
    lua_setfield(L, -2, "methods");
  }
  lua_pop(L, 1);
  push_userdata(L, "run", std::move(run));
}

std::span<const Function> run_functions() {
  static const std::vector<Function> functions = [] {
    const std::string_view example = run_example();
    std::vector<Function> list = {
        {.name = "run:times",
         .signature = "run:times()",
         .returns = "number[]",
         .summary = "The list of the times of the accepted steps (s).",
         .example = example,
         .see_also = {"values", "at"},
         .function = guarded<times>},
        {.name = "run:values",
         .signature = "run:values(signal, times)",
         .arguments = {{"signal", signal_name, "its name, or an expression", unitless},
                       {"times?", "number[]", "where to take them", "s"}},
         .returns = "number[]",
         .summary = "The values of a signal (a name or an expression) at the accepted steps, or at the given times by\n"
                    "dense output.",
         .example = example,
         .see_also = {"at", "times", "signals"},
         .function = guarded<values>},
        {.name = "run:at",
         .signature = "run:at(signal, time)",
         .arguments = {{"signal", signal_name, "its name, or an expression", unitless},
                       {"time?", "number", "within the run", "s"}},
         .returns = "number",
         .summary = "The value of a signal at one time; of an equilibrium the time can be left out.",
         .example = example,
         .see_also = {"values"},
         .function = guarded<at>},
    };
    for (const auto& more : {beam_envelope_functions(), run_output_functions()}) {
      list.insert(list.end(), more.begin(), more.end());
    }
    return list;
  }();
  return functions;
}

}  // namespace perilune::lua
