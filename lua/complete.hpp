// Completion of names in the interactive mode.
#pragma once
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

/// The names that can continue the last word of `text`, which is what stands before the cursor, earlier lines of an
/// unfinished statement included: fields of the constructor in whose table that word begins an item ("m:spring { st"),
/// else what can stand after the last '.' or ':' ("math.fl"), or globals and keywords; sorted. Looks through tables and
/// __index tables, and runs no script code.
std::vector<std::string> completions(lua_State* L, std::string_view text);

/// A part of a word such as "math.floor" or "m:spring".
bool is_name_part(char c);

}  // namespace perilune::lua
