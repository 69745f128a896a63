// SPDX-License-Identifier: MIT
// Objects that scripts take back.
#include "model/removal.hpp"
#include "model/named_signals.hpp"

#include <algorithm>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

// Whether the value at the stack index is one of the objects, or a list with one in it.
bool mentions(lua_State* L, int index, const std::set<std::string>& objects, const ModelPtr& model, int levels = 3) {
  if (const Object* object = test_userdata<Object>(L, index)) {
    return object->model == model && objects.contains(object->name);
  }
  if (!lua_istable(L, index) || levels == 0) return false;
  luaL_checkstack(L, 4, nullptr);
  const int table = lua_absindex(L, index), top = lua_gettop(L);
  bool found = false;
  for (lua_pushnil(L); !found && lua_next(L, table); lua_pop(L, 1)) {
    found = mentions(L, lua_gettop(L), objects, model, levels - 1);
    if (found) break;
  }
  lua_settop(L, top);
  return found;
}

// Whether the place, such as a marker, is on one of the objects.
bool stands_on(const model::Model& engine, const model::Place& place, const std::set<std::string>& objects) {
  return std::any_of(place.coordinates.begin(), place.coordinates.end(),
                     [&](int i) { return objects.contains(engine.coordinates()[static_cast<std::size_t>(i)].owner); });
}

// Those whose fields name one of the objects, and those that act on one.
void add_those_that_name(lua_State* L, const ModelPtr& model, const std::set<std::string>& objects,
                         std::vector<std::string>& out) {
  const auto add = [&](const std::string& name) {
    if (!objects.contains(name) && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  const int top = lua_gettop(L);
  const bool has_objects = lua_getiuservalue(L, 1, objects_value) == LUA_TTABLE;
  for (const ModelData::Declared& each : model->declared) {
    for (const std::string& end : each.ends) {
      if (objects.contains(end)) add(each.name);
    }
    if (has_objects && lua_getfield(L, top + 1, each.name.c_str()) == LUA_TUSERDATA) {
      const Object* object = test_userdata<Object>(L, lua_gettop(L));
      if (object && object->place && stands_on(*model->engine, *object->place, objects)) add(each.name);
    }
    lua_settop(L, top + 1);
    if (has_objects && lua_getfield(L, top + 1, each.name.c_str()) == LUA_TUSERDATA &&
        lua_getiuservalue(L, -1, 1) == LUA_TTABLE && mentions(L, lua_gettop(L), objects, model)) {
      add(each.name);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}

std::string titled(const ModelData& model, const std::string& name) {
  const ModelData::Declared* declared = model.find(name);
  return (declared ? declared->kind + " " : "") + "\"" + name + "\"" +
         (declared && !declared->defined_at.empty() ? " (" + declared->defined_at + ")" : "");
}

Object& check_removable(lua_State* L, int index, const ModelPtr& model) {
  Object* object = test_userdata<Object>(L, index);
  if (!object || (object->is_whole() && object->kind == "ground")) {
    const std::string what = described_value(L, index);
    const std::string name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    const ModelData::Declared* meant = model->find(name);
    throw Error("remove: " + what +
                " cannot be removed; it takes bodies, points, joints, forces and their like, as in m:remove(" +
                (meant && meant->kind != "parameter" ? "m:object \"" + name + "\"" : "spring") + ")" +
                (what.starts_with("parameter") ? "\na parameter that nothing reads changes nothing" : ""));
  }
  if (object->model != model) throw Error("remove: " + object->title() + " is of another model");
  object->check_present();
  if (!model->find(object->name)) {
    throw Error("remove: " + object->title() +
                " is a place on something, not an object of the model: nothing has to be removed");
  }
  const std::string why = why_not_removable(*model->engine, object->name);
  if (!why.empty()) throw Error("remove: " + object->title() + " cannot be removed: " + why);
  return *object;
}

/// The object of this name, or nil.
void push_named(lua_State* L, const std::string& name) {
  const int top = lua_gettop(L);
  if (name.empty() || lua_getiuservalue(L, 1, objects_value) != LUA_TTABLE ||
      lua_getfield(L, -1, name.c_str()) != LUA_TUSERDATA) {
    lua_settop(L, top);
    lua_pushnil(L);
  }
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

}  // namespace

int remove_objects(lua_State* L) {
  const ModelPtr model = check_self(L, "model:remove");
  refuse_in_law("remove");
  const int count = lua_gettop(L);
  if (count == 1) throw Error("remove: expected the objects to be removed, as in m:remove(spring)");
  std::set<std::string> objects;
  std::vector<Object*> all;
  bool has_signals = false;
  for (int i = 2; i <= count; ++i) {
    const std::string name = lua_type(L, i) == LUA_TSTRING ? lua_tostring(L, i) : "";
    if (is_named_signal(*model->engine, name)) {
      if (!objects.insert(name).second) throw Error("remove: signal \"" + name + "\" is given twice");
      has_signals = true;
      continue;
    }
    push_named(L, name);
    if (!lua_isnil(L, -1)) lua_copy(L, -1, i);
    lua_pop(L, 1);
    all.push_back(&check_removable(L, i, model));
    if (!objects.insert(all.back()->name).second) throw Error("remove: " + all.back()->title() + " is given twice");
  }
  std::vector<std::string> dependent = dependants(*model->engine, objects);
  add_those_that_name(L, model, objects, dependent);
  if (!dependent.empty()) {
    std::string list;
    for (const std::string& name : dependent) list += (list.empty() ? "" : ", ") + titled(*model, name);
    const bool is_one = objects.size() == 1 && !has_signals;
    const bool names_signal = std::any_of(dependent.begin(), dependent.end(), [&](const std::string& name) {
      return is_named_signal(*model->engine, name);
    });
    throw Error("remove: something depends on " + (is_one ? all.front()->title() : "these objects") + ": " +
                wrapped(list, ", ", 0, 100) + "\nremove that before, or with it: m:remove(a, b)" +
                (names_signal ? "; signals by their names: m:remove(a, \"toe\")" : ""));
  }
  model->engine->erase(objects);
  model->forget(objects);
  for (Object* object : all) object->is_removed = true;
  lua_pushnil(L);
  lua_setiuservalue(L, 1, phases_value);
  if (lua_getiuservalue(L, 1, objects_value) == LUA_TTABLE) {
    for (const std::string& name : objects) {
      lua_pushnil(L);
      lua_setfield(L, -2, name.c_str());
    }
  }
  return 0;
}

}  // namespace perilune::lua
