// The Lua module `perilune`: models, simulations and gradients for scripts.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// Pushes the module's table (a lua_CFunction for package.preload).
int open_perilune(lua_State* L);

/// Everything the module offers, for tools and for the generated reference pages.
std::string schema_as_json();

}  // namespace perilune::lua
