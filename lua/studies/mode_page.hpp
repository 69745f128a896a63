// SPDX-License-Identifier: MIT
// What m:linearize returns: modes that print, and a page in which the mechanism swings in them.
#pragma once
#include <lua.hpp>

#include "analysis/small_motion/linearization.hpp"
#include "output/scene/mode_page.hpp"

namespace perilune::lua {

struct SmallMotion {
  output::SwingState state;
  analysis::Linearization found;
};

/// Makes the table on top of the stack, which has a text, one that prints and has the methods of a linearization.
void keep_for_animation(lua_State* L, SmallMotion motion);

}  // namespace perilune::lua
