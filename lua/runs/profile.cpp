// SPDX-License-Identifier: MIT
// mbs.profile: where a run spent its time. The run is repeated with a clock in it, so that no other run pays for one.
#include <algorithm>
#include <cstdio>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "profile.hpp"
#include "runs/run.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

struct TaskText {
  Task task;
  const char *name, *what;
};

// In the order of a run.
constexpr TaskText texts[] = {{Task::Start, "start", "data, assembly and checks of the first state"},
                              {Task::Elements, "elements", "masses, forces and constraints"},
                              {Task::Slopes, "slopes", "their derivatives, for Newton's method and Rosenbrock steps"},
                              {Task::Factorization, "factorization", "of the matrices of the equations of motion"},
                              {Task::Solution, "solution", "of linear equations with these"},
                              {Task::Recursion, "recursion", "accelerations of a tree, joint by joint"},
                              {Task::Projection, "projection", "of steps onto the constraints"},
                              {Task::Events, "events", "search for switches, stops and corners"},
                              {Task::Measures, "objectives", "along the motion"},
                              {Task::Audit, "audit", "of energy, drift and singular positions"},
                              {Task::Steps, "steps", "all else: sums of steps, their errors, the mesh"}};
static_assert(std::size(texts) == task_count);

struct Measured {
  simulation::Evaluation run;
  double total = 0;  // s
  double seconds[task_count] = {};
  long visits[task_count] = {};
};

Measured measure_once(const RunHandle& handle) {
  simulation::Problem problem = handle.trajectory->problem();
  problem.progress = {};  // the line that heard of it is gone
  Measured out;
  Profile profile;
  out.run = simulation::evaluate(problem, handle.trajectory->run().data->parameters);
  profile.stop();
  for (std::size_t k = 0; k < task_count; ++k) {
    out.seconds[k] = profile.seconds(texts[k].task);
    out.visits[k] = profile.visits(texts[k].task);
    out.total += out.seconds[k];
  }
  return out;
}

/// The fastest of several: what interrupts short runs is many times as long as they are.
Measured measure(const RunHandle& handle) {
  constexpr int most = 20;
  constexpr double enough = 0.1;  // s
  Measured best = measure_once(handle);
  double sum = best.total;
  for (int k = 1; k < most && sum < enough && best.total > 0; ++k) {
    Measured next = measure_once(handle);
    sum += next.total;
    if (next.total < best.total) best = std::move(next);
  }
  return best;
}

bool is_same(const integrator::Solution& a, const integrator::Solution& b) {
  return a.status == b.status && a.mesh.t == b.mesh.t && a.statistics.evaluations == b.statistics.evaluations;
}

/// What is worth a change of the script, where that is plain to see; else nothing.
std::string advice(const RunHandle& handle, const Measured& measured) {
  const auto share = [&](std::initializer_list<Task> tasks) {
    double sum = 0;
    for (std::size_t k = 0; k < task_count; ++k) {
      if (std::find(tasks.begin(), tasks.end(), texts[k].task) != tasks.end()) sum += measured.seconds[k];
    }
    return sum / measured.total;
  };
  if (is_stiff(handle.trajectory->solution().statistics)) {
    return "stability, not accuracy, limits most steps: with integrator = mbs.radau {} or mbs.bdf {} it may need far "
           "fewer";
  }
  if (share({Task::Start}) > 0.5) return "most of it finds the first state: a longer run costs little more";
  if (share({Task::Measures}) > 0.5) return "objectives cost more than the motion: give those alone that are read";
  if (share({Task::Events}) > 0.5) {
    return "most of it follows conditions to where they change: laws without corners need no search, as mbs.tanh for "
           "mbs.sign";
  }
  return {};
}

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string text_of(const RunHandle& handle, const Measured& measured, const std::string& advice) {
  TextRows rows;
  for (std::size_t k = 0; k < task_count; ++k) {
    if (measured.seconds[k] == 0 && measured.visits[k] == 0) continue;
    rows.push_back({texts[k].name, number("%.1f %%", 100 * measured.seconds[k] / measured.total),
                    number("%.4g ms", 1e3 * measured.seconds[k]),
                    measured.visits[k] > 0 ? std::to_string(measured.visits[k]) : ""});
  }
  // What it is stands to the left, behind aligned numbers.
  std::string text = aligned(rows), out;
  std::size_t at = 0;
  for (std::size_t k = 0; k < task_count; ++k) {
    if (measured.seconds[k] == 0 && measured.visits[k] == 0) continue;
    const std::size_t end = std::min(text.find('\n', at + 1), text.size());
    std::string line = text.substr(at, end - at);
    line.resize(std::max(line.size(), text.find('\n', 1)), ' ');
    out += line + "  " + texts[k].what;
    at = end;
  }
  return "profile of " + handle.trajectory->how() + ", " + number("%.4g ms", 1e3 * measured.total) + " in a run of \"" +
         handle.model->engine->name() + "\":" + out + (advice.empty() ? "" : "\n  " + advice);
}

int profile(lua_State* L) {
  const RunHandle* handle = test_userdata<RunHandle>(L, 1);
  if (!handle) {
    throw Error("profile: expected a run, what m:simulate returned, got " + described_value(L, 1));
  }
  if (lua_gettop(L) > 1) throw Error("profile takes a run and nothing else");
  const simulation::Trajectory& trajectory = *handle->trajectory;
  const integrator::Status status = trajectory.solution().status;
  if (handle->equilibrium || !trajectory.is_simulated()) {
    throw Error("profile: this is a run by " + trajectory.how() + ", which has no steps in time; it is for what " +
                "m:simulate returns");
  }
  if (status == integrator::Status::Interrupted) {
    throw Error(
        "profile: the run was interrupted, and its profile would be that of the whole; simulate it to an "
        "earlier end");
  }
  const Measured measured = measure(*handle);
  if (measured.run.solution.status == integrator::Status::Interrupted) throw Interrupted();
  if (!is_same(measured.run.solution, trajectory.solution())) {
    throw Error("profile: the run was repeated for its profile, and came out otherwise than the first time");
  }
  const std::string found = advice(*handle, measured);
  lua_newtable(L);
  set_number(L, "seconds", measured.total);
  if (!found.empty()) set_text(L, "advice", found);
  lua_newtable(L);
  for (std::size_t k = 0; k < task_count; ++k) {
    lua_newtable(L);
    set_text(L, "name", texts[k].name);
    set_number(L, "seconds", measured.seconds[k]);
    set_number(L, "share", measured.seconds[k] / measured.total);
    set_integer(L, "calls", measured.visits[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "tasks");
  set_text(L, "text", text_of(*handle, measured, found));
  print_as_text(L, "perilune.profile");
  return 1;
}

}  // namespace

std::span<const Function> profile_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.profile",
       .signature = "mbs.profile(run)",
       .arguments = {{"run", "perilune.run", "of m:simulate"}},
       .returns = "table",
       .summary =
           "Where a simulation spends its time: a table that prints. The run is done again with a clock in it, and\n"
           "takes the same steps, so that runs whose profile nobody asks for are not slower. It has seconds, by\n"
           "the clock, without what that takes itself, and tasks, a list of name, seconds, share (their sum is 1)\n"
           "and calls; advice only where one is plain to see. Start, projection, events, objectives and audit have\n"
           "all that is done within them; the others are the motion outside of these.",
       .example = run_example(),
       .see_also = {"run", "simulate"},
       .function = guarded<profile>}};
  return functions;
}

}  // namespace perilune::lua
