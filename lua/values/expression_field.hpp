// SPDX-License-Identifier: MIT
// Fields that hold an expression of the state: as such, as a number, or as a function that is traced.
#pragma once
#include "values/args.hpp"

namespace perilune::lua {

/// The field's node; expr::no_node if it was not given. `accelerations`: whether a function may read them.
expr::NodeId read_expression(Args& args, lua_State* L, std::string_view field, bool accelerations);

/// The same of the value at the stack index, which belongs to the field.
expr::NodeId expression_at(Args& args, lua_State* L, std::string_view field, int index, bool accelerations);

}  // namespace perilune::lua
