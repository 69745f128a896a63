// SPDX-License-Identifier: MIT
// The interactive mode.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// "Perilune 0.1.0 (Lua 5.4.4)"
std::string version_line();

/// Reads, runs and prints until the end of the input. With `traceback`, errors show all frames.
void run_repl(lua_State* L, bool traceback);

}  // namespace perilune::lua
