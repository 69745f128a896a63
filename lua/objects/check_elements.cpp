// SPDX-License-Identifier: MIT
#include "objects/check_elements.hpp"

#include <algorithm>
#include <cstdio>

#include "base/guard.hpp"
#include "model/element/element_check.hpp"
#include "values/object.hpp"

namespace perilune::lua {

namespace {

void set_field(lua_State* L, const char* name, const std::string& text) {
  lua_pushlstring(L, text.data(), text.size());
  lua_setfield(L, -2, name);
}

void set_field(lua_State* L, const char* name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

}  // namespace

int check_elements(lua_State* L) {
  const ModelPtr model = check_self(L, "model:check_elements");
  const auto seed = static_cast<unsigned>(luaL_optinteger(L, 2, 1));
  const std::vector<model::ElementCheck> checks = model::check_elements(*model->engine, seed);
  lua_newtable(L);
  double worst = 0;
  lua_Integer row = 0;
  for (const model::ElementCheck& check : checks) {
    lua_newtable(L);
    set_field(L, "element", check.element);
    set_field(L, "type", check.type);
    set_field(L, "family", check.family);
    set_field(L, "difference", check.difference);
    set_field(L, "size", check.size);
    lua_rawseti(L, -2, ++row);
    worst = std::max(worst, check.difference / std::max(1.0, check.size));
  }
  set_field(L, "worst", worst);
  return 1;
}

}  // namespace perilune::lua
