// SPDX-License-Identifier: MIT
#include "values/object.hpp"

#include <algorithm>
#include <cstdio>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/place/place_signals.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "values/expression.hpp"
#include "values/joint_text.hpp"

namespace perilune::lua {

void Object::check_present() const {
  if (is_removed) throw Error(title() + " was removed from the model");
  std::vector<int> coordinates = place ? place->coordinates : std::vector<int>();
  if (vector) coordinates = vector->coordinates;
  for (const int i : coordinates) {
    const model::Coordinate& coordinate = model->engine->coordinates()[static_cast<std::size_t>(i)];
    if (coordinate.is_removed)
      throw Error(title() + " is on \"" + coordinate.owner + "\", which was removed from the model");
  }
}

std::string no_signal(const model::Model& model, const std::string& name) {
  const std::string text = "model \"" + model.name() + "\" has no signal '" + name + "'";
  std::string own;
  for (const std::string& what : signals_of(model, name)) own += (own.empty() ? "" : ", ") + (name + "." + what);
  if (!own.empty()) return text + "\n" + wrapped("of \"" + name + "\" there are " + own, ", ", 0, 100);
  return text + did_you_mean(closest(name, signal_names(model))) + "\nmore: m:signals() lists them";
}

std::string script_line(lua_State* L) {
  const std::string position = script_position(L, 1);
  return position.substr(0, position.find_last_of(':'));
}

void print_warnings(lua_State* L, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "%s: warning: %s\n", script_line(L).c_str(), warning.c_str());
  }
}

void copy_list(lua_State* L, int levels) {
  if (levels == 0 || !lua_istable(L, -1)) return;
  luaL_checkstack(L, 4, nullptr);
  const int source = lua_gettop(L);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, source)) {
    copy_list(L, levels - 1);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, source + 1);
  }
  lua_remove(L, source);
}

std::string described_value(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      return "nothing (nil)";
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
      return lua_isinteger(L, index) ? std::to_string(lua_tointeger(L, index)) : number_text(lua_tonumber(L, index));
    case LUA_TSTRING: {
      std::string text = lua_tostring(L, index);
      if (text.size() > 40) text = text.substr(0, 40) + "...";
      return "\"" + text + "\" (a string)";
    }
    case LUA_TUSERDATA:
      break;
    default:
      return std::string("a ") + luaL_typename(L, index);
  }
  if (const Object* object = test_userdata<Object>(L, index)) return object->title();
  if (const ModelPtr model = test_model(L, index)) return "model \"" + model->engine->name() + "\"";
  if (const Expression* expression = test_userdata<Expression>(L, index)) {
    const model::Model& engine = *expression->model->engine;
    if (const auto number = parameter_index(engine, expression->node)) {
      return "parameter \"" + engine.parameters()[static_cast<std::size_t>(*number)].name + "\"";
    }
    return "the expression " + engine.graph().to_string(expression->node, 60);
  }
  const std::string name = luaL_tolstring(L, index, nullptr);
  lua_pop(L, 1);
  return name.substr(0, name.find(": 0x"));
}

namespace {

std::string place_text(ModelData& data, const model::Place& place) {
  std::string text;
  for (const expr::Symbol& component : initial_position(*data.engine, place)) {
    text += (text.empty() ? "" : ", ") + number_text(data.value(component.in(data.engine->graph())));
  }
  return "(" + text + ") m";
}

Object& self_object(lua_State* L) { return own_userdata<Object>(L); }

// Names after "P1." of signals and properties, for suggestions.
std::vector<std::string> field_names(lua_State* L, const Object& object) {
  std::vector<std::string> names = object_members(L, 1);
  if (object.is_body()) names.insert(names.end(), {"point", "marker"});
  std::sort(names.begin(), names.end());
  return names;
}

/// The motion of a place that has no name to have signals by, such as body:point { 1, 0 }.x.
bool push_motion(lua_State* L, const Object& object, const std::string& key) {
  if (!object.place) return false;
  const std::optional<expr::Symbol> value = motion_of(*object.model->engine, *object.place, key);
  if (!value) return false;
  if (value->is_number()) {
    push_symbol(L, object.model, *value);
  } else {
    push_variable(L, "place." + key, object.model, value->in(object.model->engine->graph()));
  }
  return true;
}

int object_index(lua_State* L) {
  Object& object = self_object(L);
  if (lua_type(L, 2) != LUA_TSTRING) {
    throw Error(object.title() + " has no field " + described_value(L, 2) + "; its fields have names");
  }
  const std::string key = lua_tostring(L, 2);
  if (key != "name" && key != "kind" && key != "defined_at") object.check_present();
  if (luaL_getmetafield(L, 1, "methods") != LUA_TNIL) {
    if (lua_getfield(L, -1, key.c_str()) != LUA_TNIL) return 1;
  }
  const std::string signal = object.name + "." + key;
  if (has_signal(*object.model->engine, signal)) {
    push_variable(L, signal, object.model, object.model->engine->signal(signal));
    return 1;
  }
  if (lua_getiuservalue(L, 1, 1) == LUA_TTABLE && lua_getfield(L, -1, key.c_str()) != LUA_TNIL) {
    copy_list(L);
    return 1;
  }
  if (push_motion(L, object, key)) return 1;
  if (key == "name" || key == "kind" || key == "defined_at") {
    const std::string& text = key == "name" ? object.name : key == "kind" ? object.kind : object.defined_at;
    lua_pushlstring(L, text.data(), text.size());
    return 1;
  }
  if (key == "model") {
    push_model(L, object.model);
    return 1;
  }
  const std::vector<std::string> names = field_names(L, object);
  std::string list = "fields of " + object.kind + ": ";
  for (const std::string& name : names) list += name + (name == names.back() ? "" : ", ");
  throw Error(object.title() + " has no field or method '" + key + "'" + did_you_mean(closest(key, names)) + "\n" +
              wrapped(list, ", ", 0, 100));
}

int object_newindex(lua_State* L) {
  const Object& object = self_object(L);
  throw Error(object.title() + ": its fields are read-only" +
              (lua_type(L, 2) == LUA_TSTRING ? "; '" + std::string(lua_tostring(L, 2)) +
                                                   "' can only follow a parameter, as in m:param { \"name\", value }"
                                             : ""));
}

// A property on a line: a number, a list of them, or what it is called.
std::string short_text(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (const Expression* expression = test_userdata<Expression>(L, index)) {
    return expression->model->engine->graph().to_string(expression->node, 40);
  }
  if (lua_istable(L, index)) {
    std::string list;
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
    for (lua_Integer i = 1; i <= count && list.size() < 80; ++i) {
      lua_rawgeti(L, index, i);
      list.append(i > 1 ? ", " : "").append(short_text(L, -1));
      lua_pop(L, 1);
    }
    return "{" + list + "}";
  }
  if (lua_type(L, index) == LUA_TNUMBER) return number_text(lua_tonumber(L, index));
  return described_value(L, index);
}

int object_tostring(lua_State* L) {
  const Object& object = self_object(L);
  std::string text = object.title();
  if (object.is_removed) text += ", removed from the model";
  if (!object.is_removed) {
    if (object.place) text += " at " + place_text(*object.model, *object.place);
    if (const std::string joint = joint_text(*object.model->engine, object.name); !joint.empty()) text += " " + joint;
  }
  if (!object.defined_at.empty()) text += ", defined at " + object.defined_at;
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

// All there is to know: the text, the properties with their units, and the signals.
int object_pretty(lua_State* L) {
  const Object& object = self_object(L);
  object_tostring(L);
  std::string text = lua_tostring(L, -1), list;
  const Constructor* entry = nullptr;
  for (const Constructor* candidate : all_constructors()) {
    if (candidate->object == object.kind && candidate->function) entry = candidate;
  }
  if (lua_getiuservalue(L, 1, 1) == LUA_TTABLE && entry) {
    const int properties = lua_gettop(L);
    for (const auto* fields : {&entry->positional, &entry->fields}) {
      for (const Field& field : *fields) {
        if (lua_getfield(L, properties, std::string(field.name).c_str()) != LUA_TNIL) {
          list.append(list.empty() ? "" : "; ").append(field.name).append(" = ").append(short_text(L, -1));
          if (!field.unit.empty() && field.unit != unitless) list.append(" ").append(field.unit);
        }
        lua_settop(L, properties);
      }
    }
  }
  if (!list.empty()) text += "\n  " + wrapped(list, "; ", 2, 100);
  list.clear();
  for (const std::string& name : own_signals(object)) list += (list.empty() ? "signals: " : ", ") + name;
  if (!list.empty()) text += "\n  " + wrapped(list, ", ", 2, 100);
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int object_equal(lua_State* L) {
  const Object* a = test_userdata<Object>(L, 1);
  const Object* b = test_userdata<Object>(L, 2);
  lua_pushboolean(L, a && b && a->model == b->model && a->name == b->name && a->kind == b->kind && a->kind != "place");
  return 1;
}

// m:ground { ... } finds the object m.ground, and calls it.
int ground_call(lua_State* L) {
  const Object& object = self_object(L);
  if (!object.is_whole()) throw Error(object.title() + " is not a function");
  lua_remove(L, 1);
  for (const Constructor* entry : all_constructors()) {
    if (entry->name != "model:ground") continue;
    const int arguments = lua_gettop(L);
    push_constructor(L, *entry);
    lua_insert(L, 1);
    lua_call(L, arguments, 1);
  }
  return 1;
}

}  // namespace

std::vector<std::string> own_signals(const Object& object) {
  return model::signals_of(*object.model->engine, object.name);
}

std::vector<std::string> object_members(lua_State* L, int index) {
  std::vector<std::string> names = own_signals(*test_userdata<Object>(L, index));
  const Object& object = *test_userdata<Object>(L, index);
  if (names.empty() && object.place) names = model::motion_words(*object.model->engine);
  names.insert(names.end(), {"name", "kind", "model", "defined_at"});
  if (lua_getiuservalue(L, index, 1) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      const std::string name = lua_tostring(L, -1);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  lua_pop(L, 1);
  return names;
}

Object& push_object(lua_State* L, Object object) {
  const std::string kind = object.kind;
  if (push_metatable<Object>(L, kind)) {
    constexpr luaL_Reg functions[] = {
        {"__index", guarded<object_index>},       {"__newindex", guarded<object_newindex>},
        {"__tostring", guarded<object_tostring>}, {"__pretty", guarded<object_pretty>},
        {"__eq", guarded<object_equal>},          {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
    if (kind == "ground") {
      lua_pushcfunction(L, guarded<ground_call>);
      lua_setfield(L, -2, "__call");
    }
    push_methods(L, object.is_body() ? "body" : kind);
    lua_setfield(L, -2, "methods");
  }
  lua_pop(L, 1);
  return push_userdata(L, kind, std::move(object), 2);
}

void remember(lua_State* L, const ModelPtr& model, const std::string& name) {
  push_model(L, model);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, -3, 2);  // so that the table below lives as long as any of the objects
  if (lua_getiuservalue(L, -1, objects_value) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, -3, objects_value);
  }
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, name.c_str());
  lua_pop(L, 2);
}

void push_constructor(lua_State* L, const Constructor& entry) {
  lua_pushlightuserdata(L, const_cast<Constructor*>(&entry));
  lua_pushcclosure(L, entry.function, 1);
}

void push_methods(lua_State* L, std::string_view owner) {
  lua_newtable(L);
  const std::string prefix = std::string(owner) + (owner == "mbs" ? "." : ":");
  const auto add = [&](std::string_view name) {
    const std::string method(name.substr(prefix.size()));
    lua_setfield(L, -2, method.c_str());
  };
  for (const Constructor* entry : all_constructors()) {
    if (!entry->name.starts_with(prefix)) continue;
    push_constructor(L, *entry);
    add(entry->name);
  }
  for (const Function* entry : all_functions()) {
    if (!entry->name.starts_with(prefix)) continue;
    lua_pushcfunction(L, entry->function);
    add(entry->name);
  }
}

}  // namespace perilune::lua
