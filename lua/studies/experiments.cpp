// SPDX-License-Identifier: MIT
#include "studies/experiments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "simulation/run.hpp"
#include "values/expression.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

class ExperimentReader {
 public:
  ExperimentReader(Args& args, lua_State* L, int index, lua_Integer number, const ExperimentFields& fields)
      : args_(args),
        state_(L),
        index_(index),
        number_(number),
        who_("experiments[" + std::to_string(number) + "]"),
        fields_(fields) {
    if (!lua_istable(L, index)) {
      fail("must be a table such as { \"bump\", set = { speed = 2 * speed } }, got " + described_value(L, index));
    }
    check_experiment_keys();
  }

  /// Fills the last of all experiments.
  void read(const simulation::Problem& common, std::vector<NamedRun>& all) {
    NamedRun& out = all.back();
    out.problem = common;
    read_name(out, all);
    out.weight = number("weight").value_or(1);
    if (out.weight <= 0) fail("weight must be positive, got " + number_text(out.weight));
    read_run(out.problem);
    read_set(out);
    if (fields_.read_others) fields_.read_others(index_, who_, out);
    try {
      out.parameters(args_.model()->parameter_values());
    } catch (const NumericalError& problem) {
      args_.fail(problem.what());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { args_.fail(who_ + ": " + problem); }

  void check_experiment_keys() {
    const std::vector<std::string>& known = fields_.known;
    for (lua_pushnil(state_); lua_next(state_, index_); lua_pop(state_, 1)) {
      if (lua_isinteger(state_, -2) && lua_tointeger(state_, -2) == 1) continue;
      if (lua_type(state_, -2) != LUA_TSTRING) fail("it has one name and else fields, not " + value_text(-1));
      const std::string key = lua_tostring(state_, -2);
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::vector<model::Parameter>& all = args_.engine().parameters();
      const bool is_parameter = std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.name == key; });
      fail("it has no field '" + key + "'" + did_you_mean(closest(key, known)) +
           (is_parameter ? "\na parameter's value goes into set: set = { " + key + " = ... }"
                         : "\nit has " + listed(known)));
    }
  }

  static std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  }

  void read_name(NamedRun& out, const std::vector<NamedRun>& all) {
    lua_rawgeti(state_, index_, 1);
    if (lua_isnil(state_, -1)) {
      out.name = "experiment " + std::to_string(number_);
    } else if (lua_type(state_, -1) == LUA_TSTRING && lua_rawlen(state_, -1) > 0) {
      out.name = lua_tostring(state_, -1);
    } else {
      fail("the name must be a string, got " + value_text(-1));
    }
    lua_pop(state_, 1);
    for (const NamedRun& other : all) {
      if (&other != &out && other.name == out.name)
        fail("the name \"" + out.name + "\" is taken; give each experiment its own");
    }
    who_ = "experiment \"" + out.name + "\"";
  }

  std::optional<double> number(const char* key) {
    lua_getfield(state_, index_, key);
    std::optional<double> found;
    if (!lua_isnil(state_, -1)) {
      if (lua_type(state_, -1) != LUA_TNUMBER || !std::isfinite(lua_tonumber(state_, -1))) {
        fail(std::string(key) + " must be a finite number, got " + value_text(-1));
      }
      found = lua_tonumber(state_, -1);
    }
    lua_pop(state_, 1);
    return found;
  }

  void read_run(simulation::Problem& problem) {
    problem.end = number("t").value_or(problem.end);
    problem.start = number("start").value_or(problem.start);
    if (!(problem.end > problem.start)) {
      fail("t must be greater than the start, got " + number_text(problem.end) + " and " + number_text(problem.start));
    }
    if (lua_getfield(state_, index_, "at_rest") != LUA_TNIL) {
      if (!lua_isboolean(state_, -1)) fail("at_rest must be true or false, got " + value_text(-1));
      problem.start_from = lua_toboolean(state_, -1) ? analysis::StartFrom::Rest : analysis::StartFrom::Declared;
    }
    lua_pop(state_, 1);
    if (lua_getfield(state_, index_, "stop") != LUA_TNIL) {
      if (lua_isboolean(state_, -1) && !lua_toboolean(state_, -1)) {
        problem.stop = nullptr;
      } else {
        if (!problem.phases.empty()) fail("a motion in phases ends with its last phase, which has a stop of its own");
        const expr::NodeId stop = expression_at(args_, state_, "stop", lua_gettop(state_), true);
        const std::shared_ptr<const expr::Graph> graph(args_.model(), &args_.engine().graph());
        problem.stop = std::make_shared<simulation::Objective>("stop", graph, stop, expr::no_node);
      }
    }
    lua_settop(state_, index_);
  }

  /// The expression or number on top of the stack, which a parameter is set to.
  expr::NodeId setting(const std::string& name) {
    expr::Graph& graph = args_.engine().graph();
    if (lua_type(state_, -1) == LUA_TNUMBER) {
      if (!std::isfinite(lua_tonumber(state_, -1))) fail("set." + name + " must be finite, got " + value_text(-1));
      return graph.constant(lua_tonumber(state_, -1));
    }
    const Expression* expression = test_userdata<Expression>(state_, lua_gettop(state_));
    if (!expression) fail("set." + name + " must be a number or an expression of parameters, got " + value_text(-1));
    if (expression->model != args_.model()) fail("set." + name + ": the expression is of another model");
    for (const expr::NodeId id : graph.variables_of({expression->node})) {
      if (graph.variable_of(id).quantity == expr::Quantity::Parameter) continue;
      fail("set." + name + ": '" + graph.variable_of(id).name +
           "' changes with time; a parameter is set before the run, to an expression of parameters alone");
    }
    return expression->node;
  }

  void read_set(NamedRun& out) {
    if (lua_getfield(state_, index_, "set") == LUA_TNIL) {
      lua_pop(state_, 1);
      return;
    }
    const int table = lua_gettop(state_);
    if (!lua_istable(state_, table)) fail("set must be a table such as { k = 2 * k }, got " + value_text(table));
    const std::vector<model::Parameter>& all = args_.engine().parameters();
    std::vector<std::string> known;
    for (const model::Parameter& p : all) known.push_back(p.name);
    for (lua_pushnil(state_); lua_next(state_, table); lua_pop(state_, 1)) {
      if (lua_type(state_, -2) != LUA_TSTRING) {
        fail("set has parameters by their names, as in { k = 2 * k }, not " + value_text(-1));
      }
      const std::string name = lua_tostring(state_, -2);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail("set: the model has no parameter '" + name + "'" + suggestion_or_list(name, known, "the parameters"));
    }
    std::vector<expr::NodeId> nodes, inputs;
    for (std::size_t k = 0; k < all.size(); ++k) {
      inputs.push_back(all[k].node);
      lua_pushstring(state_, all[k].name.c_str());
      if (lua_rawget(state_, table) != LUA_TNIL) {
        nodes.push_back(setting(all[k].name));
        out.set.push_back({static_cast<int>(k), all[k].name, all[k].lower, all[k].upper});
      }
      lua_pop(state_, 1);
    }
    if (!nodes.empty()) out.settings = expr::Tape(args_.engine().graph(), inputs, nodes);
    lua_settop(state_, index_);
  }

  std::string value_text(int index) const { return described_value(state_, index); }

  Args& args_;
  lua_State* state_;
  int index_;
  lua_Integer number_;
  std::string who_;
  const ExperimentFields& fields_;
};

std::vector<double> evaluated(const expr::Tape& tape, const std::vector<double>& rho) {
  std::vector<double> work = tape.make_work<double>();
  std::copy_n(rho.begin(), tape.input_count(), work.begin());
  tape.evaluate(work.data());
  return work;
}

/// Of a run that no parameter moves.
sensitivity::Gradient values_of(const simulation::Problem& problem, const std::vector<double>& parameters) {
  const simulation::Evaluation run = simulation::evaluate(problem, parameters);
  sensitivity::require_complete(run.solution);
  if (problem.stop && !run.solution.stop) throw NumericalError("the stop condition was not met before the end time");
  sensitivity::Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  return out;
}

}  // namespace

std::string NamedRun::prefix() const { return name.empty() ? "" : "experiment \"" + name + "\": "; }

std::vector<double> NamedRun::parameters(const std::vector<double>& rho) const {
  std::vector<double> own = rho;
  if (set.empty()) return own;
  const std::vector<double> work = evaluated(settings, rho);
  for (std::size_t k = 0; k < set.size(); ++k) {
    const Setting& s = set[k];
    double value = work[static_cast<std::size_t>(settings.output_slot(static_cast<int>(k)))];
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(value);
    if (value > s.upper && value <= s.upper + rounding) value = s.upper;
    if (value < s.lower && value >= s.lower - rounding) value = s.lower;
    const bool fits = s.lower <= value && value <= s.upper;
    if (!fits || !std::isfinite(value)) {
      throw NumericalError(prefix() + s.name + " is set to " + number_text(value) +
                           (!std::isfinite(value) ? ", which is no finite number"
                            : value > s.upper     ? ", above its max = " + number_text(s.upper)
                                                  : ", below its min = " + number_text(s.lower)));
    }
    own[static_cast<std::size_t>(s.parameter)] = value;
  }
  return own;
}

std::vector<int> NamedRun::over(const std::vector<int>& asked) const {
  std::vector<int> own = asked;
  std::vector<char> moves;
  if (!set.empty()) moves = settings.reached_by(asked);
  for (std::size_t k = 0; k < set.size(); ++k) {
    std::erase(own, set[k].parameter);
    if (moves[k]) own.push_back(set[k].parameter);
  }
  std::sort(own.begin(), own.end());
  return own;
}

std::vector<std::vector<double>> NamedRun::pull_back(const std::vector<std::vector<double>>& rows,
                                                     const std::vector<int>& asked,
                                                     const std::vector<double>& rho) const {
  const std::vector<int> own = over(asked);
  // slopes[i][j]: of the parameter own[i] of the experiment by asked[j]
  std::vector<std::vector<double>> slopes(own.size(), std::vector<double>(asked.size(), 0.0));
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto setting = std::find_if(set.begin(), set.end(), [&](const Setting& s) { return s.parameter == own[i]; });
    if (setting == set.end()) {
      slopes[i][static_cast<std::size_t>(std::find(asked.begin(), asked.end(), own[i]) - asked.begin())] = 1;
      continue;
    }
    const std::vector<double> work = evaluated(settings, rho);
    std::vector<double> adjoint(work.size(), 0.0);
    adjoint[static_cast<std::size_t>(settings.output_slot(static_cast<int>(setting - set.begin())))] = 1;
    settings.reverse(work.data(), adjoint.data());
    for (std::size_t j = 0; j < asked.size(); ++j) slopes[i][j] = adjoint[static_cast<std::size_t>(asked[j])];
  }
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& row : rows) {
    out.emplace_back(asked.size(), 0.0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (std::size_t j = 0; j < asked.size(); ++j) out.back()[j] += row[i] * slopes[i][j];
    }
  }
  return out;
}

void leave_room(const std::vector<NamedRun>& experiments, const std::vector<double>& rho, const std::vector<int>& over,
                std::vector<optimize::Variable>& variables) {
  for (const NamedRun& e : experiments) {
    for (std::size_t k = 0; k < e.set.size(); ++k) {
      const NamedRun::Setting& s = e.set[k];
      const auto at = std::find(over.begin(), over.end(), s.parameter);
      if (at == over.end()) continue;
      const auto output = static_cast<int>(k);
      const auto own = static_cast<std::size_t>(s.parameter);
      bool reads_others = false;
      for (int i = 0; i < e.settings.input_count(); ++i)
        reads_others |= i != s.parameter && e.settings.depends(output, i);
      if (reads_others) continue;
      const auto value = [&](double x) {
        std::vector<double> point = rho;
        point[own] = x;
        return evaluated(e.settings, point)[static_cast<std::size_t>(e.settings.output_slot(output))];
      };
      const double x = rho[own], step = std::max(1.0, std::abs(x));
      const double slope = (value(x + step) - value(x - step)) / (2 * step), rest = value(x) - slope * x;
      const double gap = value(x + 2 * step) - slope * (x + 2 * step) - rest;
      const bool is_straight = slope != 0 && std::abs(gap) <= 1e-12 * (std::abs(rest) + std::abs(slope) * step);
      if (!is_straight) continue;  // a search that leaves the bounds there turns back at the failing run
      const double one = (s.lower - rest) / slope, two = (s.upper - rest) / slope;
      optimize::Variable& variable = variables[static_cast<std::size_t>(at - over.begin())];
      variable.lower = std::max(variable.lower, std::min(one, two));
      variable.upper = std::min(variable.upper, std::max(one, two));
    }
  }
}

namespace {

/// What `run` finds with the experiment's own parameters; its failures and warnings name the experiment.
template <class Run>
sensitivity::Gradient in_its_name(const NamedRun& experiment, Run&& run) {
  sensitivity::Gradient found;
  try {
    found = run();
  } catch (const NumericalError& problem) {
    throw NumericalError(experiment.prefix() + problem.what());
  }
  for (std::string& warning : found.warnings) warning = experiment.prefix() + warning;
  return found;
}

}  // namespace

sensitivity::Gradient values_of(const NamedRun& experiment, const std::vector<double>& rho) {
  const std::vector<double> own = experiment.parameters(rho);
  return in_its_name(experiment, [&] { return values_of(experiment.problem, own); });
}

sensitivity::Gradient gradient_of(const NamedRun& experiment, const std::vector<double>& rho,
                                  const std::vector<int>& asked, const sensitivity::Method& method) {
  const std::vector<double> own = experiment.parameters(rho);
  const std::vector<int> by = experiment.over(asked);
  sensitivity::Gradient found = in_its_name(experiment, [&] {
    return by.empty() ? values_of(experiment.problem, own) : sensitivity::gradient(experiment.problem, own, by, method);
  });
  found.derivatives.resize(found.values.size());  // without numbers where nothing moves the run
  found.derivatives = experiment.pull_back(found.derivatives, asked, rho);
  return found;
}

std::vector<NamedRun> read_experiments(Args& args, lua_State* L, const simulation::Problem& common,
                                       const ExperimentFields& fields) {
  std::vector<NamedRun> out;
  const int index = args.value("experiments");
  if (index == 0) {
    out.emplace_back();
    out.back().problem = common;
    return out;
  }
  if (!lua_istable(L, index)) args.fail_value("experiments", index);
  check_list(args, L, "experiments", index);
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    ExperimentReader reader(args, L, lua_gettop(L), i, fields);
    out.emplace_back();
    reader.read(common, out);
    lua_settop(L, index);
  }
  lua_settop(L, index - 1);
  if (out.empty()) args.fail("experiments is empty: nothing would be run; leave it out for a single run");
  return out;
}

}  // namespace perilune::lua
