// SPDX-License-Identifier: MIT
// What scripts need around an experiment: options of the command line, folders, JSON of any table.
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "base/run_options.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/json.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

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
    case LUA_TSTRING: {
      size_t length = 0;
      const char* text = lua_tolstring(L, index, &length);
      out.value(std::string_view(text, length));
      return;
    }
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        out.value(static_cast<std::int64_t>(lua_tointeger(L, index)));
      } else {
        out.value(lua_tonumber(L, index));
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
    keys.emplace_back(lua_tostring(L, -1));
  }
  std::sort(keys.begin(), keys.end());
  out.begin_object();
  for (const std::string& key : keys) {
    out.key(key);
    lua_getfield(L, index, key.c_str());
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

int make_folder(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING) throw Error("make_folder: expected a name, got " + described_value(L, 1));
  require_writable(lua_tostring(L, 1));
  std::error_code failure;
  if (written_path(lua_tostring(L, 1)) == lua_tostring(L, 1)) {
    std::filesystem::create_directories(lua_tostring(L, 1), failure);
  }
  if (failure) throw Error(std::string("cannot make the folder '") + lua_tostring(L, 1) + "': " + failure.message());
  lua_settop(L, 1);
  return 1;
}

int options(lua_State* L) {
  if (!lua_istable(L, 1)) throw Error("options: expected a table of names and defaults, got " + described_value(L, 1));
  std::vector<std::string> names;
  lua_newtable(L);
  const int out = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) throw Error("options: expected names and defaults, as in { json = \"\" }");
    names.emplace_back(lua_tostring(L, -2));
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, out);
  }
  std::string list;
  std::sort(names.begin(), names.end());
  std::vector<std::string> words;
  for (const std::string& name : names) words.push_back("--" + name);
  for (const std::string& option : words) list += (list.empty() ? "" : ", ") + option;
  const bool has_param = std::find(names.begin(), names.end(), "param") != names.end();
  if (has_param) run_options().parameters.clear();  // the script's own option
  lua_getglobal(L, "arg");
  if (!lua_istable(L, -1)) {
    lua_settop(L, out);
    return 1;
  }
  const int given = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, given, i) != LUA_TNIL; ++i) {
    std::string word = luaL_tolstring(L, -1, nullptr);
    lua_settop(L, given);
    if (word == "--") continue;  // it keeps what follows from `perilune run`
    std::string value;
    const size_t equals = word.find('=');
    const bool has_value = equals != word.npos;
    if (has_value) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    const std::string name = word.starts_with("--") ? word.substr(2) : "";
    if (name == "param" && !has_param) {  // for m:param
      if (!has_value && lua_rawgeti(L, given, ++i) == LUA_TNIL) throw Error("option '" + word + "' needs a value");
      lua_settop(L, given);
      continue;
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error("unknown option '" + word + "'" + did_you_mean(closest(word, words)) + "; this script takes " + list);
    }
    if (!has_value) {
      if (lua_rawgeti(L, given, ++i) == LUA_TNIL) throw Error("option '" + word + "' needs a value");
      value = luaL_tolstring(L, -1, nullptr);
      lua_settop(L, given);
    }
    lua_getfield(L, out, name.c_str());
    const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
    lua_pop(L, 1);
    if (is_number) {
      if (lua_stringtonumber(L, value.c_str()) == 0) {
        throw Error("option '" + word + "' needs a number, got '" + value + "'");
      }
    } else {
      lua_pushlstring(L, value.data(), value.size());
    }
    lua_setfield(L, out, name.c_str());
  }
  lua_settop(L, out);
  return 1;
}

}  // namespace

std::span<const Function> file_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.options",
       .signature = "mbs.options { name = default, ... }",
       .arguments = {{"defaults", "table<string, string|number>", "by name", "yours"}},
       .returns = "table<string, string|number>",
       .summary =
           "The script's options, as in `perilune script.lua --name value`: a table with the defaults where\n"
           "nothing was given. Where the default is a number, the value must be one. --param belongs to m:param\n"
           "unless the script has an option of that name.",
       .example = "local mbs = require \"perilune\"\n"
                  "local options = mbs.options { json = \"\", step = 1e-3 }\n"
                  "print(options.json, options.step)",
       .see_also = {"write_json"},
       .function = guarded<options>},
      {.name = "mbs.write_json",
       .signature = "mbs.write_json(file, value)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"value", "any", "a table, string, number or boolean", "yours"}},
       .summary = "Writes a table as JSON with 17 digits: a list as an array, anything else with its keys in\n"
                  "alphabetical order; NaN and infinities as null.",
       .example = "local mbs = require \"perilune\"\n"
                  "mbs.write_json(os.tmpname(), { answer = 42, list = {1, 2.5} })",
       .see_also = {"json", "options"},
       .function = guarded<write_json>},
      {.name = "mbs.make_folder",
       .signature = "mbs.make_folder(name)",
       .arguments = {{"name", "string", "path of the folder", unitless}},
       .returns = "string",
       .summary = "Makes a folder, and those above it, unless it exists. Returns the name.",
       .example = "local mbs = require \"perilune\"\nmbs.make_folder \"/tmp/perilune_example\"",
       .function = guarded<make_folder>},
  };
  return functions;
}

}  // namespace perilune::lua
