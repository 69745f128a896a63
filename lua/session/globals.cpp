// SPDX-License-Identifier: MIT
#include "session/globals.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "schema/schema.hpp"
#include "session/locals.hpp"

namespace perilune::lua {

namespace {

// Address that serves as key of the metatable in the registry.
const char metatable_key = 0;

// Globals of other Lua versions: portable modules test for them, and expect nil. And the interactive mode's last value.
constexpr std::array<std::string_view, 9> foreign = {"jit",        "unpack", "setfenv", "getfenv", "module",
                                                     "loadstring", "bit32",  "bit",     "_"};

// What other languages call what Lua has, too.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> other_languages = {
    {{"None", "nil"}, {"null", "nil"}, {"NULL", "nil"}, {"True", "true"}, {"False", "false"}}};

// Names that could have been meant: locals and upvalues of the function that touched the global, locals of its callers
// in the same file (mostly the enclosing functions), then the globals.
std::vector<std::string> visible_names(lua_State* L) {
  constexpr int deepest_caller = 20;
  std::vector<std::string> names;
  const auto add = [&names](const char* name) {
    if (name[0] != '(' && name[0] != '\0' && !is_hidden_name(name)) names.emplace_back(name);
  };
  std::string file;
  lua_Debug frame;
  for (int level = 1; level < deepest_caller && lua_getstack(L, level, &frame); ++level) {
    lua_getinfo(L, "Sf", &frame);
    if (level == 1) {
      file = frame.source;
      for (int i = 1; const char* name = lua_getupvalue(L, -1, i); ++i) {
        lua_pop(L, 1);
        if (std::string_view(name) != "_ENV") add(name);
      }
    }
    lua_pop(L, 1);
    if (file != frame.source) continue;
    for (int i = 1; const char* name = lua_getlocal(L, &frame, i); ++i) {
      lua_pop(L, 1);
      add(name);
    }
  }
  std::vector<std::string> globals = session_locals(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) globals.emplace_back(lua_tostring(L, -1));
  }
  std::sort(globals.begin(), globals.end());  // the same suggestion in every run
  names.insert(names.end(), globals.begin(), globals.end());
  return names;
}

// True if the key was assigned, perhaps nil, in a main chunk. Upvalue 1: the set of those.
bool is_declared(lua_State* L) {
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  const bool declared = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return declared;
}

bool is_in(lua_State* L, const char* module, const std::string& name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, module);
  bool found = false;
  if (lua_istable(L, -1)) {
    lua_pushlstring(L, name.data(), name.size());
    lua_rawget(L, -2);
    found = !lua_isnil(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
  return found;
}

// __index(_G, key)
int read_undefined(lua_State* L) {
  lua_pushnil(L);
  if (lua_type(L, 2) != LUA_TSTRING || is_declared(L)) return 1;
  const std::string name = lua_tostring(L, 2);
  if (std::find(foreign.begin(), foreign.end(), name) != foreign.end()) return 1;
  const std::string_view method = full_name_of(name);
  const auto other = std::find_if(other_languages.begin(), other_languages.end(),
                                  [&](const auto& word) { return word.first == name; });
  const std::string suggestion = other != other_languages.end() ? std::string(other->second)
                                 : is_in(L, "perilune", name)   ? "mbs." + name
                                 : is_in(L, "math", name)       ? "math." + name
                                 : !method.empty()              ? std::string(method)
                                                                : closest(name, visible_names(L));
  throw Error("unknown global '" + name + "'" + did_you_mean(suggestion));
}

// __newindex(_G, key, value)
int create(lua_State* L) {
  require_table(L);
  lua_settop(L, 3);
  if (lua_type(L, 2) == LUA_TSTRING && !is_declared(L)) {
    lua_Debug caller;
    if (lua_getstack(L, 1, &caller)) {
      lua_getinfo(L, "S", &caller);
      const std::string_view what = caller.what;
      lua_getinfo(L, "f", &caller);
      const bool is_top_level = what == "main" || what == "C" || is_session_chunk(L, -1);
      lua_pop(L, 1);
      if (!is_top_level) {
        const std::string name = lua_tostring(L, 2);
        throw Error("assignment to unknown global '" + name + "' inside a function" +
                    did_you_mean(closest(name, visible_names(L))) + "\nwrite 'local " + name +
                    "', or give it a value at the top level of the script first");
      }
    }
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, lua_upvalueindex(1));
  }
  lua_rawset(L, 1);
  return 0;
}

}  // namespace

GuardedGlobals::GuardedGlobals(lua_State* L) : state_(L) {
  lua_pushglobaltable(L);
  if (!lua_getmetatable(L, -1)) {
    lua_createtable(L, 0, 2);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, guarded<read_undefined>, 1);
    lua_setfield(L, -3, "__index");
    lua_pushcclosure(L, guarded<create>, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
    installed_ = true;
    lua_setmetatable(L, -2);
  } else {
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

GuardedGlobals::~GuardedGlobals() {
  if (!installed_) return;
  lua_pushglobaltable(state_);
  if (lua_getmetatable(state_, -1)) {
    lua_rawgetp(state_, LUA_REGISTRYINDEX, &metatable_key);
    const bool ours = lua_rawequal(state_, -1, -2);
    lua_pop(state_, 2);
    if (ours) {
      lua_pushnil(state_);
      lua_setmetatable(state_, -2);
    }
  }
  lua_pop(state_, 1);
}

}  // namespace perilune::lua
