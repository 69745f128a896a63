// SPDX-License-Identifier: MIT
#include "session/locals.hpp"

#include <algorithm>
#include <utility>

#include "base/guard.hpp"

namespace perilune::lua {

namespace {

// Their addresses are keys in the registry. Of a table from names to functions whose first upvalue is the variable:
const char variables_key = 0;
// Of the function that is the chunk:
const char chunk_key = 0;

constexpr std::string_view hidden = "_perilune_";

// Pushes the function that has a variable; nothing if there is none.
bool push_holder(lua_State* L, std::string_view name) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &variables_key) == LUA_TTABLE) {
    lua_pushlstring(L, name.data(), name.size());
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  if (lua_isfunction(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

// The chunk with a call that keeps the variable behind each statement that declares some. The last statement returns
// its values: below a variable that is to be closed a call is no tail call, so the chunk stays on the stack of errors.
std::string edited(const std::string& code, const Block& block, bool is_value) {
  std::string text;
  size_t copied = 0;
  const auto copy_to = [&](size_t end) {
    text.append(code, copied, end - copied);
    copied = end;
  };
  for (const Statement& statement : block.statements) {
    const bool is_last_value = is_value && &statement == &block.statements.back();
    if (is_last_value || statement.kind == Statement::Kind::returned) {
      copy_to(statement.begin);
      text.append("local ").append(hidden).append("frame <close> = nil ");
    }
    if (is_last_value) text += "return ";
    if (statement.locals.empty()) continue;
    copy_to(statement.end);
    for (const auto& [name, is_constant] : statement.locals) {
      text.append(" ").append(hidden).append("keep(\"").append(name).append("\",function()return ").append(name);
      text.append(" end").append(is_constant ? ",true);" : ");");
    }
  }
  copy_to(code.size());
  return text;
}

}  // namespace

SessionLocals::SessionLocals(lua_State* L) : state_(L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &variables_key);
}

SessionLocals::~SessionLocals() {
  for (const char* key : {&variables_key, &chunk_key}) {
    lua_pushnil(state_);
    lua_rawsetp(state_, LUA_REGISTRYINDEX, key);
  }
}

// The variable's name, a function that returns it, and whether it is constant. Upvalue 1: the session.
int SessionLocals::keep(lua_State* L) {
  auto& own = *static_cast<SessionLocals*>(lua_touserdata(L, lua_upvalueindex(1)));
  const std::string name = lua_tostring(L, 1);
  const bool is_constant = lua_toboolean(L, 3);
  lua_settop(L, 2);
  if (!lua_getupvalue(L, 2, 1)) {  // what the compiler knows is no variable to it: one with its value
    luaL_loadstring(L, "local value = ... return function() return value end");
    lua_pushvalue(L, 2);
    lua_call(L, 0, 1);
    lua_call(L, 1, 1);
    lua_replace(L, 2);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &variables_key);
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, name.c_str());
  own.reached_.insert(name);
  if (is_constant) {
    own.constants_.insert(name);
  } else {
    own.constants_.erase(name);
  }
  return 0;
}

int SessionLocals::keep_guarded(lua_State* L) { return guarded<SessionLocals::keep>(L); }

bool SessionLocals::load(const std::string& code, const Block& block, bool is_value, int line) {
  lua_State* L = state_;
  // The variables that the chunk may mean are declared around it, and then made to be those of the session.
  std::string around = "local ";
  for (const std::string& name : session_locals(L)) {
    if (!block.names.contains(name) && name != "_ENV") continue;
    around += name + (constants_.contains(name) ? " <const>," : ",");
  }
  around.append(hidden).append("keep;return function(...) ");
  const std::string text =
      std::string(static_cast<size_t>(line) - 1, '\n') + around + edited(code, block, is_value) + "\nend";
  if (luaL_loadbuffer(L, text.data(), text.size(), "=stdin") != LUA_OK) return false;
  lua_call(L, 0, 1);
  for (int k = 1; const char* name = lua_getupvalue(L, -1, k); ++k) {
    lua_pop(L, 1);
    if (is_hidden_name(name)) {
      lua_pushlightuserdata(L, this);
      lua_pushcclosure(L, keep_guarded, 1);
      lua_setupvalue(L, -2, k);
    } else if (push_holder(L, name)) {
      lua_upvaluejoin(L, -2, k, -1, 1);
      lua_pop(L, 1);
    }
  }
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &chunk_key);
  reached_.clear();
  return true;
}

std::vector<std::string> session_locals(lua_State* L) {
  std::vector<std::string> names;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &variables_key) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      names.emplace_back(lua_tostring(L, -1));
    }
  }
  lua_pop(L, 1);
  std::sort(names.begin(), names.end());
  return names;
}

bool push_session_local(lua_State* L, std::string_view name) {
  if (!push_holder(L, name)) return false;
  lua_getupvalue(L, -1, 1);
  lua_remove(L, -2);
  return true;
}

void push_variable(lua_State* L, std::string_view name) {
  if (push_session_local(L, name)) return;
  lua_pushglobaltable(L);
  lua_pushlstring(L, name.data(), name.size());
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

bool is_session_chunk(lua_State* L, int function) {
  lua_pushvalue(L, function);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &chunk_key);
  const bool is_same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is_same;
}

bool is_hidden_name(std::string_view name) { return name.starts_with(hidden); }

}  // namespace perilune::lua
