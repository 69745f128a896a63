// SPDX-License-Identifier: MIT
// What scripts hold: models and the objects declared in them.
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.hpp"
#include "values/model_data.hpp"

namespace perilune::lua {

/// A point, body, joint, force, ... Its first user value is the table of properties, its second the model's userdata.
struct Object {
  ModelPtr model;
  std::string kind, name, defined_at;
  std::optional<model::Place> place;  // what can be attached to
  std::optional<model::FreeVector> vector = {};
  bool is_removed = false;

  bool is_body() const { return kind == "body" || kind == "natural_body" || kind == "support" || kind == "ground"; }
  /// A body or all of the ground, rather than one place on it.
  bool is_whole() const { return is_body() && (kind != "ground" || name == "ground"); }
  /// point "P1"
  std::string title() const { return kind + " \"" + name + "\""; }
  /// Throws Error if it was removed from its model, or what it is on was.
  void check_present() const;
};

Object& push_object(lua_State* L, Object object);
/// Of the object on top of the stack, which has a second user value: its model knows it by its name from now on.
void remember(lua_State* L, const ModelPtr& model, const std::string& name);
/// Names after "P1.": its signals, and its properties too. The object is at the stack index.
std::vector<std::string> own_signals(const Object& object);
std::vector<std::string> object_members(lua_State* L, int index);
/// "model "arm" has no signal 'arm'", with what the object of that name has, or else the nearest signal.
std::string no_signal(const model::Model& model, const std::string& name);
/// What the userdata of a model keeps for scripts. There is one userdata for a model as long as a script has it.
/// `paths_value`: of the numbers of the file that it was read from, each with the file's name.
enum ModelUserValue { ground_value = 1, run_value, phases_value, objects_value, paths_value };
void push_model(lua_State* L, const ModelPtr& model);
ModelPtr test_model(lua_State* L, int index);

/// The model of `self` in a call of a method such as "model:point" or "body:point". Throws, explaining the colon, if
/// self is something else.
ModelPtr check_self(lua_State* L, std::string_view method);

/// "script.lua:12" of the running Lua function.
std::string script_line(lua_State* L);
/// One line each on the standard error, with that line of the script.
void print_warnings(lua_State* L, const std::vector<std::string>& warnings);

/// Copies the value on top of the stack if it is a table: lists that are kept or handed out must not be shared. Tables
/// in it are copied, too, down to these levels, which are enough for rows of tensors; beyond, a table may hold itself.
void copy_list(lua_State* L, int levels = 3);

/// The value as text in messages: -1, "heavy" (a string), point "P1", the expression 2 * k, nothing (nil).
std::string described_value(lua_State* L, int index);

/// Pushes a closure of the entry's function with the entry as its upvalue.
void push_constructor(lua_State* L, const Constructor& entry);
/// Pushes a table of what the schema lists under "owner:" (or "mbs.").
void push_methods(lua_State* L, std::string_view owner);

}  // namespace perilune::lua
