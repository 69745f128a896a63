// SPDX-License-Identifier: MIT
#include "values/trace.hpp"

#include <algorithm>
#include <cmath>

#include "base/guard.hpp"
#include "base/interrupt.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "values/expression.hpp"
#include "values/operand.hpp"

namespace perilune::lua {

using expr::NodeId;
using expr::Quantity;

namespace {

constexpr const char* state_kind = "the argument of a law";

// One law at a time: laws are traced while constructors run, and those refuse to run inside a law.
thread_local Tracing* active_tracing = nullptr;
thread_local int last_serial = 0;

// The argument of a law. It is of no use after the law has returned.
struct LawState {
  int serial;
};

Tracing& tracing_of(lua_State* L) {
  const LawState& state = own_userdata<LawState>(L);
  if (!active_tracing || active_tracing->serial() != state.serial) {
    throw Error("the argument of a law was used after the law had returned");
  }
  return *active_tracing;
}

int state_index(lua_State* L) {
  const Tracing& tracing = tracing_of(L);
  const TraceRequest& request = tracing.request();
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  if (key == "t") {
    push_variable(L, "t", request.model, request.model->engine->time());
    return 1;
  }
  std::vector<std::string> names{"t"};
  std::string list = "t";
  for (const TraceRequest::Field& field : request.state) {
    if (field.name == key) {
      push_variable(L, "s." + key, request.model, field.node);
      return 1;
    }
    names.push_back(field.name);
    list += ", " + field.name;
  }
  throw Error("the argument of the " + request.what + " has no field '" + key + "'" +
              did_you_mean(closest(key, names)) + "\nits fields: " + list +
              "; other signals are read as in P1.x or P1.x(s)");
}

// Arithmetic on the argument itself, where one of its fields is meant.
int no_number(lua_State* L) {
  if (!test_userdata<LawState>(L, 1)) lua_insert(L, 1);
  const TraceRequest& request = tracing_of(L).request();
  std::string list = "t";
  for (const TraceRequest::Field& field : request.state) list += ", " + field.name;
  throw Error("the argument of the " + request.what + " is no number but has fields, as in s.t: " + list);
}

int state_newindex(lua_State*) { throw Error("the argument of a law is read-only"); }

// Upvalues of the function as a list, to see whether it assigns to them.
void push_upvalues(lua_State* L, int function) {
  lua_newtable(L);
  const int list = lua_gettop(L);
  for (int i = 1; lua_getupvalue(L, function, i); ++i) {
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
    } else {
      lua_rawseti(L, list, i);
    }
  }
}

void check_upvalues(lua_State* L, int function, int before, const std::string& title) {
  for (int i = 1; const char* name = lua_getupvalue(L, function, i); ++i) {
    lua_rawgeti(L, before, i);
    const bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    if (!same) {
      throw Error(
          title + " assigns to '" + name +
          "', a variable outside of it\na law is called while the model is built, and never during a simulation");
    }
  }
}

constexpr std::size_t most_operations_of_a_law = 1'000'000;

// A runaway loop in one law must not use up the graph of its model.
class OperationLimit {
 public:
  explicit OperationLimit(expr::Graph& graph) : graph_(graph), before_(graph.node_limit()) {
    graph.set_node_limit(std::min(before_, graph.size() + most_operations_of_a_law));
  }
  ~OperationLimit() { graph_.set_node_limit(before_); }
  OperationLimit(const OperationLimit&) = delete;
  OperationLimit& operator=(const OperationLimit&) = delete;

 private:
  expr::Graph& graph_;
  std::size_t before_;
};

[[noreturn]] void fail_result(const std::string& start, const std::string& name, const std::string& what) {
  throw Error(start + name + " is " + what);
}

// The results on the stack, from `first` on, as nodes.
std::vector<NodeId> results_as_nodes(lua_State* L, int first, int count, const TraceRequest& request,
                                     const std::string& title) {
  std::string list;
  for (const std::string& name : request.results) list += (list.empty() ? "" : ", ") + name;
  const auto wanted = static_cast<int>(request.results.size());
  const std::string must =
      title + " must return " + (wanted == 1 ? "one number" : std::to_string(wanted) + " numbers") + " (" + list + ")";
  if (count == 0) throw Error(must + ", but returns nothing");
  if (count > wanted) throw Error(must + ", but returns " + std::to_string(count) + " values");
  std::vector<NodeId> nodes;
  expr::Graph& graph = request.model->engine->graph();
  for (int i = 0; i < count; ++i) {
    const std::string& name = request.results[static_cast<size_t>(i)];
    const std::optional<Operand> result = test_operand(L, first + i);
    if (!result) fail_result(must + ", but ", name, described_value(L, first + i));
    if (result->is_symbol() && result->model != request.model) {
      fail_result(title + ": ", name, "an expression of " + other_title(*result->model, *request.model));
    }
    check_operand(L, first + i, title);
    nodes.push_back(result->is_symbol() ? result->node : graph.constant(result->number));
    if (graph.is_constant(nodes.back()) && !std::isfinite(graph.constant_value(nodes.back()))) {
      fail_result(must + ", but ", name,
                  format::shortest(graph.constant_value(nodes.back())) + ", which is not finite");
    }
  }
  if (count < wanted) {
    throw Error(must + ", but returns only " + std::to_string(count));
  }
  return nodes;
}

void check_readable(const TraceRequest& request, const std::vector<NodeId>& nodes, const std::string& title) {
  if (request.accelerations) return;
  const expr::Graph& graph = request.model->engine->graph();
  for (const NodeId id : graph.variables_of(nodes)) {
    const expr::Variable& variable = graph.variable_of(id);
    if (variable.quantity == Quantity::Acceleration || variable.quantity == Quantity::Multiplier) {
      throw Error(title + " reads '" + variable.name +
                  "', but accelerations and reactions follow from it\n"
                  "it may depend on time, positions, velocities and parameters");
    }
  }
}

}  // namespace

Tracing* Tracing::active() { return active_tracing; }

Tracing* Tracing::numeric(const ModelPtr& model) {
  return active_tracing && active_tracing->numeric_ && active_tracing->request_.model == model ? active_tracing
                                                                                               : nullptr;
}

bool Tracing::is_sampling() { return active_tracing && active_tracing->numeric_; }

Tracing::Tracing(const TraceRequest& request) : request_(request), serial_(++last_serial) { active_tracing = this; }

Tracing::~Tracing() { active_tracing = nullptr; }

void Tracing::note_read(const std::string& name, NodeId node) {
  const bool known = std::any_of(reads_.begin(), reads_.end(), [node](const Read& read) { return read.node == node; });
  if (!known) reads_.push_back({name, node});
}

void refuse_in_law(std::string_view what) {
  if (!active_tracing) return;
  throw Error(std::string(what) + " does not work inside a law: the law is called once, while the model is built");
}

bool is_law_state(lua_State* L, int index) {
  const LawState* state = test_userdata<LawState>(L, index);
  return state && active_tracing && active_tracing->serial() == state->serial;
}

std::string law_title(lua_State* L, int function, const TraceRequest& request) {
  lua_Debug info;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &info);
  if (info.linedefined <= 0) return request.what;
  return request.what + " (" + info.short_src + ":" + std::to_string(info.linedefined) + ")";
}

bool try_law(lua_State* L, int function, const Tracing& tracing) {
  luaL_checkstack(L, LUA_MINSTACK, "stack overflow");
  lua_pushvalue(L, function);
  push_userdata(L, state_kind, LawState{tracing.serial()});
  if (lua_pcall(L, 1, LUA_MULTRET, 0) == LUA_OK) return true;
  if (interrupt_pending()) throw Raised();
  return false;
}

int call_law(lua_State* L, int function, const Tracing& tracing, const std::string& where) {
  const int bottom = lua_gettop(L);
  if (try_law(L, function, tracing)) return lua_gettop(L) - bottom;
  if (lua_type(L, -1) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* message = lua_tolstring(L, -1, &size);
    std::string text(message, size);
    const std::string position = script_position(L, 1);
    // A function that is no script's, such as math.sin, has no line to name.
    if (lua_iscfunction(L, function) && !text.starts_with(position)) text.insert(0, position);
    text += "\nin the " + tracing.request().what + where;
    lua_pushlstring(L, text.data(), text.size());
  }
  throw Raised();
}

std::vector<NodeId> trace(lua_State* L, int function, const TraceRequest& request, bool* hides_number) {
  refuse_in_law("a law");
  luaL_checkstack(L, LUA_MINSTACK, "stack overflow");
  function = lua_absindex(L, function);
  const int bottom = lua_gettop(L);
  const std::string title = law_title(L, function, request);
  push_upvalues(L, function);
  std::vector<NodeId> nodes;
  {
    const OperationLimit limit(request.model->engine->graph());
    Tracing tracing(request);
    const int count = call_law(L, function, tracing, "");
    for (int i = 0; hides_number && i < count; ++i) {
      const Expression* result = test_userdata<Expression>(L, bottom + 2 + i);
      if (result && result->hides_number) *hides_number = true;
    }
    nodes = results_as_nodes(L, bottom + 2, count, request, title);
    check_upvalues(L, function, bottom + 1, title);
    check_readable(request, nodes, title);
    lua_settop(L, bottom);
    check_law(L, function, tracing, nodes);
  }
  lua_settop(L, bottom);
  return nodes;
}

model::Vector traced(lua_State* L, int function, const TraceRequest& request) {
  model::Vector result;
  for (const NodeId node : trace(L, function, request)) {
    result.push_back(expr::Symbol(request.model->engine->graph(), node));
  }
  return result;
}

void open_tracing(lua_State* L) {
  if (push_metatable<LawState>(L, state_kind)) {
    constexpr luaL_Reg functions[] = {
        {"__index", guarded<state_index>}, {"__newindex", guarded<state_newindex>}, {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
    for (const char* name : {"__add", "__sub", "__mul", "__div", "__idiv", "__mod", "__pow", "__unm", "__lt", "__le"}) {
      lua_pushcfunction(L, guarded<no_number>);
      lua_setfield(L, -2, name);
    }
  }
  lua_pop(L, 1);
}

}  // namespace perilune::lua
