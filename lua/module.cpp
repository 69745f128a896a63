// SPDX-License-Identifier: MIT
// The module for the stock interpreter: `require "perilune"` finds it as perilune.so on package.cpath. It is not linked
// with Lua and works in the interpreter that loads it, where errors jump in place of exceptions: see guard.hpp.
#include "base/guard.hpp"
#include "perilune.hpp"

extern "C" __attribute__((visibility("default"))) int luaopen_perilune(lua_State* L) {
  return perilune::lua::guarded<perilune::lua::open_perilune>(L);
}
