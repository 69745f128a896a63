// SPDX-License-Identifier: MIT
// m:check_elements: the derivatives of every element of a model against complex step.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// m:check_elements(seed): a list of rows with the fields element, type, family, difference, size; its field `worst` is
/// the largest relative difference.
int check_elements(lua_State* L);

}  // namespace perilune::lua
