// SPDX-License-Identifier: MIT
#include "session/script_folder.hpp"

#include "session/data_folder.hpp"

namespace perilune::lua {

namespace {

bool can_stand_in_a_path(const std::string& folder) { return folder.find_first_of(";?") == folder.npos; }

/// package.path becomes `before`, what it was, and `after`; a user's other value of it stays.
void extend_path(lua_State* L, const std::string& before, const std::string& after) {
  lua_getglobal(L, "package");
  lua_pushlstring(L, before.data(), before.size());
  lua_getfield(L, -2, "path");
  if (lua_isstring(L, -1)) {
    lua_pushlstring(L, after.data(), after.size());
    lua_concat(L, 3);
    lua_setfield(L, -2, "path");
  } else {
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

}  // namespace

void append_provided_scripts(lua_State* L) {
  const std::string folder = provided_scripts().string();
  if (can_stand_in_a_path(folder)) extend_path(L, "", ";" + folder + "/?.lua");
}

void prepend_script_folder(lua_State* L, const std::string& script) {
  const std::size_t slash = script.rfind('/');
  const std::string folder = slash == script.npos ? "." : script.substr(0, slash);
  if (can_stand_in_a_path(folder)) extend_path(L, folder + "/?.lua;" + folder + "/?/init.lua;", "");
}

}  // namespace perilune::lua
