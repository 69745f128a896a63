// SPDX-License-Identifier: MIT
#include "session/pretty.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "base/suggest.hpp"

namespace perilune::lua {

namespace {

constexpr int deepest = 2;
constexpr size_t most_entries = 20;
constexpr size_t most_fields_sorted = 1000;
constexpr size_t widest_line = 100;

std::string text_of(lua_State* L, int index) {
  size_t size = 0;
  const char* text = luaL_tolstring(L, index, &size);
  std::string result(text, size);
  lua_pop(L, 1);
  return result;
}

std::string in_quotes(std::string_view text) {
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
        name = "[" + in_quotes(name) + "]";
      }
      result.emplace_back(std::move(name), value(L, key + 1, depth));
    }
    lua_settop(L, key);
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The numbers of a list of at least two lists of as many numbers each; empty if the table is anything else.
std::vector<std::vector<double>> matrix_rows(lua_State* L, int index) {
  std::vector<std::vector<double>> rows;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  lua_pushnil(L);
  while (lua_next(L, index)) {
    const bool is_row = lua_istable(L, -1) && lua_rawlen(L, -1) > 0 && lua_isinteger(L, -2);
    lua_pop(L, 1);
    if (is_row) continue;
    lua_pop(L, 1);
    return {};
  }
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    const int row = lua_gettop(L);
    std::vector<double> numbers(lua_istable(L, row) ? lua_rawlen(L, row) : 0);
    size_t fields = 0;
    lua_pushnil(L);
    while (lua_istable(L, row) && lua_next(L, row)) {
      const bool fits = lua_isinteger(L, -2) && lua_type(L, -1) == LUA_TNUMBER;
      if (fits && ++fields <= numbers.size()) {
        const auto place = static_cast<size_t>(lua_tointeger(L, -2)) - 1;
        if (place < numbers.size()) numbers[place] = lua_tonumber(L, -1);
      } else {
        fields = numbers.size() + 1;
      }
      lua_pop(L, 1);
    }
    lua_settop(L, row - 1);
    if (numbers.empty() || fields != numbers.size() || (i > 1 && numbers.size() != rows[0].size())) return {};
    rows.push_back(std::move(numbers));
  }
  return rows.size() < 2 ? std::vector<std::vector<double>>() : rows;
}

// Its rows below each other with their columns aligned, 6 digits each.
std::string matrix(const std::vector<std::vector<double>>& rows) {
  const size_t shown_rows = std::min(rows.size(), most_entries);
  size_t columns = rows[0].size();
  std::vector<std::vector<std::string>> cells(shown_rows);
  std::vector<size_t> widths(columns, 0);
  for (size_t i = 0; i < shown_rows; ++i) {
    for (size_t k = 0; k < columns; ++k) {
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", rows[i][k]);
      cells[i].emplace_back(number);
      widths[k] = std::max(widths[k], cells[i][k].size());
    }
  }
  size_t width = 3;
  for (size_t k = 0; k < columns; ++k) {
    width += widths[k] + 2;
    if (width > widest_line) columns = k;
  }
  std::string text;
  for (size_t i = 0; i < shown_rows; ++i) {
    text += i == 0 ? "{{" : ",\n {";
    for (size_t k = 0; k < columns; ++k) {
      text.append(k > 0 ? ", " : "").append(widths[k] - cells[i][k].size(), ' ').append(cells[i][k]);
    }
    text += columns < rows[0].size() ? ", ...}" : "}";
  }
  if (shown_rows == rows.size() && columns == rows[0].size()) return text + "}";
  return text + (shown_rows < rows.size() ? ",\n ...}" : "}") + "  -- " + std::to_string(rows.size()) + " rows, " +
         std::to_string(rows[0].size()) + " columns";
}

// The entries in constructor syntax: on one line, below each other, or where all are short, in lines that are filled.
std::string joined(const std::vector<std::string>& entries, bool may_break) {
  constexpr size_t shortest_to_stand_alone = 25;
  size_t width = 0, longest = 0;
  for (const std::string& entry : entries) {
    width += entry.size() + 2;
    longest = std::max(longest, entry.size());
  }
  const bool is_long = width > widest_line && may_break;
  std::string text;
  for (size_t i = 0; i < entries.size(); ++i) {
    text += i == 0 ? "" : is_long && longest >= shortest_to_stand_alone ? ",\n  " : ", ";
    text += entries[i];
  }
  if (!is_long) return "{" + text + "}";
  return "{\n  " + (longest < shortest_to_stand_alone ? wrapped(text, ", ", 2, widest_line) : text) + "\n}";
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
  if (depth == 0) {
    if (const auto rows = matrix_rows(L, index); !rows.empty()) return matrix(rows);
  }
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
  const bool is_cut_list = listed > static_cast<lua_Integer>(most_entries);
  return joined(entries, depth == 0) + (is_cut_list && depth == 0 ? "  -- " + std::to_string(listed) + " items" : "");
}

std::string value(lua_State* L, int index, int depth) {
  if (lua_type(L, index) == LUA_TTABLE && !has_own_text(L, index)) return table(L, index, depth);
  if (lua_type(L, index) == LUA_TSTRING && depth > 0) return in_quotes(lua_tostring(L, index));
  return text_of(L, index);
}

}  // namespace

std::string pretty(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__pretty")) {
    size_t size = 0;
    const char* text = lua_tolstring(L, -1, &size);
    std::string result(text ? text : "", size);
    lua_pop(L, 1);
    if (!result.empty()) return result;
  }
  return value(L, index, 0);
}

}  // namespace perilune::lua
