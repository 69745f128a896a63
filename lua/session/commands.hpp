// SPDX-License-Identifier: MIT
// What only the interactive mode has.
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace perilune::lua {

/// Makes the globals mbs, help, apropos, who, time and run, unless the user has them already.
int install_commands(lua_State* L);

/// "revolute" of "revolute?" and "? revolute", "" of a lone "?"; nothing of any other statement.
std::optional<std::string> asked_name(std::string_view statement);

/// Pushes a function that does what `run "file"`, `help "word"` or `apropos "word"` say, where the statement is one of
/// these and a variable of the user has the command's name, or where it is `help gear ratio` without quotes, which Lua
/// would not take; false elsewhere.
bool push_hidden_command(lua_State* L, std::string_view statement);

/// Pushes a command, whatever the user's variables are called.
void push_command(lua_State* L, const char* name);

/// How to call the command all the same, a line of its own, where a variable of the user that is no function has its
/// name; empty elsewhere.
std::string how_to_reach(lua_State* L, const std::string& command);

/// Pushes a function that shows what the name stands for: its value, and the page of help about it.
void push_explanation(lua_State* L, const std::string& name);

}  // namespace perilune::lua
