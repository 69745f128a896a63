// SPDX-License-Identifier: MIT
// Completion in the interactive mode.
#pragma once
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct Completion {
  std::size_t typed = 0;           // bytes at the end of the text that the names replace
  std::vector<std::string> names;  // sorted
};

/// What can stand at the end of `text`, which is what precedes the cursor, earlier lines of an unfinished statement
/// included: fields of the constructor in whose table an item begins ("m:spring { st"), else what can follow the last
/// '.' or ':' ("math.fl", "P1.v"), or globals and keywords. In a string: topics of help, signals of the model whose
/// method is called ("run:plot("P1."), or files. Runs no script code.
Completion completions(lua_State* L, std::string_view text);

/// Pushes the value of a path of names such as "mbs.box" or "m.ground", nil if there is none. Runs no script code, but
/// may raise an error.
void push_path(lua_State* L, std::string_view path);

}  // namespace perilune::lua
