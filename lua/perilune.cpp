// SPDX-License-Identifier: MIT
#include "perilune.hpp"

#include <vector>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "stdlib_modules.hpp"
#include "values/expression.hpp"
#include "values/object.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

int module_index(lua_State* L) {
  require_table(L);
  std::vector<std::string> names;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -1));
  }
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  throw Error("the module has no function '" + key + "'" + did_you_mean(closest(key, names)) +
              "\nmore: help() lists the topics");
}

}  // namespace

int open_perilune(lua_State* L) {
  open_expressions(L);
  open_tracing(L);
  preload_stdlib(L);
  push_methods(L, "mbs");
  lua_pushstring(L, PERILUNE_VERSION);
  lua_setfield(L, -2, "version");
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, guarded<module_index>);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 1;
}

void preload_perilune(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, guarded<open_perilune>);
  lua_setfield(L, -2, "perilune");
  lua_pop(L, 1);
  preload_stdlib(L);
}

}  // namespace perilune::lua
