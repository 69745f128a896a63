// SPDX-License-Identifier: MIT
#include "values/expression_field.hpp"

#include <cmath>

#include "base/userdata.hpp"
#include "format/text.hpp"
#include "values/expression.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

expr::NodeId read_expression(Args& args, lua_State* L, std::string_view field, bool accelerations, bool* hides_number) {
  const int index = args.value(field);
  if (index == 0) return expr::no_node;
  const expr::NodeId node = expression_at(args, args.model(), L, field, index, accelerations, hides_number);
  lua_settop(L, index - 1);
  return node;
}

expr::NodeId expression_at(Args& args, const ModelPtr& model, lua_State* L, std::string_view field, int index,
                           bool accelerations, bool* hides_number) {
  const int top = lua_gettop(L);
  expr::NodeId node = expr::no_node;
  if (lua_isfunction(L, index)) {
    TraceRequest request{model, std::string(field) + " of " + args.title(), {}, {"value"}, accelerations};
    node = trace(L, index, request, hides_number).front();
  } else if (const Expression* expression = test_userdata<Expression>(L, index)) {
    if (expression->model != model) {
      args.fail(std::string(field) + " uses " + described_value(L, index) + " of another model");
    }
    node = expression->node;
    if (hides_number) *hides_number = expression->hides_number;
  } else if (lua_type(L, index) == LUA_TNUMBER) {
    node = model->engine->graph().constant(lua_tonumber(L, index));
  } else {
    args.fail_value(field, index);
  }
  const expr::Graph& graph = model->engine->graph();
  if (graph.is_constant(node) && !std::isfinite(graph.constant_value(node))) {
    args.fail(std::string(field) + " must be finite, got " + format::shortest(graph.constant_value(node)));
  }
  lua_settop(L, top);
  return node;
}

}  // namespace perilune::lua
