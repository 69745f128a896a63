// SPDX-License-Identifier: MIT
// What scripts hold: models and the objects declared in them.
#pragma once
#include <functional>
#include <lua.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "schema/schema.hpp"
#include "simulation/run.hpp"
#include "values/node_values.hpp"

namespace perilune::lua {

/// A model and what only scripts need to know about it. Everything that scripts hold of a model shares it.
struct ModelData : std::enable_shared_from_this<ModelData> {
  struct Declared {
    std::string kind, name, defined_at;
    std::vector<std::string> ends = {};  // the bodies and points it acts on, "ground" for all of the ground
  };

  explicit ModelData(std::unique_ptr<model::Model> model);

  std::unique_ptr<model::Model> engine;
  std::vector<Declared> declared;
  NodeValues samples;  // for the checks of traced laws, at values of the variables from the following function
  std::function<double(const expr::Variable&)> sample_variable;
  StateDependence state_dependence;

  /// The model as it stands now; compiled again only after a change of its structure. Throws Error where the command
  /// line sets a parameter that is not declared.
  std::shared_ptr<const system::System> compiled();
  /// A copy of the model as it stands now, for what outlives the next declaration; another only after a change.
  std::shared_ptr<model::Model> snapshot();
  std::vector<double> parameter_values() const;
  /// Settings of the last simulation, which later calls take over where they name nothing else.
  /// Its stop condition does not own the model, of which it would be the end; its start is not the `from` of that
  /// simulation. The phases are in the model's user value `phases_value`, and here is only whether there were any.
  std::optional<simulation::Problem> last_problem;
  bool has_given_formulation = false;  // the last problem: it was not left to Perilune
  bool last_has_phases = false;
  int removals = 0;  // how often objects were removed: what was made of the model before has other numbers

  /// "spring2": the next free name for an unnamed object.
  std::string make_name(std::string_view kind);
  void declare(Declared object);
  /// Forgets the objects and the settings of the last simulation, which may read them.
  void forget(const std::set<std::string>& objects);
  /// nullptr if nothing has the name.
  const Declared* find(std::string_view name) const;
  /// The value of a node at the current parameters; NaN if it depends on the state.
  double value(expr::NodeId node);

 private:
  std::map<std::string, std::size_t, std::less<>> names_;
  std::map<std::string, int, std::less<>> counters_;
  NodeValues values_;
  std::vector<double> parameters_;  // at which values_ were computed
  std::shared_ptr<const system::System> system_;
  int system_revision_ = -1;
  std::shared_ptr<model::Model> snapshot_;
};
using ModelPtr = std::shared_ptr<ModelData>;

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
/// Of the object on top of the stack: its model knows it by its name from now on.
void remember_object(lua_State* L, const Object& object);
/// Names after "P1.": its signals, and its properties too. The object is at the stack index.
std::vector<std::string> own_signals(const Object& object);
std::vector<std::string> object_members(lua_State* L, int index);
/// What the userdata of a model keeps for scripts. There is one userdata for a model as long as a script has it.
enum ModelUserValue { ground_value = 1, run_value, phases_value, objects_value };
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
