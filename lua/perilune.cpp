// SPDX-License-Identifier: MIT
#include "perilune.hpp"

#include <vector>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "schema/schema.hpp"
#include "stdlib_modules.hpp"
#include "values/expression.hpp"
#include "values/object.hpp"
#include "values/trace.hpp"
#include "words/words.hpp"

namespace perilune::lua {

namespace {

/// What follows "the module has no function 'key'": a function of a near name, a method of models or of runs that is
/// called so here or in books, or what the word leads to.
std::string said_of(const std::string& key, const std::vector<std::string>& names) {
  const std::string last = "\nmore: help() lists the topics";
  if (const std::string near = closest(key, names); !near.empty()) return did_you_mean(near) + last;
  const Word* word = find_word(key);
  std::string_view method = full_name_of(key);
  if (method.empty() && word && !word->called.empty()) method = full_name_of(word->called);
  if (!method.empty()) return did_you_mean(method) + last;
  return word ? meaning_of(key) : last;
}

int module_index(lua_State* L) {
  require_table(L);
  std::vector<std::string> names;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -1));
  }
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  throw Error("the module has no function '" + key + "'" + said_of(key, names));
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
