// SPDX-License-Identifier: MIT
#include "base/named_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

int unknown_name(lua_State* L) {
  require_table(L);
  if (lua_type(L, 2) != LUA_TSTRING) return 0;  // as of a list that has ended
  const std::string key = lua_tostring(L, 2);
  std::vector<std::string> names;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -2));
  }
  std::sort(names.begin(), names.end());
  if (names.empty()) throw Error("there is no '" + key + "', nor any other name: this table is empty");
  throw Error("there is no '" + key + "' among these names" + suggestion_or_list(key, names, "they are"));
}

}  // namespace

void refuse_other_names(lua_State* L) {
  if (luaL_newmetatable(L, "perilune.named_values")) {
    lua_pushcfunction(L, guarded<unknown_name>);
    lua_setfield(L, -2, "__index");
  }
  lua_setmetatable(L, -2);
}

}  // namespace perilune::lua
