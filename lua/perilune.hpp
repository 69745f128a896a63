// The Lua module `perilune`: models, simulations and gradients for scripts.
#pragma once
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

/// Pushes the module's table (a lua_CFunction for package.preload).
int open_perilune(lua_State* L);

/// Everything the module offers, for tools and for the generated reference pages.
std::string schema_as_json();

/// The fields that the table after "m:spring" or "mbs.box" may have; none if that is no constructor.
std::vector<std::string> constructor_fields(std::string_view call);

}  // namespace perilune::lua
