// SPDX-License-Identifier: MIT
// Functions of Lua's library that Ctrl-C could not stop. coroutine.resume and coroutine.wrap are as in Lua's
// lcorolib.c, except that the running thread is known to the interrupt handler: a hook is set per thread, and Lua does
// not tell which thread runs. table.move is as in ltablib.c, except that it looks for the interrupt: it is the one loop
// of that library whose length is a number of the caller's (table.move({}, 1, 1e16, 1) takes years).
#include <limits>

#include "base/guard.hpp"
#include "base/interrupt.hpp"
#include "poll.hpp"

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

// A table, or what can be read or written like one.
void check_table(lua_State* L, int argument, const char* event) {
  if (lua_istable(L, argument)) return;
  if (luaL_getmetafield(L, argument, event) == LUA_TNIL) luaL_typeerror(L, argument, "table");
  lua_pop(L, 1);
}

int move(lua_State* L) {
  const lua_Integer first = luaL_checkinteger(L, 2);
  const lua_Integer last = luaL_checkinteger(L, 3);
  const lua_Integer target = luaL_checkinteger(L, 4);
  const int to = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, "__index");
  check_table(L, to, "__newindex");
  if (last >= first) {
    constexpr lua_Integer largest = std::numeric_limits<lua_Integer>::max();
    luaL_argcheck(L, first > 0 || last < largest + first, 3, "too many elements to move");
    const lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= largest - count + 1, 4, "destination wrap around");
    const bool overlaps = target > first && target <= last && (to == 1 || lua_compare(L, 1, to, LUA_OPEQ));
    Poll poll;
    for (lua_Integer i = 0; i < count; ++i) {
      poll();
      const lua_Integer offset = overlaps ? count - 1 - i : i;
      lua_geti(L, 1, first + offset);
      lua_seti(L, to, target + offset);
    }
  }
  lua_pushvalue(L, to);
  return 1;
}

}  // namespace

void install_interruptible_library(lua_State* L) {
  lua_getglobal(L, "coroutine");
  lua_pushcfunction(L, guarded<resume>);
  lua_setfield(L, -2, "resume");
  lua_pushcfunction(L, guarded<wrap>);
  lua_setfield(L, -2, "wrap");
  lua_pop(L, 1);
  lua_getglobal(L, "table");
  lua_pushcfunction(L, guarded<move>);
  lua_setfield(L, -2, "move");
  lua_pop(L, 1);
}

}  // namespace perilune::lua
