// SPDX-License-Identifier: MIT
// Fields of tables that the engine makes. Scripts may change them, and call their metamethods on something else.
#pragma once
#include <algorithm>
#include <lua.hpp>
#include <string>
#include <vector>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::lua {

/// Of what a metamethod was called on. Throws Error.
inline void require_table(lua_State* L) {
  if (!lua_istable(L, 1)) throw Error("called on something that it does not belong to");
}

/// A field of the table at `index`; "?" where it is no text.
inline std::string text_field(lua_State* L, int index, const char* field) {
  lua_getfield(L, index, field);
  std::string text = lua_isstring(L, -1) ? lua_tostring(L, -1) : "?";
  lua_pop(L, 1);
  return text;
}

/// Pushes the rows of a matrix as a list of lists.
template <class Matrix>
void push_rows(lua_State* L, const Matrix& M) {
  lua_createtable(L, static_cast<int>(M.rows()), 0);
  for (auto i = M.rows() * 0; i < M.rows(); ++i) {
    lua_createtable(L, static_cast<int>(M.cols()), 0);
    for (auto j = M.cols() * 0; j < M.cols(); ++j) {
      lua_pushnumber(L, M(i, j));
      lua_rawseti(L, -2, static_cast<lua_Integer>(j) + 1);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// The others set fields of the table on top of the stack.
inline void set_number(lua_State* L, const char* field, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, field);
}

inline void set_integer(lua_State* L, const char* field, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, field);
}

inline void set_text(lua_State* L, const char* field, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
  lua_setfield(L, -2, field);
}

inline void set_names(lua_State* L, const char* field, const std::vector<std::string>& names) {
  lua_createtable(L, static_cast<int>(names.size()), 0);
  for (size_t k = 0; k < names.size(); ++k) {
    lua_pushlstring(L, names[k].data(), names[k].size());
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, field);
}

/// Pushes a list of `count` numbers, `stride` apart from each other. Long ones grow on the way: memory that is laid out
/// at once knows no Ctrl-C, and takes its time.
inline void push_list(lua_State* L, const double* values, std::size_t count, std::size_t stride = 1) {
  constexpr std::size_t at_once = std::size_t{1} << 18;
  lua_createtable(L, static_cast<int>(std::min(count, at_once)), 0);
  Poll poll;
  for (std::size_t k = 0; k < count; ++k) {
    poll();
    lua_pushnumber(L, values[k * stride]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

inline void push_list(lua_State* L, const std::vector<double>& values) { push_list(L, values.data(), values.size()); }

/// The list "warnings" of the table at stack index 1, each on a line of its own.
inline std::string warning_lines(lua_State* L) {
  std::string text;
  const int top = lua_gettop(L);
  if (lua_getfield(L, 1, "warnings") == LUA_TTABLE) {
    for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) == LUA_TSTRING; ++i) {
      text += std::string("\n  warning: ") + lua_tostring(L, -1);
      lua_settop(L, top + 1);
    }
  }
  lua_settop(L, top);
  return text;
}

}  // namespace perilune::lua
