// The height law of a terrain, for whatever touches one.
#pragma once
#include "args.hpp"

namespace perilune::lua {

/// The law at the stack index, a function of s.x (and s.y) and s.t, as an expression of model::terrain_variable.
expr::Symbol traced_height(lua_State* L, Args& args, int function);

}  // namespace perilune::lua
