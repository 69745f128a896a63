// SPDX-License-Identifier: MIT
// Gradients and Hessians as the interactive mode prints them.
#pragma once
#include <lua.hpp>
#include <vector>

#include "model/model.hpp"

namespace perilune::lua {

/// Adds the fields `parameters` and `units`, lists in the order of `over`, to the table on top.
void set_parameter_names(lua_State* L, const model::Model& engine, const std::vector<int>& over);

/// Metamethods __pretty of tables with these fields, and `gradient` (a list), or `matrix` or `product`: one line per
/// parameter, with its unit.
int gradient_pretty(lua_State* L);
int hessian_pretty(lua_State* L);

}  // namespace perilune::lua
