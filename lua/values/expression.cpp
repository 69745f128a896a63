// SPDX-License-Identifier: MIT
#include "values/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/dimension.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::NodeId;
using expr::Op;

namespace {

constexpr const char* kind = "expression";

Expression& self(lua_State* L) { return own_userdata<Expression>(L); }

template <Op op>
int arithmetic(lua_State* L) {
  const std::string user = std::string("'") + (op == Op::Pow ? "^" : expr::name_of(op)) + "'";
  const Operand a = check_operand(L, 1, user), b = check_operand(L, 2, user);
  return push_operand(L, binary(L, op, a, b));
}

int negate(lua_State* L) { return push_operand(L, unary(L, Op::Neg, check_operand(L, 1, "'-'"))); }

// < and <=. Lua makes the result a boolean, so nothing symbolic can come out.
template <Op op>
int compare(lua_State* L) {
  const std::string sign = op == Op::Less ? "<" : "<=";
  const Operand a = check_operand(L, 1, "'" + sign + "'"), b = check_operand(L, 2, "'" + sign + "'");
  if (!a.is_symbol() && !b.is_symbol()) {
    lua_pushboolean(L, op == Op::Less ? a.number < b.number : a.number <= b.number);
    return 1;
  }
  const std::string function = op == Op::Less ? "mbs.lt(" : "mbs.le(";
  throw Error("condition on symbolic '" + a.text() + " " + sign + " " + b.text() +
              "': it would be decided once and for all\nuse mbs.where(" + function + a.text() + ", " + b.text() +
              "), a, b)" + (Tracing::active() ? "" : ", or compare the current .value"));
}

int equal(lua_State* L) {
  const std::optional<Operand> a = test_operand(L, 1), b = test_operand(L, 2);
  if (!a || !b) {
    lua_pushboolean(L, 0);
  } else if (!a->is_symbol() && !b->is_symbol()) {
    lua_pushboolean(L, a->number == b->number);
  } else if (a->is_symbol() && b->is_symbol() && a->model == b->model && a->node == b->node) {
    lua_pushboolean(L, 1);
  } else {
    throw Error("condition on symbolic '" + a->text() + " == " + b->text() +
                "': it would be decided once and for all\nuse mbs.where with mbs.lt or mbs.le" +
                (Tracing::active() ? "" : ", or compare the current .value"));
  }
  return 1;
}

// Operators without a meaning for expressions.
template <char a, char b = ' '>
int refuse(lua_State* L) {
  std::string sign{a};
  if (b != ' ') sign += b;
  const int index = test_userdata<Expression>(L, 1) ? 1 : 2;
  throw Error("'" + sign + "' does not work on " + described_value(L, index) +
              (sign == "//" || sign == "%" ? ": it has no derivative; use mbs.where or sin and cos" : ""));
}

int concatenate(lua_State* L) {
  luaL_tolstring(L, 1, nullptr);
  luaL_tolstring(L, 2, nullptr);
  lua_concat(L, 2);
  return 1;
}

int to_text(lua_State* L) {
  const Expression& expression = self(L);
  const model::Model& engine = *expression.model->engine;
  std::string text = engine.graph().to_string(expression.node);
  if (const auto number = parameter_index(engine, expression.node)) {
    const model::Parameter& parameter = engine.parameters()[static_cast<std::size_t>(*number)];
    text = "parameter \"" + parameter.name + "\" = " + with_unit(parameter.value, parameter.unit);
    if (!parameter.defined_at.empty()) text += ", defined at " + parameter.defined_at;
  }
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

// P1.x(s): in a law, the same as P1.x.
int call(lua_State* L) {
  const Expression& expression = self(L);
  const std::string text = expression.model->engine->graph().to_string(expression.node, 40);
  if (!Tracing::active() || !is_law_state(L, 2)) {
    throw Error("'" + text + "' is not a function; inside a law it can be called with the law's argument, as in " +
                text + "(s)");
  }
  push_expression(L, expression.model, expression.node);
  return 1;
}

enum class Scale { Own, Si };

double current_value(const Expression& expression, Scale scale) {
  const expr::Graph& graph = expression.model->engine->graph();
  if (const Tracing* tracing = Tracing::active()) {
    if (Tracing::numeric(expression.model)) return tracing->value(expression.node);
    const std::string text = graph.to_string(expression.node, 40);
    throw Error("'.value' of '" + text + "' inside a law would be frozen; use " + text + " itself");
  }
  const NodeId read = expression.model->state_dependence(expression.node);
  if (read != expr::no_node) {
    throw Error("'" + graph.to_string(expression.node, 40) + "' " +
                (read == expression.node ? "" : "depends on " + graph.to_string(read) + ", which ") +
                "has a value only during a simulation");
  }
  const model::Model& engine = *expression.model->engine;
  const auto number = scale == Scale::Own ? parameter_index(engine, expression.node) : std::nullopt;
  if (number) return engine.parameters()[static_cast<std::size_t>(*number)].value;
  return expression.model->value(expression.node);
}

const std::array<std::string_view, 8> parameter_fields = {"value", "in_si", "name",       "unit",
                                                          "min",   "max",   "defined_at", "formula"};
const std::array<std::string_view, 3> expression_fields = {"value", "in_si", "formula"};

int push_text(lua_State* L, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int push_number(lua_State* L, double value) {
  lua_pushnumber(L, value);
  return 1;
}

[[noreturn]] void fail_unknown_field(lua_State* L, bool is_parameter) {
  const std::string title = described_value(L, 1);
  if (lua_type(L, 2) != LUA_TSTRING) throw Error(title + " cannot be indexed by " + described_value(L, 2));
  const std::span<const std::string_view> fields = expression_members(self(L));
  std::string list;
  for (const std::string_view field : fields) list.append(list.empty() ? "" : ", ").append(field);
  const std::string key = lua_tostring(L, 2);
  throw Error(title + " has no field '" + key + "'" + did_you_mean(closest(key, fields)) + "\nfields of " +
              (is_parameter ? "parameter: " : "an expression: ") + list);
}

int index(lua_State* L) {
  const Expression& expression = self(L);
  const model::Model& engine = *expression.model->engine;
  const std::string_view key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (key == "value") return push_number(L, current_value(expression, Scale::Own));
  if (key == "in_si") return push_number(L, current_value(expression, Scale::Si));
  if (key == "formula") return push_text(L, engine.graph().to_string(expression.node, 10000));
  const auto number = parameter_index(engine, expression.node);
  if (number) {
    const model::Parameter& parameter = engine.parameters()[static_cast<std::size_t>(*number)];
    if (key == "name") return push_text(L, parameter.name);
    if (key == "unit") return push_text(L, parameter.unit);
    if (key == "min") return push_number(L, parameter.lower);
    if (key == "max") return push_number(L, parameter.upper);
    if (key == "defined_at") return push_text(L, parameter.defined_at);
  }
  fail_unknown_field(L, number.has_value());
}

int new_index(lua_State* L) {
  const Expression& expression = self(L);
  model::Model& engine = *expression.model->engine;
  const auto number = parameter_index(engine, expression.node);
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (!number) throw Error(described_value(L, 1) + " is read-only; only the value of a parameter can be assigned");
  const std::string title = described_value(L, 1);
  if (key != "value") {
    if (std::find(parameter_fields.begin(), parameter_fields.end(), key) == parameter_fields.end()) {
      fail_unknown_field(L, true);
    }
    throw Error(title + ": '" + key + "' is read-only; only 'value' can be assigned");
  }
  refuse_in_law("assignment to a parameter");
  if (lua_type(L, 3) != LUA_TNUMBER) throw Error(title + ": value must be a number, got " + described_value(L, 3));
  engine.set_parameter(*number, lua_tonumber(L, 3));
  return 0;
}

/// Whether the signal is a variable of another unit, as that of a momentum of what has a mass of 1 kg is a speed.
bool is_of_another_unit(const model::Model& engine, const std::string& name, NodeId node) {
  const expr::Graph& graph = engine.graph();
  if (!graph.is_variable(node) || graph.variable_of(node).name == name) return false;
  const auto& signals = engine.record().signals;
  const auto own = signals.find(name), variable = signals.find(graph.variable_of(node).name);
  if (own == signals.end() || variable == signals.end()) return false;
  return !model::dimension_of_unit(own->second.unit).fits(model::dimension_of_unit(variable->second.unit).powers);
}

}  // namespace

void push_expression(lua_State* L, const ModelPtr& model, NodeId node, bool hides_number) {
  if (const Tracing* tracing = Tracing::numeric(model)) {
    lua_pushnumber(L, tracing->value(node));
  } else {
    push_userdata(L, kind, Expression{model, node, hides_number});
  }
}

void push_symbol(lua_State* L, const ModelPtr& model, const expr::Symbol& x) {
  expr::Graph numbers;
  expr::Graph& graph = model ? model->engine->graph() : numbers;
  const NodeId node = x.in(graph);
  if (graph.is_constant(node)) {
    lua_pushnumber(L, graph.constant_value(node));
  } else {
    push_expression(L, model, node);
  }
}

void push_variable(lua_State* L, const std::string& name, const ModelPtr& model, NodeId node) {
  if (Tracing* tracing = Tracing::active()) tracing->note_read(name, node);
  push_expression(L, model, node, is_of_another_unit(*model->engine, name, node));
}

std::optional<int> parameter_index(const model::Model& model, NodeId node) {
  const expr::Graph& graph = model.graph();
  const expr::Node& own = graph.node(node);
  NodeId value = node;  // in the parameter's unit, which a product converts from
  if (own.op == Op::Mul) value = graph.is_constant(own.a) ? own.b : own.a;
  if (!graph.is_variable(value) || graph.variable_of(value).quantity != expr::Quantity::Parameter) return std::nullopt;
  const int index = graph.variable_of(value).index;
  if (model.parameters()[static_cast<std::size_t>(index)].quantity != node) return std::nullopt;
  return index;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.14g", value);
  return buffer;
}

std::string other_title(const ModelData& other, const ModelData& own) {
  const std::string& name = other.engine->name();
  const bool is_copy = &other.engine->graph() == &own.engine->graph();
  return std::string("another model (") + (name == own.engine->name() ? "also called " : "") + '"' + name + "\")" +
         (is_copy ? "; a copy has its own, by their names, as copy[\"k\"]" : "");
}

std::string with_unit(double value, const std::string& unit) {
  return number_text(value) + (unit.empty() ? "" : " " + unit);
}

std::span<const std::string_view> expression_members(const Expression& expression) {
  if (parameter_index(*expression.model->engine, expression.node)) return parameter_fields;
  return expression_fields;
}

void open_expressions(lua_State* L) {
  if (push_metatable<Expression>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__add", guarded<arithmetic<Op::Add>>},
                                      {"__sub", guarded<arithmetic<Op::Sub>>},
                                      {"__mul", guarded<arithmetic<Op::Mul>>},
                                      {"__div", guarded<arithmetic<Op::Div>>},
                                      {"__pow", guarded<arithmetic<Op::Pow>>},
                                      {"__unm", guarded<negate>},
                                      {"__lt", guarded<compare<Op::Less>>},
                                      {"__le", guarded<compare<Op::LessEqual>>},
                                      {"__eq", guarded<equal>},
                                      {"__idiv", guarded<refuse<'/', '/'>>},
                                      {"__mod", guarded<refuse<'%'>>},
                                      {"__band", guarded<refuse<'&'>>},
                                      {"__bor", guarded<refuse<'|'>>},
                                      {"__bxor", guarded<refuse<'~'>>},
                                      {"__bnot", guarded<refuse<'~'>>},
                                      {"__shl", guarded<refuse<'<', '<'>>},
                                      {"__shr", guarded<refuse<'>', '>'>>},
                                      {"__len", guarded<refuse<'#'>>},
                                      {"__concat", guarded<concatenate>},
                                      {"__call", guarded<call>},
                                      {"__index", guarded<index>},
                                      {"__newindex", guarded<new_index>},
                                      {"__tostring", guarded<to_text>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  replace_math_functions(L);
}

}  // namespace perilune::lua
