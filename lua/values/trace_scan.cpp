// SPDX-License-Identifier: MIT
#include "values/trace_scan.hpp"

#include <algorithm>

#include "base/userdata.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

constexpr int deepest = 4;

}  // namespace

CapturedValues::CapturedValues(lua_State* L, int function, const ModelPtr& model) : state_(L), model_(model) {
  function = lua_absindex(L, function);
  lua_newtable(L);
  anchor_ = lua_gettop(L);
  lua_newtable(L);
  visited_ = lua_gettop(L);
  visit_function(function, 0);
  lua_settop(L, anchor_);
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
}

bool CapturedValues::is_new(int value) {
  lua_pushvalue(state_, value);
  const bool is_new = lua_rawget(state_, visited_) == LUA_TNIL;
  lua_pop(state_, 1);
  if (!is_new) return false;
  lua_pushvalue(state_, value);
  lua_pushboolean(state_, 1);
  lua_rawset(state_, visited_);
  return true;
}

void CapturedValues::visit_function(int function, int depth) {
  if (lua_iscfunction(state_, function) || depth > deepest || !is_new(function)) return;
  luaL_checkstack(state_, LUA_MINSTACK, "functions nested too deeply");
  const std::vector<double> literals = literals_of(state_, function);
  numbers_.insert(numbers_.end(), literals.begin(), literals.end());
  for (int i = 1; lua_getupvalue(state_, function, i); ++i) {
    lua_pushinteger(state_, i);
    lua_insert(state_, -2);
    visit_value(function, lua_gettop(state_) - 1, true, depth, true);
    lua_pop(state_, 2);
  }
}

void CapturedValues::visit_table(int table, int depth, bool with_numbers) {
  if (depth > deepest || !is_new(table)) return;
  luaL_checkstack(state_, LUA_MINSTACK, "tables nested too deeply");
  lua_pushglobaltable(state_);
  const bool is_global = lua_rawequal(state_, -1, table);
  lua_pop(state_, 1);
  // Of the globals, only expressions matter, and functions and tables one level down: the libraries are there too.
  const int next_depth = is_global ? deepest : depth + 1;
  lua_pushnil(state_);
  while (lua_next(state_, table)) {
    if (--budget_ < 0) {
      lua_pop(state_, 2);
      return;
    }
    visit_value(table, lua_gettop(state_) - 1, false, next_depth, with_numbers && !is_global);
    lua_pop(state_, 1);
  }
}

// The value is on top of the stack.
void CapturedValues::visit_value(int container, int key, bool is_upvalue, int depth, bool with_numbers) {
  const int value = lua_gettop(state_);
  switch (lua_type(state_, value)) {
    case LUA_TNUMBER:
      if (with_numbers) numbers_.push_back(lua_tonumber(state_, value));
      break;
    case LUA_TFUNCTION:
      visit_function(value, depth + (is_upvalue ? 1 : 0));
      break;
    case LUA_TTABLE:
      visit_table(value, depth, with_numbers);
      break;
    case LUA_TUSERDATA:
      if (const Expression* expression = test_userdata<Expression>(state_, value);
          expression && expression->model == model_) {
        for (const int item : {container, key, value}) {
          lua_pushvalue(state_, item);
          lua_rawseti(state_, anchor_, static_cast<lua_Integer>(lua_rawlen(state_, anchor_)) + 1);
        }
        slots_.push_back({is_upvalue, expression->node});
        nodes_.push_back(expression->node);
      }
      break;
    default:
      break;
  }
}

// Stores the value on top of the stack in the slot, and pops it. Nothing here can run out of memory or raise.
void CapturedValues::put(int slot) {
  const int value = lua_gettop(state_);
  lua_rawgeti(state_, anchor_, 3 * slot + 1);
  lua_rawgeti(state_, anchor_, 3 * slot + 2);
  if (slots_[static_cast<size_t>(slot)].is_upvalue) {
    const int number = static_cast<int>(lua_tointeger(state_, -1));
    lua_pushvalue(state_, value);
    lua_setupvalue(state_, value + 1, number);
  } else {
    lua_pushvalue(state_, value);
    lua_rawset(state_, value + 1);
  }
  lua_settop(state_, value - 1);
}

void CapturedValues::substitute(NodeValues& values) {
  luaL_checkstack(state_, LUA_MINSTACK, "stack overflow");
  substituted_ = true;
  for (size_t i = 0; i < slots_.size(); ++i) {
    lua_pushnumber(state_, values(slots_[i].node));
    put(static_cast<int>(i));
  }
}

void CapturedValues::restore() {
  if (!substituted_) return;
  substituted_ = false;
  for (size_t i = 0; i < slots_.size(); ++i) {
    lua_rawgeti(state_, anchor_, 3 * static_cast<lua_Integer>(i) + 3);
    put(static_cast<int>(i));
  }
}

}  // namespace perilune::lua
