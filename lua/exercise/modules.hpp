// SPDX-License-Identifier: MIT
// What the executable contains of the exercises: their Lua modules (stdlib/exercise) and their checks.
#pragma once
#include <lua.hpp>
#include <string_view>

namespace perilune::lua {

/// Makes `require "exercise"` and `require "perilune"` work in a state that has the standard libraries.
void preload_exercise_modules(lua_State* L);

/// The checks of an exercise that comes with the program, sealed (seal.hpp), for they are not installed where students
/// read; empty if there is none of this id.
std::string_view checks_of(std::string_view id);

}  // namespace perilune::lua
