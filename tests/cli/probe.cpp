// SPDX-License-Identifier: MIT
// A stand-in for the module `perilune`, with functions that fail in every way a binding can. Linked with the real
// command line it shows what scripts, and the process, make of such failures.
#include <lua.hpp>
#include <new>
#include <string>

#include "base/guard.hpp"
#include "error.hpp"
#include "perilune.hpp"
#include "schema/schema.hpp"
#include "session/complete.hpp"
#include "session/launcher.hpp"

namespace perilune::lua {

namespace {

int alive = 0;

struct Tracer {
  Tracer() { ++alive; }
  ~Tracer() { --alive; }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
};

int wrong(lua_State* L) {
  const Tracer tracer;
  throw Error(luaL_optstring(L, 1, "mass must be positive"));
}

int numerical(lua_State* L) {
  const Tracer tracer;
  throw NumericalError(luaL_optstring(L, 1, "step size collapsed at t = 0.5"));
}

int lua_error_inside(lua_State* L) {
  const Tracer tracer;
  return luaL_error(L, "raised by Lua's own means");
}

int bad_argument(lua_State* L) {
  const Tracer tracer;
  luaL_checknumber(L, 1);
  return 0;
}

int out_of_memory(lua_State*) { throw std::bad_alloc(); }

// Calls back while an object is alive.
int with(lua_State* L) {
  const Tracer tracer;
  lua_settop(L, 1);
  lua_call(L, 0, 1);
  return 1;
}

// A long loop of the engine.
int spin(lua_State*) {
  const Tracer tracer;
  for (;;) {
    check_interrupt();
  }
}

int count_alive(lua_State* L) {
  lua_pushinteger(L, alive);
  return 1;
}

// What the interactive mode offers after a text.
int complete(lua_State* L) {
  std::string list;
  for (const std::string& name : completions(L, luaL_checkstring(L, 1)).names) {
    list += (list.empty() ? "" : ", ") + name;
  }
  lua_pushstring(L, list.c_str());
  return 1;
}

}  // namespace

int open_perilune(lua_State* L) {
  const luaL_Reg functions[] = {
      {"wrong", guarded<wrong>},
      {"numerical", guarded<numerical>},
      {"lua_error", guarded<lua_error_inside>},
      {"bad_argument", guarded<bad_argument>},
      {"out_of_memory", guarded<out_of_memory>},
      {"with", guarded<with>},
      {"spin", guarded<spin>},
      {"alive", guarded<count_alive>},
      {"complete", guarded<complete>},
      {nullptr, nullptr},
  };
  luaL_newlib(L, functions);
  return 1;
}

void preload_perilune(lua_State* L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, guarded<open_perilune>);
  lua_setfield(L, -2, "perilune");
  lua_pop(L, 1);
}

// It is alone.
Launch launch() { return {}; }
void forget_launch() {}
void join_launched(const Launch&) {}
void prepare_launched(lua_State*) {}
int leave_launched(int code, const std::string&) { return code; }

std::optional<int> run_subcommand(int, const char* const*) { return std::nullopt; }

std::vector<std::string> constructor_fields(std::string_view call) {
  if (call == "probe.spring") return {"name", "a", "b", "stiffness", "free_length", "force"};
  return {};
}

std::string_view full_name_of(std::string_view) { return {}; }
std::vector<std::string> help_topics() { return {"spring", "body"}; }
std::vector<std::string> member_names(lua_State*, int) { return {}; }
std::vector<std::string> signal_names(lua_State*, int) { return {}; }

}  // namespace perilune::lua
