#include "complete.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "perilune.hpp"

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
  const std::string_view text = *static_cast<const std::string_view*>(lua_touserdata(L, 1));
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

std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_name_part(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view without_blanks(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\n") + 1); }

// What stands before the innermost bracket that is open at the end of the text, if that is a '{' and if an item of its
// table can begin there.
std::string_view before_open_table(std::string_view text) {
  std::vector<size_t> open;
  char last = 0;  // neither blank nor part of a comment
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (text.substr(k).starts_with("--")) {
      k = std::min(text.find('\n', k), text.size());
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\n') last = c;
    if (c == '"' || c == '\'') {
      for (++k; k < text.size() && text[k] != c; ++k) k += text[k] == '\\';
    } else if (c == '{' || c == '(' || c == '[') {
      open.push_back(k);
    } else if ((c == '}' || c == ')' || c == ']') && !open.empty()) {
      open.pop_back();
    }
  }
  if (open.empty() || text[open.back()] != '{' || (last != '{' && last != ',')) return {};
  return text.substr(0, open.back());
}

// Fields that can stand where the word does.
std::vector<std::string> fields_at(std::string_view text, std::string_view word) {
  std::string_view call = without_blanks(before_open_table(text.substr(0, text.size() - word.size())));
  if (call.ends_with('(')) call = without_blanks(call.substr(0, call.size() - 1));
  std::vector<std::string> fields;
  for (const std::string& field : constructor_fields(last_word(call))) {
    if (field.starts_with(word)) fields.push_back(field);
  }
  std::sort(fields.begin(), fields.end());
  if (fields.size() == 1) fields[0] += " = ";
  return fields;
}

}  // namespace

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
}

std::vector<std::string> completions(lua_State* L, std::string_view text) {
  std::string_view word = last_word(text);
  if (std::vector<std::string> fields = fields_at(text, word); !fields.empty()) return fields;
  std::set<std::string> names;
  lua_pushcfunction(L, complete);
  lua_pushlightuserdata(L, &word);
  lua_pushlightuserdata(L, &names);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
  return {names.begin(), names.end()};
}

}  // namespace perilune::lua
