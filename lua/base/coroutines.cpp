// SPDX-License-Identifier: MIT
// coroutine.resume and coroutine.wrap as in Lua's lcorolib.c, except that the running thread is known to the interrupt
// handler: a hook is set per thread, and Lua does not tell which thread runs.
#include "base/guard.hpp"
#include "base/interrupt.hpp"

namespace perilune::lua {

namespace {

// Moves the arguments over and resumes. Returns the number of results on L, or -1 and an error value.
int resume_thread(lua_State* L, lua_State* thread, int arguments) {
  if (!lua_checkstack(thread, arguments)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, thread, arguments);
  int results = 0;
  int status = LUA_OK;
  {
    const RunningThread listed(thread);
    status = lua_resume(thread, L, arguments, &results);
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(thread, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(thread, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(thread, L, results);
  return results;
}

lua_State* check_thread(lua_State* L) {
  lua_State* thread = lua_tothread(L, 1);
  luaL_argexpected(L, thread, 1, "coroutine");
  return thread;
}

int resume(lua_State* L) {
  lua_State* thread = check_thread(L);
  const int results = resume_thread(L, thread, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  const int returned = results < 0 ? 2 : results + 1;
  lua_insert(L, -returned);
  return returned;
}

int resume_wrapped(lua_State* L) {
  lua_State* thread = lua_tothread(L, lua_upvalueindex(1));
  const int results = resume_thread(L, thread, lua_gettop(L));
  if (results >= 0) return results;
  const int status = lua_status(thread);
  if (status != LUA_OK && status != LUA_YIELD) {
    // An error inside: its message already says where.
    lua_xmove(L, thread, 1);
    lua_resetthread(thread);  // closes its pending variables, and keeps the error or replaces it by theirs
    lua_xmove(thread, L, 1);
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State* thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushcclosure(L, guarded<resume_wrapped>, 1);
  return 1;
}

}  // namespace

void install_coroutines(lua_State* L) {
  lua_getglobal(L, "coroutine");
  lua_pushcfunction(L, guarded<resume>);
  lua_setfield(L, -2, "resume");
  lua_pushcfunction(L, guarded<wrap>);
  lua_setfield(L, -2, "wrap");
  lua_pop(L, 1);
}

}  // namespace perilune::lua
