// SPDX-License-Identifier: MIT
// The Lua module `perilune`: models, simulations and gradients for scripts.
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

/// Pushes the module's table (a lua_CFunction for package.preload).
int open_perilune(lua_State* L);

/// Makes `require` find the module, and those of stdlib, in a state that has the standard libraries.
void preload_perilune(lua_State* L);

/// Does what a subcommand such as "doc" or "init" says; nothing if the command line has none. The exit code.
std::optional<int> run_subcommand(int argc, const char* const* argv);

/// The fields that the table after "m:spring" or "mbs.box" may have; none if that is no constructor.
std::vector<std::string> constructor_fields(std::string_view call);

// For the interactive mode; none of them runs script code.

std::vector<std::string> help_topics();
/// What can follow the '.' after one of the module's objects at the stack index; empty for any other value.
std::vector<std::string> member_names(lua_State* L, int index);
/// The signals of the model that the object at the stack index is, or belongs to; empty for any other value.
std::vector<std::string> signal_names(lua_State* L, int index);

}  // namespace perilune::lua
