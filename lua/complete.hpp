// Completion of names in the interactive mode.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

namespace perilune::lua {

/// The names that can stand after the last '.' or ':' of `text` ("math.fl"), or the globals and keywords, that begin
/// as typed; sorted. Looks through tables and __index tables, and runs no script code.
std::vector<std::string> completions(lua_State* L, const std::string& text);

}  // namespace perilune::lua
