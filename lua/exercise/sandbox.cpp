// SPDX-License-Identifier: MIT
#include "exercise/sandbox.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_map>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/interrupt.hpp"
#include "error.hpp"
#include "perilune.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

namespace {

const char given_key = 0;  // its address is the key of the given values in the registry

// Names of perilune's functions by what the interpreter calls: the schema's entry of a constructor, or a C function.
struct Usage {
  std::unordered_map<const void*, std::string> constructors;
  std::unordered_map<lua_CFunction, std::string> functions;
  std::map<std::string, std::int64_t> calls;

  Usage() {
    for (const Constructor* entry : all_constructors()) constructors.emplace(entry, entry->name);
    for (const Function* entry : all_functions()) functions.emplace(entry->function, entry->name);
  }
};

Usage& usage_so_far() {
  static Usage counted;
  return counted;
}

void count_call(lua_State* L, lua_Debug* frame) {
  lua_getinfo(L, "f", frame);
  if (const lua_CFunction function = lua_tocfunction(L, -1)) {
    if (const auto found = usage_so_far().functions.find(function); found != usage_so_far().functions.end()) {
      ++usage_so_far().calls[found->second];
    } else if (lua_getupvalue(L, -1, 1)) {
      const auto entry = usage_so_far().constructors.find(lua_touserdata(L, -1));
      if (entry != usage_so_far().constructors.end()) ++usage_so_far().calls[entry->second];
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

// Upvalue 1: what was called.
int refuse(lua_State* L) {
  throw Error(std::string(lua_tostring(L, lua_upvalueindex(1))) + " is not available in a script that is checked");
}

// In the library on top of the stack.
void forbid(lua_State* L, const char* library, const char* name) {
  lua_pushfstring(L, "%s%s%s", library, *library ? "." : "", name);
  lua_pushcclosure(L, guarded<refuse>, 1);
  lua_setfield(L, -2, name);
}

const char* file_argument(lua_State* L) { return luaL_checkstring(L, 1); }

// Upvalue 1: the function of the library.
int call_original(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

int open_file(lua_State* L) {
  const std::string name = file_argument(L), mode = luaL_optstring(L, 2, "r");
  if (mode.find_first_of("wa+") == mode.npos) {
    require_readable(name);
  } else {
    require_writable(name);
  }
  return call_original(L);
}

int lines_of_file(lua_State* L) {
  if (!lua_isnoneornil(L, 1)) require_readable(file_argument(L));
  return call_original(L);
}

int load_text(lua_State* L) {
  lua_settop(L, std::max(3, lua_gettop(L)));
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  return call_original(L);
}

int collect_garbage_only(lua_State* L) {
  const std::string what = luaL_optstring(L, 1, "collect");
  if (what != "count" && what != "collect" && what != "step") {
    throw Error("collectgarbage: only \"count\", \"collect\" and \"step\" are available in a script that is checked");
  }
  return call_original(L);
}

// Replaces the function of the library on top of the stack by one that calls it.
template <lua_CFunction F>
void wrap(lua_State* L, const char* name) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, guarded<F>, 1);
  lua_setfield(L, -2, name);
}

int load_file(lua_State* L) {
  const std::string name = file_argument(L);
  require_readable(name);
  const bool has_environment = !lua_isnone(L, 3);
  if (luaL_loadfilex(L, name.c_str(), "t") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(L, 3);
    lua_setupvalue(L, -2, 1);
  }
  return 1;
}

int do_file(lua_State* L) {
  const std::string name = file_argument(L);
  require_readable(name);
  lua_settop(L, 0);
  if (luaL_loadfilex(L, name.c_str(), "t") != LUA_OK) return lua_error(L);
  lua_call(L, 0, LUA_MULTRET);
  return lua_gettop(L);
}

int require(lua_State* L) {
  const std::string name = file_argument(L);
  lua_settop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, 2, name.c_str()) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  if (name == "perilune") {
    lua_pushcfunction(L, guarded<open_perilune>);
    lua_call(L, 0, 1);
  } else if (name == "given") {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &given_key);
  } else {
    throw Error("module '" + name + "' not found: a script that is checked has perilune and given, and no other file " +
                "than itself");
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name.c_str());
  return 1;
}

void open_standard_libraries(lua_State* L) {
  constexpr std::array<luaL_Reg, 8> libraries = {{{LUA_GNAME, luaopen_base},
                                                  {LUA_COLIBNAME, luaopen_coroutine},
                                                  {LUA_TABLIBNAME, luaopen_table},
                                                  {LUA_IOLIBNAME, luaopen_io},
                                                  {LUA_OSLIBNAME, luaopen_os},
                                                  {LUA_STRLIBNAME, luaopen_string},
                                                  {LUA_MATHLIBNAME, luaopen_math},
                                                  {LUA_UTF8LIBNAME, luaopen_utf8}}};
  for (const luaL_Reg& library : libraries) {
    luaL_requiref(L, library.name, library.func, 1);
    lua_pop(L, 1);
  }
  install_interruptible_library(L);
}

void restrict_libraries(lua_State* L) {
  lua_getglobal(L, LUA_OSLIBNAME);
  for (const char* name : {"execute", "exit", "remove", "rename", "setlocale", "tmpname", "getenv"}) {
    forbid(L, LUA_OSLIBNAME, name);
  }
  lua_getglobal(L, LUA_IOLIBNAME);
  for (const char* name : {"popen", "tmpfile", "input", "output"}) forbid(L, LUA_IOLIBNAME, name);
  wrap<open_file>(L, "open");
  wrap<lines_of_file>(L, "lines");
  luaL_getmetatable(L, LUA_FILEHANDLE);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_getglobal(L, LUA_STRLIBNAME);
  forbid(L, LUA_STRLIBNAME, "dump");
  lua_pushglobaltable(L);
  wrap<load_text>(L, "load");
  wrap<collect_garbage_only>(L, "collectgarbage");
  const std::pair<const char*, lua_CFunction> own[] = {
      {"loadfile", guarded<load_file>}, {"dofile", guarded<do_file>}, {"require", guarded<require>}};
  for (const auto& [name, function] : own) {
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, name);
  }
}

struct Setting {
  std::int64_t seed;
  const Plain* given;
};

int open_sandbox(lua_State* L) {
  const Setting setting = *static_cast<const Setting*>(lua_touserdata(L, 1));
  open_standard_libraries(L);
  restrict_libraries(L);
  push_plain(L, *setting.given);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &given_key);
  lua_getglobal(L, LUA_MATHLIBNAME);
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, setting.seed);
  lua_call(L, 1, 0);
  lua_sethook(L, count_call, LUA_MASKCALL, 0);
  return 0;
}

}  // namespace

void* Sandbox::allocate(void* memory, void* block, std::size_t old_size, std::size_t new_size) {
  Memory& all = *static_cast<Memory*>(memory);
  const std::size_t before = block ? old_size : 0;  // else it is a type
  if (new_size == 0) {
    std::free(block);
    all.used -= before;
    return nullptr;
  }
  if (new_size > before && all.used - before + new_size > all.limit) return nullptr;
  void* fresh = std::realloc(block, new_size);
  if (fresh) all.used += new_size - before;
  return fresh;
}

Sandbox::Sandbox(std::size_t memory, std::int64_t seed, const Plain& given)
    : memory_{0, memory}, state_(lua_newstate(allocate, &memory_), lua_close) {
  const Setting setting{seed, &given};
  lua_State* L = state_.get();
  if (!L) throw Error("not enough memory for the interpreter");
  lua_pushcfunction(L, guarded<open_sandbox>);
  lua_pushlightuserdata(L, const_cast<Setting*>(&setting));
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) throw Error("the sandbox could not be made: not enough memory");
}

Sandbox::~Sandbox() = default;

std::map<std::string, std::int64_t> Sandbox::calls() const { return usage_so_far().calls; }

}  // namespace perilune::lua
