// SPDX-License-Identifier: MIT
// C++ objects inside Lua: full userdata with one metatable per script-visible kind.
#pragma once
#include <lua.hpp>
#include <new>
#include <string>
#include <utility>

#include "error.hpp"

namespace perilune::lua {

/// Its address marks the metatables of userdata that hold a T; several kinds may share a type.
template <class T>
inline const char userdata_tag = 0;

/// The T at `index`; nullptr if it is something else.
template <class T>
T* test_userdata(lua_State* L, int index) {
  void* memory = lua_touserdata(L, index);
  if (!memory || !lua_getmetatable(L, index)) return nullptr;
  const bool fits = lua_rawgetp(L, -1, &userdata_tag<T>) != LUA_TNIL;
  lua_pop(L, 2);
  return fits ? static_cast<T*>(memory) : nullptr;
}

/// The T that a metamethod or method was called on. Throws Error if it is something else.
template <class T>
T& own_userdata(lua_State* L) {
  if (T* object = test_userdata<T>(L, 1)) return *object;
  throw Error("called on something that it does not belong to");
}

template <class T>
int collect_garbage(lua_State* L) {
  // Scripts reach metamethods by the debug library: whatever they call them on, and how often.
  if (T* object = test_userdata<T>(L, 1)) {
    object->~T();
    lua_pushnil(L);
    lua_setmetatable(L, 1);
  }
  return 0;
}

/// Pushes the metatable of `kind`, which scripts see as the type's name in messages of Lua itself. True if it is new
/// and still needs its metamethods.
template <class T>
bool push_metatable(lua_State* L, const std::string& kind) {
  if (!luaL_newmetatable(L, ("perilune." + kind).c_str())) return false;
  lua_pushlstring(L, kind.data(), kind.size());
  lua_setfield(L, -2, "__name");
  lua_pushcfunction(L, collect_garbage<T>);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");  // scripts must not reach __gc
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &userdata_tag<T>);
  return true;
}

/// Pushes a new userdata and returns its object. The metatable of `kind` must exist.
template <class T>
T& push_userdata(lua_State* L, const std::string& kind, T value, int user_values = 0) {
  T* object = new (lua_newuserdatauv(L, sizeof(T), user_values)) T(std::move(value));
  luaL_setmetatable(L, ("perilune." + kind).c_str());
  return *object;
}

}  // namespace perilune::lua
