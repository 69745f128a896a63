// SPDX-License-Identifier: MIT
// Values as the interactive mode prints them.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// Tables in constructor syntax, to a limited depth and length, the list part first and then the fields by name;
/// matrices with their columns aligned. What has a metamethod __pretty as that has it, everything else as `tostring`
/// does. Calls these, so it may raise Lua errors.
std::string pretty(lua_State* L, int index);

}  // namespace perilune::lua
