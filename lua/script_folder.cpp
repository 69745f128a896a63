#include "script_folder.hpp"

namespace perilune::lua {

void prepend_script_folder(lua_State* L, const std::string& script) {
  const size_t slash = script.rfind('/');
  const std::string folder = slash == script.npos ? "." : script.substr(0, slash);
  if (folder.find_first_of(";?") != folder.npos) return;  // these have a meaning in package.path
  lua_getglobal(L, "package");
  const std::string path = folder + "/?.lua;" + folder + "/?/init.lua;";
  lua_pushlstring(L, path.data(), path.size());
  lua_getfield(L, -2, "path");
  if (lua_isstring(L, -1)) {
    lua_concat(L, 2);
    lua_setfield(L, -2, "path");
  } else {
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

}  // namespace perilune::lua
