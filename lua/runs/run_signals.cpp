// SPDX-License-Identifier: MIT
// What methods of runs are given to read, to write or to draw: names of signals, and expressions.
#include <map>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/signals.hpp"
#include "runs/run.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

model::Model& model_with_signal(const RunHandle& run, const std::string& name) {
  model::Model& then = run.trajectory->model();
  if (has_signal(then, name)) return then;
  model::Model& now = *run.model->engine;
  if (is_named_signal(now, name)) return now;
  if (has_signal(now, name)) {
    throw Error("the run has no signal '" + name + "', which was declared after it was made; simulate again");
  }
  throw Error(no_signal(now, name));
}

namespace {

constexpr const char* name_or_expression = "expected the name of a signal, such as \"energy.total\", or an expression";

/// An expression of the run's model.
expr::Symbol expression_of(lua_State* L, const RunHandle& run, int index, const std::string& expected) {
  const Expression* expression = test_userdata<Expression>(L, index);
  if (!expression) throw Error(expected + "; got " + described_value(L, index));
  if (expression->model != run.model) {
    throw Error(described_value(L, index) + " is of model \"" + expression->model->engine->name() +
                "\", the run of another, \"" + run.model->engine->name() + "\"");
  }
  return {run.model->engine->graph(), expression->node};
}

/// { "name", expression, unit = ... } at the stack index, which is positive; without the expression the signal of that
/// name, to be shown in another unit.
model::ShownSignal named_expression(lua_State* L, const RunHandle& run, int index) {
  const std::string form = "a signal to show is { \"name\", expression, unit = \"mm\" }, its unit only if need be";
  const int top = lua_gettop(L);
  if (lua_rawgeti(L, index, 1) != LUA_TSTRING) throw Error(form + "; the first item is " + described_value(L, top + 1));
  const std::string name = lua_tostring(L, -1);
  if (name.empty() || name.find_first_of("\"\n") != name.npos) {
    throw Error("the name of a signal to show must not be empty and must not contain quotes");
  }
  const std::string title = "signal \"" + name + "\": ";
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    const bool is_item = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= 2;
    const bool is_unit = lua_type(L, -2) == LUA_TSTRING && std::string_view(lua_tostring(L, -2)) == "unit";
    if (is_item || is_unit) continue;
    throw Error(title + "unexpected field or item " + described_value(L, top + 2) + "; " + form);
  }
  bool hides_number = false;
  const bool is_name_alone = lua_rawgeti(L, index, 2) == LUA_TNIL;
  const expr::Symbol value = is_name_alone
                                 ? expr::Symbol(run.model->engine->graph(), model_with_signal(run, name).signal(name))
                                 : expression_of(L, run, top + 2,
                                                 title + "the second item must be an expression" +
                                                     (lua_type(L, top + 2) == LUA_TSTRING
                                                          ? ", and signals by name alone stand there without braces"
                                                          : ""));
  if (const Expression* e = test_userdata<Expression>(L, top + 2)) hides_number = e->hides_number;
  lua_pushliteral(L, "unit");
  lua_rawget(L, index);
  if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING) {
    throw Error(title + "unit must be a string, got " + described_value(L, top + 3));
  }
  const std::string unit = lua_isnil(L, -1) ? "" : lua_tostring(L, -1);
  lua_settop(L, top);
  return shown_expression(*run.model->engine, name, value, unit, hides_number);
}

/// An expression under the name of the signal that it is, or else under its own text.
model::ShownSignal bare_expression(lua_State* L, const RunHandle& run, int index) {
  constexpr std::size_t longest = 60;
  const model::Model& engine = *run.model->engine;
  const expr::Symbol value = expression_of(
      L, run, index, std::string(name_or_expression) + ", as it stands or as { \"name\", expression, unit = ... }");
  const expr::NodeId node = value.in(engine.graph());
  const std::string name = signal_of(engine, node);
  return name.empty() ? shown_expression(engine, engine.graph().to_string(node, longest), value, "")
                      : shown_signal(engine, name);
}

}  // namespace

expr::NodeId check_signal(lua_State* L, const RunHandle& run, int index) {
  if (lua_type(L, index) == LUA_TSTRING) {
    const std::string name = lua_tostring(L, index);
    return model_with_signal(run, name).signal(name);
  }
  return expression_of(L, run, index, name_or_expression).in(run.model->engine->graph());
}

model::ShownSignal shown_signal_at(lua_State* L, const RunHandle& run, int index) {
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) return named_expression(L, run, index);
  if (lua_type(L, index) != LUA_TSTRING) return bare_expression(L, run, index);
  const std::string name = lua_tostring(L, index);
  return shown_signal(model_with_signal(run, name), name);
}

void check_names(const std::vector<model::ShownSignal>& signals) {
  std::map<std::string_view, expr::NodeId> known;
  for (const model::ShownSignal& signal : signals) {
    if (known.emplace(signal.name, signal.node).first->second == signal.node) continue;
    throw Error("two different signals would be called '" + signal.name +
                "'; give one of them another name: { \"name\", expression }");
  }
}

std::vector<model::ShownSignal> shown_signals_from(lua_State* L, const RunHandle& run, int first) {
  std::vector<model::ShownSignal> out;
  for (int i = first; i <= lua_gettop(L); ++i) out.push_back(shown_signal_at(L, run, i));
  check_names(out);
  return out;
}

}  // namespace perilune::lua
