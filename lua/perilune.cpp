#include "perilune.hpp"

namespace perilune::lua {

int open_perilune(lua_State* L) {
  lua_newtable(L);
  lua_pushstring(L, PERILUNE_VERSION);
  lua_setfield(L, -2, "version");
  return 1;
}

std::string schema_as_json() { return "{}"; }

}  // namespace perilune::lua
