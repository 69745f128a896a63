// SPDX-License-Identifier: MIT
// The Lua modules of stdlib that the executable contains, such as require "perilune.iltis".
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// Makes `require` find them in a state that has the standard libraries.
void preload_stdlib(lua_State* L);

/// Makes `require(module)` run the text of a Lua chunk. `chunk`: its name in messages, "=name.lua". Both must outlive
/// the state.
void preload_text(lua_State* L, const char* module, const char* text, const char* chunk);

}  // namespace perilune::lua
