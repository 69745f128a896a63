// The Lua modules of the exercises (stdlib/exercise), contained in the executable.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// Makes `require "exercise"` and `require "perilune"` work in a state that has the standard libraries.
void preload_exercise_modules(lua_State* L);

}  // namespace perilune::lua
