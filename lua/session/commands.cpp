// SPDX-License-Identifier: MIT
#include "session/commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>

#include "base/guard.hpp"
#include "error.hpp"
#include "session/complete.hpp"
#include "session/locals.hpp"
#include "session/pretty.hpp"
#include "session/script_folder.hpp"

namespace perilune::lua {

namespace {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Globals that every Lua state has.
const std::set<std::string>& standard_globals() {
  static const std::set<std::string> names = [] {
    const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
    lua_State* L = state.get();
    luaL_openlibs(L);
    std::set<std::string> found{"arg", "_", "mbs", "help", "apropos", "who", "time", "run"};
    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      found.emplace(lua_tostring(L, -1));
    }
    return found;
  }();
  return names;
}

bool is_plain_function(lua_State* L, int index) { return lua_iscfunction(L, index); }

// The user's variables: name, type, and the first line of the value.
int who(lua_State* L) {
  constexpr size_t widest = 70;
  std::map<std::string, std::pair<std::string, std::string>> found;
  const auto add = [&](const std::string& name) {  // pops the value
    const int value = lua_gettop(L);
    // Commands may be the user's own.
    static const std::set<std::string> commands = {"help", "apropos", "who", "time", "run"};
    const bool is_own =
        !standard_globals().contains(name) || (commands.contains(name) && !is_plain_function(L, value));
    if (is_own) {
      std::string type = luaL_typename(L, value);
      if (type == "userdata" && luaL_getmetafield(L, value, "__name") == LUA_TSTRING) type = lua_tostring(L, -1);
      std::string text = lua_istable(L, value) ? pretty(L, value) : luaL_tolstring(L, value, nullptr);
      text.resize(std::min(text.find('\n'), text.size()));
      if (text.size() > widest) text = text.substr(0, widest) + "...";
      found[name] = {type, type == "function" ? "" : text};
    }
    lua_settop(L, value - 1);
  };
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_type(L, -2) == LUA_TSTRING) {
      add(lua_tostring(L, -2));
    } else {
      lua_pop(L, 1);
    }
  }
  for (const std::string& name : session_locals(L)) {
    if (push_session_local(L, name)) add(name);
  }
  size_t name_width = 0, type_width = 0;
  for (const auto& [name, description] : found) {
    name_width = std::max(name_width, name.size());
    type_width = std::max(type_width, description.first.size());
  }
  std::string text;
  for (const auto& [name, description] : found) {
    std::string line = name + std::string(name_width - name.size() + 2, ' ') + description.first;
    if (!description.second.empty()) line.append(type_width - description.first.size() + 2, ' ') += description.second;
    text += line + "\n";
  }
  print(text);
  return 0;
}

// Calls a function with the further arguments, prints how long it took, and returns what it returned.
int time_call(lua_State* L) {
  if (!lua_isfunction(L, 1)) {
    throw Error(std::string("time: expected a function and its arguments, as in time(m.simulate, m, { t = 1 }); got ") +
                luaL_typename(L, 1));
  }
  const auto start = std::chrono::steady_clock::now();
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  char text[40];
  std::snprintf(text, sizeof text, "%.3g s\n", seconds.count());
  print(text);
  return lua_gettop(L);
}

// Runs a script as the command line does, with the globals that there are; its own globals stay.
int run_file(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING) throw Error("run: expected the name of a script, as in run \"model.lua\"");
  const std::string file = lua_tostring(L, 1);
  lua_settop(L, 1);
  if (luaL_loadfile(L, file.c_str()) != LUA_OK) return lua_error(L);
  prepend_script_folder(L, file);
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 0);
  lua_setglobal(L, "arg");
  lua_call(L, 0, LUA_MULTRET);
  return lua_gettop(L) - 1;
}

void set_if_missing(lua_State* L, const char* name) {
  lua_pushglobaltable(L);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  const bool is_missing = lua_isnil(L, -1);
  lua_pop(L, 1);
  lua_pushstring(L, name);
  lua_pushvalue(L, -3);
  if (is_missing) {
    lua_rawset(L, -3);
  } else {
    lua_pop(L, 2);
  }
  lua_pop(L, 2);
}

// Calls help with a topic; false if there is no such topic, with the message on the stack.
bool show_page(lua_State* L, const std::string& topic) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "perilune");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "help");
  lua_pushlstring(L, topic.data(), topic.size());
  return lua_pcall(L, 1, 0, 0) == LUA_OK;
}

// Under which the registry has the commands by name, which the user's variables may hide.
constexpr const char* commands_key = "perilune.commands";

// Upvalues: the command, and its argument.
int call_with_text(lua_State* L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_call(L, 1, LUA_MULTRET);
  return lua_gettop(L);
}

// Keeps the function on top of the stack as a command.
void keep_command(lua_State* L, const char* name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, commands_key);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

// Upvalue 1: the name.
int explain(lua_State* L) {
  const std::string name = lua_tostring(L, lua_upvalueindex(1));
  push_path(L, name);
  const int value = lua_gettop(L);
  const bool is_value = !lua_isnil(L, value) && !lua_isfunction(L, value);
  if (is_value) {
    print(pretty(L, value) + "\n");
    std::string topic;
    if (luaL_getmetafield(L, value, "__name") == LUA_TSTRING) topic = lua_tostring(L, -1);
    if (topic == "expression" && luaL_callmeta(L, value, "__tostring")) {
      topic = std::string_view(lua_tostring(L, -1)).starts_with("parameter ") ? "parameter" : "";
    }
    if (topic.empty()) return 0;
    print("\n");
    show_page(L, topic);  // no page: the value is all there is
    return 0;
  }
  if (show_page(L, name)) return 0;
  if (!lua_isfunction(L, value)) return lua_error(L);
  lua_Debug info;
  lua_pushvalue(L, value);
  lua_getinfo(L, ">S", &info);
  const std::string where = std::string(info.short_src) + ":" + std::to_string(info.linedefined);
  print(info.what == std::string_view("C") ? "a function of Lua\n" : "a function defined at " + where + "\n");
  return 0;
}

}  // namespace

int install_commands(lua_State* L) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "perilune");
  lua_call(L, 1, 1);
  const int module = lua_gettop(L);
  lua_pushvalue(L, module);
  set_if_missing(L, "mbs");
  for (const char* name : {"help", "apropos"}) {
    lua_pushstring(L, name);
    lua_rawget(L, module);
    keep_command(L, name);
    set_if_missing(L, name);
  }
  const std::pair<const char*, lua_CFunction> own[] = {
      {"who", guarded<who>}, {"time", guarded<time_call>}, {"run", guarded<run_file>}};
  for (const auto& [name, function] : own) {
    lua_pushcfunction(L, function);
    keep_command(L, name);
    set_if_missing(L, name);
  }
  return 0;
}

std::optional<std::string> asked_name(std::string_view statement) {
  const bool is_before = statement.starts_with('?'), is_after = statement.ends_with('?');
  if (!is_before && !is_after) return std::nullopt;
  std::string_view name = statement;
  if (is_before) name.remove_prefix(1);
  if (is_after && !name.empty()) name.remove_suffix(1);
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!name.empty() && is_blank(name.front())) name.remove_prefix(1);
  while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
  constexpr std::string_view parts = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:";
  if (name.find_first_not_of(parts) != name.npos) return std::nullopt;
  return std::string(name);
}

namespace {

// What a command is called with where it is followed by nothing but a string, or, of help and apropos, by bare words,
// which are no statement of Lua.
std::optional<std::string_view> text_behind(std::string_view name, std::string_view rest) {
  const size_t begin = rest.find_first_not_of(" \t");
  if (name.empty() || begin == rest.npos) return std::nullopt;
  rest.remove_prefix(begin);
  if (rest[0] == '"' || rest[0] == '\'') {
    if (rest.find(rest[0], 1) + 1 != rest.size()) return std::nullopt;
    return rest.substr(1, rest.size() - 2);
  }
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0; };
  const bool is_text = std::all_of(rest.begin(), rest.end(), [&](char c) {
    return is_letter(c) || std::string_view(" _-.:'+").find(c) != std::string_view::npos;
  });
  if ((name != "help" && name != "apropos") || !is_text || !is_letter(rest[0])) return std::nullopt;
  if (rest.starts_with("and ") || rest.starts_with("or ")) return std::nullopt;
  return rest;
}

}  // namespace

bool push_hidden_command(lua_State* L, std::string_view statement) {
  const std::string_view name = statement.substr(0, statement.find_first_of(" \t\"'"));
  const std::string_view rest = statement.substr(name.size());
  const auto text = text_behind(name, rest);
  if (!text) return false;
  if (lua_getfield(L, LUA_REGISTRYINDEX, commands_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushlstring(L, name.data(), name.size());
  lua_rawget(L, -2);
  push_variable(L, name);
  const bool is_string = text->data() + text->size() < statement.data() + statement.size();  // its quote follows
  // Behind a function of the user's own a string is its argument.
  const bool is_hidden = lua_isfunction(L, -2) && !(is_string && lua_isfunction(L, -1));
  lua_pop(L, 1);
  lua_remove(L, -2);
  if (!is_hidden) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushlstring(L, text->data(), text->size());
  lua_pushcclosure(L, call_with_text, 2);
  return true;
}

void push_command(lua_State* L, const char* name) {
  lua_getfield(L, LUA_REGISTRYINDEX, commands_key);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

std::string how_to_reach(lua_State* L, const std::string& command) {
  push_variable(L, command);
  const bool is_hidden = !lua_isfunction(L, -1);
  lua_pop(L, 1);
  if (!is_hidden) return "";
  const bool is_local = push_session_local(L, command);
  if (is_local) lua_pop(L, 1);
  const std::string own = "(" + command + " is a variable of yours";
  if (command == "help") return own + "; a lone ? shows the page of help, and help spring that of a word)\n";
  return own + (is_local ? "; _G." + command + "() is the command)\n" : " that has taken the place of the command)\n");
}

void push_explanation(lua_State* L, const std::string& name) {
  lua_pushlstring(L, name.data(), name.size());
  lua_pushcclosure(L, guarded<explain>, 1);
}

}  // namespace perilune::lua
