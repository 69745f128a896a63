// SPDX-License-Identifier: MIT
// What methods of runs are given to read, to write or to draw: names of signals, and expressions.
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
  throw Error("model \"" + then.name() + "\" has no signal '" + name + "'" +
              did_you_mean(closest(name, signal_names(now))) + "\nmore: m:signals() lists them");
}

namespace {

constexpr const char* expected = "expected the name of a signal, such as \"energy.total\", or an expression; got ";

/// An expression of the run's model, or null.
const Expression* own_expression(lua_State* L, const RunHandle& run, int index) {
  const Expression* expression = test_userdata<Expression>(L, index);
  return expression && expression->model == run.model ? expression : nullptr;
}

}  // namespace

expr::NodeId check_signal(lua_State* L, const RunHandle& run, int index) {
  if (lua_type(L, index) == LUA_TSTRING) {
    const std::string name = lua_tostring(L, index);
    return model_with_signal(run, name).signal(name);
  }
  const Expression* expression = own_expression(L, run, index);
  if (!expression) throw Error(expected + described_value(L, index));
  return expression->node;
}

model::ShownSignal shown_signal_at(lua_State* L, const RunHandle& run, int index) {
  if (lua_type(L, index) != LUA_TSTRING) throw Error(expected + described_value(L, index));
  const std::string name = lua_tostring(L, index);
  return shown_signal(model_with_signal(run, name), name);
}

std::vector<model::ShownSignal> shown_signals_from(lua_State* L, const RunHandle& run, int first) {
  std::vector<model::ShownSignal> out;
  for (int i = first; i <= lua_gettop(L); ++i) out.push_back(shown_signal_at(L, run, i));
  return out;
}

}  // namespace perilune::lua
