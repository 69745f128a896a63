// SPDX-License-Identifier: MIT
// The session is one long script to its user, but each chunk is a function of its own to Lua: what is local at its top
// level is kept as a variable, which later chunks and the functions of all of them share.
#pragma once
#include <lua.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "session/block.hpp"

namespace perilune::lua {

class SessionLocals {
 public:
  explicit SessionLocals(lua_State* L);
  ~SessionLocals();
  SessionLocals(const SessionLocals&) = delete;
  SessionLocals& operator=(const SessionLocals&) = delete;

  /// Leaves the chunk as a function, or a syntax error's message. Code that Lua takes once "return" is before its last
  /// statement where that `is_value`; the function returns its values then. The first line has this number.
  bool load(const std::string& code, const Block& block, bool is_value, int line);

  /// Names of locals that the chunk which was loaded last has given their values.
  const std::set<std::string>& reached() const { return reached_; }

 private:
  static int keep(lua_State* L);
  static int keep_guarded(lua_State* L);

  lua_State* state_;
  std::set<std::string> constants_;
  std::set<std::string> reached_;
};

/// Names in order; none where there is no session.
std::vector<std::string> session_locals(lua_State* L);

/// Pushes the value of a local variable of the session; false, and nothing, if there is none of the name.
bool push_session_local(lua_State* L, std::string_view name);

/// Pushes the value of a local variable of the session, or else of a global, nil included.
void push_variable(lua_State* L, std::string_view name);

/// True for the function that is the chunk which was loaded last.
bool is_session_chunk(lua_State* L, int function);

/// True for the names of what the session adds to chunks, which is not for its user.
bool is_hidden_name(std::string_view name);

}  // namespace perilune::lua
