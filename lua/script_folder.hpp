// Where scripts find their modules.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// Modules beside the script are found wherever it is started from.
void prepend_script_folder(lua_State* L, const std::string& script);

}  // namespace perilune::lua
