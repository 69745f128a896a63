// SPDX-License-Identifier: MIT
#include "values/operand.hpp"

#include <cmath>
#include <string_view>

#include "base/userdata.hpp"
#include "error.hpp"
#include "expr/operations.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::NodeId;
using expr::Op;

namespace {

// The one model of the operands; nullptr if all are numbers.
ModelPtr common_model(std::initializer_list<const Operand*> operands) {
  const Operand* first = nullptr;
  for (const Operand* operand : operands) {
    if (!operand->is_symbol()) continue;
    if (first && first->model != operand->model) {
      throw Error("'" + first->text() + "' and '" + operand->text() + "' belong to different models (\"" +
                  first->model->engine->name() + "\" and \"" + operand->model->engine->name() + "\")");
    }
    if (!first) first = operand;
  }
  return first ? first->model : nullptr;
}

NodeId node_in(expr::Graph& graph, const Operand& operand, std::string_view user) {
  const NodeId node = operand.is_symbol() ? operand.node : graph.constant(operand.number);
  if (graph.is_constant(node) && std::isnan(graph.constant_value(node))) {
    throw Error("'" + std::string(user) + "' got nan, which is not a number (0/0 and math.sqrt(-1) give it)");
  }
  return node;
}

Operand made(const ModelPtr& model, NodeId node) {
  if (Tracing* tracing = Tracing::active()) tracing->note_made(node);
  return {model, node, 0, false};
}

// The result of an operation; x + 0 and the like give an operand back, which was not made by the operation.
Operand made(const ModelPtr& model, NodeId node, NodeId a, NodeId b) {
  return node == a || node == b ? Operand{model, node, 0, false} : made(model, node);
}

}  // namespace

std::string Operand::text(std::size_t longest) const {
  return is_symbol() ? model->engine->graph().to_string(node, longest) : number_text(number);
}

bool is_condition(const Operand& operand) {
  if (!operand.is_symbol()) return false;
  const Op op = operand.model->engine->graph().node(operand.node).op;
  return op == Op::Less || op == Op::LessEqual;
}

std::optional<Operand> test_operand(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) return constant(lua_tonumber(L, index));
  const Expression* expression = test_userdata<Expression>(L, index);
  if (!expression) return std::nullopt;
  if (const Tracing* tracing = Tracing::numeric(expression->model)) return constant(tracing->value(expression->node));
  return Operand{expression->model, expression->node, 0, expression->hides_number};
}

Operand check_operand(lua_State* L, int index, const std::string& user) {
  const std::optional<Operand> operand = test_operand(L, index);
  if (!operand) {
    const Object* object = test_userdata<Object>(L, index);
    throw Error(user + ": expected a number or an expression, got " + described_value(L, index) +
                (object ? "; use one of its signals, such as " + object->name + ".x" : ""));
  }
  if (is_condition(*operand)) {
    throw Error(user + ": '" + operand->text() + "' is a condition, not a number; use mbs.where(condition, a, b)");
  }
  return *operand;
}

Operand unary(lua_State* L, Op op, const Operand& a) {
  if (!a.is_symbol()) return constant(expr::apply<double>(op, a.number, 0, 0, 0));
  expr::Graph& graph = a.model->engine->graph();
  graph.set_origin(script_line(L));
  // -(-x) gives x itself: the argument then takes part in the law although no result depends on its node.
  if (op == Op::Neg && graph.node(a.node).op == Op::Neg) made(a.model, a.node);
  Operand out = made(a.model, graph.unary(op, a.node));
  out.hides_number = a.hides_number;
  return out;
}

Operand binary(lua_State* L, Op op, const Operand& a, const Operand& b) {
  const ModelPtr model = common_model({&a, &b});
  if (!model) return constant(expr::apply<double>(op, a.number, b.number, 0, 0));
  expr::Graph& graph = model->engine->graph();
  graph.set_origin(script_line(L));
  const NodeId first = node_in(graph, a, expr::name_of(op)), second = node_in(graph, b, expr::name_of(op));
  Operand out = made(model, graph.binary(op, first, second), first, second);
  const bool is_product = op == Op::Mul || op == Op::Div || op == Op::Pow;
  const auto is_one = [](const Operand& x) { return !x.is_symbol() && x.number == 1; };
  out.hides_number = a.hides_number || b.hides_number || (is_product && (is_one(a) || is_one(b)));
  return out;
}

Operand where(lua_State* L, const Operand& condition, const Operand& yes, const Operand& no) {
  const ModelPtr model = common_model({&condition, &yes, &no});
  if (!condition.is_symbol()) return condition.number != 0 ? yes : no;
  expr::Graph& graph = model->engine->graph();
  graph.set_origin(script_line(L));
  const NodeId first = node_in(graph, yes, "where"), second = node_in(graph, no, "where");
  Operand out = made(model, graph.where(condition.node, first, second), first, second);
  out.hides_number = yes.hides_number || no.hides_number;
  return out;
}

int push_operand(lua_State* L, const Operand& operand) {
  if (operand.is_symbol()) {
    push_expression(L, operand.model, operand.node, operand.hides_number);
  } else {
    lua_pushnumber(L, operand.number);
  }
  return 1;
}

}  // namespace perilune::lua
