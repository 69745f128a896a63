// SPDX-License-Identifier: MIT
// Fields that hold an expression of the state: as such, as a number, or as a function that is traced.
#pragma once
#include "values/args.hpp"

namespace perilune::lua {

/// The field's node; expr::no_node if it was not given. `accelerations`: whether a function may read them.
/// `hides_number`: to be told what Expression says of it.
expr::NodeId read_expression(Args& args, lua_State* L, std::string_view field, bool accelerations,
                             bool* hides_number = nullptr);

/// The same of the value at the stack index, which belongs to the field: an expression of the given model.
expr::NodeId expression_at(Args& args, const ModelPtr& model, lua_State* L, std::string_view field, int index,
                           bool accelerations, bool* hides_number = nullptr);
inline expr::NodeId expression_at(Args& args, lua_State* L, std::string_view field, int index, bool accelerations) {
  return expression_at(args, args.model(), L, field, index, accelerations);
}

}  // namespace perilune::lua
