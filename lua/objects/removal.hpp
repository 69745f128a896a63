// SPDX-License-Identifier: MIT
// The method m:remove, which model.cpp lists in the schema.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

int remove_objects(lua_State* L);

}  // namespace perilune::lua
