// SPDX-License-Identifier: MIT
// Where scripts find their modules.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// Modules beside the script are found wherever it is started from.
void prepend_script_folder(lua_State* L, const std::string& script);
/// After all others those that come with the program, like `require "mechanisms"`.
void append_provided_scripts(lua_State* L);

}  // namespace perilune::lua
