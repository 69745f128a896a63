// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include <new>

#include "base/interrupt.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

// Addresses that serve as keys in the registry.
const char last_text = 0;
const char last_kind = 0;

}  // namespace

int exit_code(Failure kind) {
  switch (kind) {
    case Failure::numerical:
      return 3;
    case Failure::interrupted:
      return 130;
    case Failure::script:
      break;
  }
  return 1;
}

Caught describe(const std::exception& error) noexcept {
  Caught caught;
  if (dynamic_cast<const NumericalError*>(&error)) caught.kind = Failure::numerical;
  if (dynamic_cast<const Interrupted*>(&error)) caught.kind = Failure::interrupted;
  try {
    caught.message = dynamic_cast<const std::bad_alloc*>(&error) ? "out of memory" : error.what();
  } catch (const std::exception&) {
    caught.message = "out of memory";  // short enough to need no allocation
  }
  return caught;
}

std::string script_position(lua_State* L, int level) {
  lua_Debug frame;
  for (; lua_getstack(L, level, &frame); ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline > 0) return std::string(frame.short_src) + ":" + std::to_string(frame.currentline) + ": ";
  }
  return {};
}

namespace {

void push_text(lua_State* L, Failure kind, const std::string& text) {
  if (!lua_checkstack(L, LUA_MINSTACK)) lua_settop(L, 0);
  if (kind == Failure::interrupted) interrupt_was_raised();
  lua_pushlstring(L, text.data(), text.size());
  if (kind == Failure::script) return;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_text);
  lua_pushinteger(L, static_cast<lua_Integer>(kind));
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_kind);
}

}  // namespace

void raise(lua_State* L, Failure kind, const std::string& text) {
  push_text(L, kind, text);
  lua_error(L);
  std::terminate();  // lua_error does not return, but is not declared so
}

void push_error(lua_State* L, const Caught& caught) {
  push_text(L, caught.kind, script_position(L, 1) + caught.message);
}

Failure failure_of(lua_State* L, std::string_view text) {
  Failure kind = Failure::script;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &last_text);
  size_t size = 0;
  if (const char* recorded = lua_tolstring(L, -1, &size);
      recorded && size > 0 && text.find(std::string_view(recorded, size)) != text.npos) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &last_kind);
    kind = static_cast<Failure>(lua_tointeger(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return kind;
}

}  // namespace perilune::lua
