// SPDX-License-Identifier: MIT
// What scripts need around an experiment: options of the command line, folders.
#include <algorithm>
#include <filesystem>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/run_options.hpp"
#include "base/suggest.hpp"
#include "error.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

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
