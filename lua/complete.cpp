#include "complete.hpp"

#include <array>
#include <set>
#include <string_view>

namespace perilune::lua {

namespace {

constexpr int most_metatables = 8;

constexpr std::array<std::string_view, 22> keywords = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

// Pushes what the value on top has by __index: that table, or else the methods of an object whose __index is a
// function.
bool push_members(lua_State* L) {
  const int type = luaL_getmetafield(L, -1, "__index");
  if (type == LUA_TNIL) return false;
  if (type != LUA_TFUNCTION) return true;
  lua_pop(L, 1);
  return luaL_getmetafield(L, -1, "methods") != LUA_TNIL;
}

// Replaces the value on top by its field, looking through __index tables; nil if it takes more than that.
void raw_field(lua_State* L, std::string_view name) {
  for (int i = 0; i < most_metatables; ++i) {
    if (lua_istable(L, -1)) {
      lua_pushlstring(L, name.data(), name.size());
      lua_rawget(L, -2);
      if (!lua_isnil(L, -1)) break;
      lua_pop(L, 1);
    }
    if (!push_members(L)) {
      lua_pushnil(L);
      break;
    }
    lua_remove(L, -2);
  }
  lua_remove(L, -2);
}

// Adds the fields of the value on top, and pops it.
void collect(lua_State* L, std::string_view beginning, bool only_functions, std::set<std::string>& names) {
  for (int i = 0; i < most_metatables; ++i) {
    if (lua_istable(L, -1)) {
      lua_pushnil(L);
      while (lua_next(L, -2)) {
        const bool fits = !only_functions || lua_isfunction(L, -1);
        lua_pop(L, 1);
        if (!fits || lua_type(L, -1) != LUA_TSTRING) continue;
        const std::string_view name = lua_tostring(L, -1);
        if (name.starts_with(beginning)) names.emplace(name);
      }
    }
    if (!push_members(L)) break;
    lua_remove(L, -2);
  }
  lua_pop(L, 1);
}

int complete(lua_State* L) {
  const auto& text = *static_cast<const std::string*>(lua_touserdata(L, 1));
  auto& names = *static_cast<std::set<std::string>*>(lua_touserdata(L, 2));
  lua_pushglobaltable(L);
  std::string_view rest = text;
  bool is_method = false;
  size_t separator = 0;
  while ((separator = rest.find_first_of(".:")) != rest.npos) {
    raw_field(L, rest.substr(0, separator));
    is_method = rest[separator] == ':';
    rest.remove_prefix(separator + 1);
  }
  collect(L, rest, is_method, names);
  if (rest.size() == text.size() && !rest.empty()) {
    for (const std::string_view keyword : keywords) {
      if (keyword.starts_with(rest)) names.emplace(keyword);
    }
  }
  return 0;
}

}  // namespace

std::vector<std::string> completions(lua_State* L, const std::string& text) {
  std::set<std::string> names;
  lua_pushcfunction(L, complete);
  lua_pushlightuserdata(L, const_cast<std::string*>(&text));
  lua_pushlightuserdata(L, &names);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
  return {names.begin(), names.end()};
}

}  // namespace perilune::lua
