// SPDX-License-Identifier: MIT
// mbs.write_json and mbs.read_json: JSON of any table.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/json.hpp"
#include "format/json_reader.hpp"
#include "format/text.hpp"
#include "poll.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

/// Pushes the metatable of lists that were read, by which an empty one stays a list. It has nothing in it.
void push_list_mark(lua_State* L) {
  static const char key = 0;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

bool was_list(lua_State* L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  push_list_mark(L);
  const bool is_marked = lua_rawequal(L, -1, -2) != 0;
  lua_pop(L, 2);
  return is_marked;
}

/// The string at the index. JSON has no bytes but those of UTF-8, and what stood for others would not read back.
std::string_view checked_text(lua_State* L, int index) {
  size_t length = 0;
  const char* bytes = lua_tolstring(L, index, &length);
  const std::string_view text(bytes, length);
  for (size_t i = 0; i < length;) {
    const size_t start = i;
    if (format::next_code_point(text, i) == 0xFFFD && text.substr(start, i - start) != "\xEF\xBF\xBD") {
      throw Error("write_json: byte " + std::to_string(start + 1) + " of the text \"" +
                  format::terminal_text(text, 40, true) +
                  "\" is not UTF-8, which JSON is made of; give the text in UTF-8 (utf8.char makes it of numbers)");
    }
  }
  return text;
}

void write_value(lua_State* L, int index, format::JsonWriter& out, int depth) {
  luaL_checkstack(L, LUA_MINSTACK, "tables nested too deeply");
  if (depth > 100) throw Error("write_json: the table is nested more than 100 deep; does it contain itself?");
  switch (lua_type(L, index)) {
    case LUA_TNIL:
      out.null();
      return;
    case LUA_TBOOLEAN:
      out.value(lua_toboolean(L, index) != 0);
      return;
    case LUA_TSTRING:
      out.value(checked_text(L, index));
      return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        out.value(static_cast<std::int64_t>(lua_tointeger(L, index)));
      } else {
        out.real(lua_tonumber(L, index));
      }
      return;
    case LUA_TTABLE:
      break;
    default:
      if (const Expression* e = test_userdata<Expression>(L, index)) {
        out.value(e->model->value(e->node));
        return;
      }
      throw Error("write_json: cannot write " + described_value(L, index) +
                  "; expected tables, strings, numbers, booleans");
  }
  if (const auto length = static_cast<lua_Integer>(lua_rawlen(L, index)); length > 0) {
    lua_pushnil(L);
    while (lua_next(L, index)) {
      lua_pop(L, 1);
      if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= length) continue;
      throw Error("write_json: a list also has the key " + described_value(L, -1) +
                  "; JSON needs a list or a table of names");
    }
    out.begin_array();
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L, index, i);
      write_value(L, lua_gettop(L), out, depth + 1);
      lua_pop(L, 1);
    }
    out.end_array();
    return;
  }
  std::vector<std::string> keys;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      throw Error("write_json: a key is " + described_value(L, -1) + "; expected a string");
    keys.emplace_back(checked_text(L, -1));
  }
  if (keys.empty() && was_list(L, index)) {
    out.begin_array();
    out.end_array();
    return;
  }
  std::sort(keys.begin(), keys.end());
  out.begin_object();
  for (const std::string& key : keys) {
    out.key(key);
    lua_pushlstring(L, key.data(), key.size());
    lua_rawget(L, index);
    write_value(L, lua_gettop(L), out, depth + 1);
    lua_pop(L, 1);
  }
  out.end_object();
}

int write_json(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING)
    throw Error("write_json: expected the name of a file, got " + described_value(L, 1));
  const std::string path = lua_tostring(L, 1);
  std::ostringstream text;  // complete before the file is touched
  format::JsonWriter writer(text);
  write_value(L, 2, writer, 0);
  write_file(path, [&](std::ostream& out) { out << text.str() << '\n'; });
  return 0;
}

void push_value(lua_State* L, const format::JsonValue& value) {
  luaL_checkstack(L, LUA_MINSTACK, "JSON nested too deeply");
  if (value.integer) {
    lua_pushinteger(L, static_cast<lua_Integer>(*value.integer));
  } else if (const double* number = value.number()) {
    lua_pushnumber(L, *number);  // 2e11 and 3.0 are no integers, which would wrap around in products
  } else if (const std::string* text = value.text()) {
    lua_pushlstring(L, text->data(), text->size());
  } else if (const bool* truth = std::get_if<bool>(&value.value)) {
    lua_pushboolean(L, *truth);
  } else if (const auto* list = std::get_if<format::JsonValue::Array>(&value.value)) {
    lua_newtable(L);
    for (std::size_t i = 0; i < list->size(); ++i) {
      push_value(L, (*list)[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    push_list_mark(L);
    lua_setmetatable(L, -2);
  } else if (const auto* object = std::get_if<format::JsonValue::Object>(&value.value)) {
    lua_newtable(L);
    for (const format::JsonValue::Member& member : *object) {
      lua_pushlstring(L, member.name.data(), member.name.size());
      lua_pushvalue(L, -1);
      if (lua_rawget(L, -3) != LUA_TNIL) throw Error("the name \"" + member.name + "\" is given twice");
      lua_pop(L, 1);
      push_value(L, member.value);
      lua_rawset(L, -3);
    }
  } else {
    lua_pushnumber(L, std::numeric_limits<double>::quiet_NaN());
  }
}

int read_json(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING)
    throw Error("read_json: expected the name of a file, got " + described_value(L, 1));
  const std::string path = lua_tostring(L, 1);
  const std::string bytes = file_bytes("read_json", path);
  try {
    push_value(L, format::read_json(bytes));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    throw Error("read_json: '" + path + "': " + problem.what());
  }
  return 1;
}

}  // namespace

std::span<const Function> json_file_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.write_json",
       .signature = "mbs.write_json(file, value)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"value", "any", "a table, string, number or boolean", "yours"}},
       .summary = "Writes a table as JSON with 17 digits: a list as an array, anything else with its keys in\n"
                  "alphabetical order; NaN and infinities as null. An empty table is {}, but [] where read_json\n"
                  "read it as a list.",
       .example = "local mbs = require \"perilune\"\n"
                  "mbs.write_json(os.tmpname(), { answer = 42, list = {1, 2.5} })",
       .see_also = {"read_json", "json", "options"},
       .function = guarded<write_json>},
      {.name = "mbs.read_json",
       .signature = "mbs.read_json(file)",
       .arguments = {{"file", "string", "to be read", unitless}},
       .returns = "any",
       .summary =
           "What a file of JSON says: arrays as lists, objects as tables by name, numbers, strings and booleans;\n"
           "null is NaN, which write_json writes as null.",
       .example = "local mbs = require \"perilune\"\n"
                  "local file = os.tmpname()\n"
                  "mbs.write_json(file, { answer = 42, list = {1, 2.5} })\n"
                  "print(mbs.read_json(file).list[2])",
       .see_also = {"write_json", "read_csv", "read_mat"},
       .function = guarded<read_json>},
  };
  return functions;
}

}  // namespace perilune::lua
