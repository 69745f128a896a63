// Fields of a table on top of the Lua stack.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

namespace perilune::lua {

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

}  // namespace perilune::lua
