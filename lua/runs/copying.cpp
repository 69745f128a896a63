// SPDX-License-Identifier: MIT
// Copies of models: variants to be changed apart from each other.
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "runs/phases.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

/// Makes what scripts hold of one model into the same of its copy.
class Copier {
 public:
  Copier(lua_State* L, ModelPtr from, ModelPtr to) : L_(L), from_(std::move(from)), to_(std::move(to)) {
    lua_newtable(L_);  // of the objects of the one model to those of the other
    known_ = lua_gettop(L_);
  }

  /// Pushes what the value at the index is to the copy. Tables are copied down to these levels, as copy_list does;
  /// what belongs to no model, or is beyond, is the same value.
  void push(int index, int levels = 3) {
    luaL_checkstack(L_, 12, nullptr);
    index = lua_absindex(L_, index);
    if (const Object* object = test_userdata<Object>(L_, index)) return push_copied(index, *object);
    if (const Expression* expression = test_userdata<Expression>(L_, index)) {
      if (expression->model != from_) return lua_pushvalue(L_, index);
      return push_expression(L_, to_, expression->node);
    }
    if (const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(L_, index)) {
      constexpr int anew = -1;  // made at its first use: what it reads may have been removed
      return push_objective(L_, {to_, handle->parts, handle->objective, anew});
    }
    if (const PhaseHandle* handle = test_userdata<PhaseHandle>(L_, index)) {
      PhaseHandle copy = *handle;
      copy.model = to_;
      copy.compiled = nullptr;
      return push_phase(L_, std::move(copy));
    }
    if (lua_type(L_, index) != LUA_TTABLE || levels == 0) return lua_pushvalue(L_, index);
    lua_newtable(L_);
    const int table = lua_gettop(L_);
    for (lua_pushnil(L_); lua_next(L_, index);) {
      push(lua_gettop(L_), levels - 1);
      lua_replace(L_, -2);
      lua_pushvalue(L_, -2);
      lua_insert(L_, -2);
      lua_rawset(L_, table);
    }
  }

 private:
  void push_copied(int index, const Object& object) {
    if (object.model != from_) return lua_pushvalue(L_, index);
    lua_pushvalue(L_, index);
    if (lua_rawget(L_, known_) != LUA_TNIL) return;
    lua_pop(L_, 1);
    Object copy = object;
    copy.model = to_;
    push_object(L_, std::move(copy));
    lua_pushvalue(L_, index);  // known before its properties, of which one may be on it
    lua_pushvalue(L_, -2);
    lua_rawset(L_, known_);
    push_model(L_, to_);
    lua_setiuservalue(L_, -2, 2);
    lua_getiuservalue(L_, index, 1);
    push(-1);
    lua_setiuservalue(L_, -3, 1);
    lua_pop(L_, 1);
  }

  lua_State* L_;
  ModelPtr from_, to_;
  int known_;
};

int copy_model(lua_State* L) {
  const ModelPtr from = check_self(L, "model:copy");
  refuse_in_law("copy");
  std::string name = from->engine->name() + " copy";
  if (lua_type(L, 2) == LUA_TSTRING) {
    name = lua_tostring(L, 2);
  } else if (!lua_isnoneornil(L, 2)) {
    throw Error("copy: expected the name of the copy, as in m:copy \"variant\", got " + described_value(L, 2));
  }
  if (lua_gettop(L) > 2) throw Error("copy: expected nothing behind the name, got " + described_value(L, 3));
  const ModelPtr to = from->copy(name);
  lua_settop(L, 1);
  push_model(L, to);
  lua_getiuservalue(L, 1, paths_value);
  lua_setiuservalue(L, 2, paths_value);
  if (lua_getiuservalue(L, 1, objects_value) == LUA_TTABLE) {
    Copier copier(L, from, to);
    const int objects = 3;
    for (lua_pushnil(L); lua_next(L, objects); lua_pop(L, 1)) {
      copier.push(-1);
      remember(L, to, lua_tostring(L, -3));
      lua_pop(L, 1);
    }
  }
  lua_settop(L, 2);
  return 1;
}

}  // namespace

std::span<const Function> copy_functions() {
  static const std::vector<Function> functions = {
      {.name = "model:copy",
       .signature = "m:copy([name])",
       .arguments = {{"name?", "string",
                      "of the copy, in messages and files; by default that of the model and \"copy\"", unitless}},
       .returns = "model",
       .summary =
           "A second model as this one is now: what is declared, removed or set in one of the two changes\n"
           "nothing in the other. The copy knows its parameters, objects, signals, objectives and phases by\n"
           "their names, as copy[\"arm\"]; those of the first model do not go with it. Values of parameters are\n"
           "copied, the settings of the last simulation are not. Laws keep what they read of the first model's\n"
           "script when it was declared: they follow the parameters of the copy.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"plain\", gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:distance { m:ground { at = {0, 0} }, P }\n"
                  "local damped = m:copy \"damped\"\n"
                  "damped:spring { \"s\", damped:ground { at = {0, -2} }, damped[\"P\"], stiffness = 1, damping = 2 }\n"
                  "print(m:simulate { t = 1 }:at(\"P.y\", 1), damped:simulate { t = 1 }:at(\"P.y\", 1))",
       .see_also = {"object", "remove", "simulate"},
       .function = guarded<copy_model>},
  };
  return functions;
}

}  // namespace perilune::lua
