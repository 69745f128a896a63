// SPDX-License-Identifier: MIT
// What the objects of the module offer to completion.
#include <algorithm>
#include <cctype>

#include "base/userdata.hpp"
#include "model/signals.hpp"
#include "perilune.hpp"
#include "runs/experiment.hpp"
#include "runs/specs.hpp"

namespace perilune::lua {

namespace {

std::vector<std::string> spec_members(lua_State* L, int index) {
  std::vector<std::string> names;
  lua_getiuservalue(L, index, 1);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    names.emplace_back(lua_tostring(L, -1));
  }
  lua_pop(L, 1);
  return names;
}

// Objects that a name of the language can stand for are there, too: m.arm is m["arm"].
std::vector<std::string> model_members(const ModelData& model) {
  std::vector<std::string> names{"dimension", "ground", "last_run", "name"};
  for (const ModelData::Declared& object : model.declared) {
    const bool is_word = std::all_of(object.name.begin(), object.name.end(),
                                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (is_word && !std::isdigit(static_cast<unsigned char>(object.name[0]))) names.push_back(object.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> member_names(lua_State* L, int index) {
  if (!lua_isuserdata(L, index)) return {};
  if (test_userdata<Object>(L, index)) return object_members(L, index);
  if (const ModelPtr model = test_model(L, index)) return model_members(*model);
  if (const RunHandle* run = test_userdata<RunHandle>(L, index)) return run_members(*run);
  if (test_userdata<Spec>(L, index)) return spec_members(L, index);
  if (const Expression* expression = test_userdata<Expression>(L, index)) {
    const auto names = expression_members(*expression);
    return {names.begin(), names.end()};
  }
  return {};
}

std::vector<std::string> signal_names(lua_State* L, int index) {
  ModelPtr model = test_model(L, index);
  if (const Object* object = test_userdata<Object>(L, index)) model = object->model;
  if (const RunHandle* run = test_userdata<RunHandle>(L, index)) return signal_names(run->trajectory->model());
  return model ? signal_names(*model->engine) : std::vector<std::string>();
}

}  // namespace perilune::lua
