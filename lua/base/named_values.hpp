// SPDX-License-Identifier: MIT
// Tables of numbers by the names of parameters or objectives, in results.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// The table on top of the stack refuses names that it does not have: nil would be taken for an answer.
void refuse_other_names(lua_State* L);

}  // namespace perilune::lua
