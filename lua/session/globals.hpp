// SPDX-License-Identifier: MIT
// Guarded globals: in scripts and in the interactive mode a misspelt global is an error instead of nil.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// While it lives, reading an undefined global, or creating one inside a function, is an error.
/// Leaves _G alone if a library has already given it a metatable.
class GuardedGlobals {
 public:
  explicit GuardedGlobals(lua_State* L);
  ~GuardedGlobals();
  GuardedGlobals(const GuardedGlobals&) = delete;
  GuardedGlobals& operator=(const GuardedGlobals&) = delete;

 private:
  lua_State* state_;
  bool installed_ = false;
};

}  // namespace perilune::lua
