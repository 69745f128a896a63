#include "pretty.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace perilune::lua {

namespace {

constexpr int deepest = 2;
constexpr size_t most_entries = 20;
constexpr size_t most_fields_sorted = 1000;
constexpr size_t widest = 100;

std::string text_of(lua_State* L, int index) {
  size_t size = 0;
  const char* text = luaL_tolstring(L, index, &size);
  std::string result(text, size);
  lua_pop(L, 1);
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); });
}

std::string value(lua_State* L, int index, int depth);

bool has_own_text(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

// The fields outside of the list part, sorted: the same table prints the same way.
std::vector<std::pair<std::string, std::string>> fields(lua_State* L, int index, lua_Integer listed, int depth) {
  std::vector<std::pair<std::string, std::string>> result;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const int key = lua_gettop(L) - 1;
    const bool is_listed = lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= listed;
    if (!is_listed && result.size() < most_fields_sorted) {
      std::string name = text_of(L, key);
      if (lua_type(L, key) != LUA_TSTRING) {
        name.insert(0, "[").append("]");
      } else if (!is_name(name)) {
        name = "[" + quoted(name) + "]";
      }
      result.emplace_back(std::move(name), value(L, key + 1, depth));
    }
    lua_settop(L, key);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string table(lua_State* L, int index, int depth) {
  if (depth == deepest) {
    lua_pushnil(L);
    if (!lua_next(L, index)) return "{}";
    lua_pop(L, 2);
    return "{...}";
  }
  luaL_checkstack(L, LUA_MINSTACK, "table too deep to print");
  std::vector<std::string> entries;
  const auto listed = static_cast<lua_Integer>(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= listed && entries.size() <= most_entries; ++i) {
    lua_rawgeti(L, index, i);
    entries.push_back(value(L, lua_gettop(L), depth + 1));
    lua_pop(L, 1);
  }
  if (entries.size() <= most_entries) {
    for (auto& [name, text] : fields(L, index, listed, depth + 1)) entries.push_back(name.append(" = ").append(text));
  }
  if (entries.size() > most_entries) {
    entries.resize(most_entries);
    entries.emplace_back("...");
  }
  size_t width = 0;
  for (const std::string& entry : entries) width += entry.size() + 2;
  const bool is_long = width > widest && depth == 0;
  std::string text = is_long ? "{\n  " : "{";
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) text += is_long ? ",\n  " : ", ";
    text += entries[i];
  }
  return text + (is_long ? "\n}" : "}");
}

std::string value(lua_State* L, int index, int depth) {
  if (lua_type(L, index) == LUA_TTABLE && !has_own_text(L, index)) return table(L, index, depth);
  if (lua_type(L, index) == LUA_TSTRING && depth > 0) return quoted(lua_tostring(L, index));
  return text_of(L, index);
}

}  // namespace

std::string pretty(lua_State* L, int index) { return value(L, lua_absindex(L, index), 0); }

}  // namespace perilune::lua
