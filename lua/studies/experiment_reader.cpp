// SPDX-License-Identifier: MIT
// The field "experiments", item by item.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "studies/experiments.hpp"
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
    const std::vector<std::string>& known = fields_.known;
    if (std::find(known.begin(), known.end(), "model") != known.end())
      out.other = read_other_model(args_, state_, index_, who_, out.problem);
    out.weight = number("weight").value_or(1);
    if (out.weight <= 0) fail("weight must be positive, got " + number_text(out.weight));
    read_run(out);
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

  void read_run(NamedRun& out) {
    simulation::Problem& problem = out.problem;
    if (const std::optional<double> end = number("t")) {
      problem.end = *end;
      if (problem.stop && problem.stop->is_end_time) problem.stop = nullptr;
    }
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
        const ModelPtr& model = out.other ? out.other->model : args_.model();
        const expr::NodeId stop = expression_at(args_, model, state_, "stop", lua_gettop(state_), true);
        const std::shared_ptr<const model::Model> engine(model, model->engine.get());
        problem.stop = std::make_shared<simulation::Objective>("stop", engine, stop, expr::no_node);
      }
    }
    lua_settop(state_, index_);
  }

  /// The expression or number on top of the stack, which a parameter is set to, in its unit; expressions are in SI
  /// units.
  expr::NodeId setting(const model::Parameter& parameter) {
    const std::string& name = parameter.name;
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
    return graph.binary(expr::Op::Div, expression->node, graph.constant(parameter.size));
  }

  void read_set(NamedRun& out) {
    const bool is_given = lua_getfield(state_, index_, "set") != LUA_TNIL;
    if (!is_given && !out.other) {
      lua_pop(state_, 1);
      return;
    }
    if (!is_given) lua_newtable(state_);
    const int table = lua_gettop(state_);
    if (!lua_istable(state_, table)) fail("set must be a table such as { k = 2 * k }, got " + value_text(table));
    const std::vector<model::Parameter>& all = (out.other ? out.other->model : args_.model())->engine->parameters();
    std::vector<std::string> known;
    for (const model::Parameter& p : all) known.push_back(p.name);
    for (lua_pushnil(state_); lua_next(state_, table); lua_pop(state_, 1)) {
      if (lua_type(state_, -2) != LUA_TSTRING) {
        fail("set has parameters by their names, as in { k = 2 * k }, not " + value_text(-1));
      }
      const std::string name = lua_tostring(state_, -2);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail(std::string("set: ") + (out.other ? "its" : "the") + " model has no parameter '" + name + "'" +
           suggestion_or_list(name, known, "the parameters"));
    }
    std::vector<expr::NodeId> nodes, inputs;
    for (const model::Parameter& p : args_.engine().parameters()) inputs.push_back(p.node);
    for (std::size_t k = 0; k < all.size(); ++k) {
      lua_pushstring(state_, all[k].name.c_str());
      const bool is_set = lua_rawget(state_, table) != LUA_TNIL;
      const int shared = out.other && !is_set ? out.other->namesake_of(static_cast<int>(k)) : -1;
      if (is_set) nodes.push_back(setting(all[k]));
      if (is_set && out.other) {
        std::erase_if(out.other->shared, [&](const auto& s) { return s.first == static_cast<int>(k); });
      }
      if (shared >= 0) nodes.push_back(inputs[static_cast<std::size_t>(shared)]);
      if (is_set || shared >= 0) out.set.push_back({static_cast<int>(k), all[k].name, all[k].lower, all[k].upper});
      lua_pop(state_, 1);
    }
    if (out.other && nodes.empty()) {
      fail("its model has no parameter of the same name as one of this model, and set sets none; nothing that is " +
           std::string("sought would move it"));
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

}  // namespace

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
