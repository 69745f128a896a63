// SPDX-License-Identifier: MIT
// Reads the table of one constructor call as the schema describes it.
#pragma once
#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/spline.hpp"
#include "model/beam/section.hpp"
#include "model/body/solids.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"
#include "values/object.hpp"

namespace perilune::lua {

/// What the table of a solid has as `shape`, for pictures. It keeps the model alive that its expressions belong to.
struct SolidShape {
  ModelPtr model;
  std::vector<model::Shape> shapes;
};
void push_solid_shape(lua_State* L, SolidShape shape);

/// Constructors of the module have no model of their own; the first expression that they are given says which it is.
/// Every reading function throws Error, naming the object and the field, when the value does not fit. A field that
/// the schema lacks, or a field of the schema that nobody read, is an internal error.
class Args {
 public:
  /// For the running C function, a closure made by push_constructor. Unknown fields are found here.
  explicit Args(lua_State* L);

  const Constructor& constructor() const { return entry_; }
  const ModelPtr& model() const { return model_; }
  model::Model& engine() const { return *model_->engine; }
  /// Of a constructor of the module: the model that what it was given belongs to, unless it has one already.
  void adopt(const ModelPtr& model);
  /// Whether it was given a name, or has got one.
  bool has_name() const { return !name_.empty(); }
  /// The object's name; made up if it may be missing.
  const std::string& name();
  /// point "P1"
  std::string title() const;

  bool given(std::string_view field);
  /// The value, or the schema's default.
  expr::Symbol number(std::string_view field);
  std::optional<expr::Symbol> optional_number(std::string_view field);
  double plain_number(std::string_view field);
  std::string text(std::string_view field);
  bool boolean(std::string_view field);
  /// Within the range of int, whatever the field is for.
  int integer(std::string_view field);
  /// An integer that numbers are drawn from.
  std::uint64_t seed(std::string_view field);
  /// Without a default it is required. A default of "0" stands for zeros.
  model::Vector vector(std::string_view field, size_t count);
  model::Vector vector(std::string_view field) { return vector(field, static_cast<size_t>(engine().dimension())); }
  /// Plain numbers, at least `least` and at most `most` of them.
  std::vector<double> plain_list(std::string_view field, size_t least, size_t most);
  /// The symmetric tensor as Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
  std::vector<expr::Symbol> inertia(std::string_view field);
  model::Vector axis(std::string_view field);
  /// Its value at the present parameters.
  double value_of(const expr::Symbol& number) const;
  /// 0, 1 or 2 for "x", "y", "z".
  size_t letter(std::string_view field);
  /// Mass properties: what mbs.box and its like return, or a table like theirs.
  model::Solid solid(std::string_view field);
  /// Of solids, for pictures.
  std::vector<model::Shape> shapes(std::string_view field);
  /// What mbs.round_section and its like return, or a table like theirs; nothing where it is not given.
  std::optional<model::Section> section(std::string_view field);
  /// What mbs.material returns, or a table like it; nothing where it is not given.
  std::optional<model::Material> material(std::string_view field);
  /// All items of the list from the positional field on.
  std::vector<model::Solid> solids(std::string_view field);
  Object& object(std::string_view field);
  model::Place place(std::string_view field) { return *object(field).place; }
  /// nullopt if it was not given.
  std::optional<model::FreeVector> free_vector(std::string_view field);
  /// All items of the list from the positional field on; the table of the call keeps them alive.
  std::vector<Object*> objects(std::string_view field);
  std::vector<model::Place> places(std::string_view field);
  /// Plain numbers, any count.
  std::vector<double> numbers(std::string_view field);
  /// Numbers or expressions of parameters, any count.
  model::Vector ordinates(std::string_view field);
  /// A list of such lists.
  std::vector<model::Vector> rows(std::string_view field);
  /// Coefficients from the linear one on; empty if the field was not given.
  model::Vector polynomial(std::string_view field);
  /// A square matrix of `size` rows, row-major.
  model::Vector matrix(std::string_view field, size_t size);
  /// An expression of signals, or the first of these signals that the given object has, whose unit counts from then on.
  expr::Symbol measure(std::string_view field, const std::vector<std::string_view>& signals);
  /// Of units as in "m or rad" one counts from now on, in all fields: that at the place of `own` among `units`.
  void count_in(std::string_view units, std::string_view own);
  /// "rad" where that counts; `units` where none is known to.
  std::string_view counted(std::string_view units) const;
  /// A list of expressions of signals.
  std::vector<expr::Symbol> measures(std::string_view field);
  /// nullptr if it was not given.
  const expr::Spline* curve(std::string_view field);
  bool is_function(std::string_view field);
  /// Stack index of a function; 0 if it was not given.
  int function(std::string_view field);

  /// Stack index of a value of any type; 0 if it was not given (an error if it is required).
  int value(std::string_view field);
  /// The value at the stack index does not fit the field's type.
  [[noreturn]] void fail_value(std::string_view field, int index) const;

  /// Pushes the table of the values that were read.
  void push_properties() const { lua_pushvalue(state_, properties_); }
  /// Ends the reading and pushes the new object, whose properties are the values that were read.
  Object& finish(std::optional<model::Place> place = std::nullopt);
  /// Ends the reading without an object.
  void check_all_read() const;

  [[noreturn]] void fail(const std::string& problem) const;
  /// A field that is needed because others were not given.
  [[noreturn]] void fail_missing(std::string_view field) const;

 private:
  const Field& field_of(std::string_view field) const;
  Object& read_object(const Field& field, const std::string& label, int index);
  /// Pushes the field's value (nil if missing) and notes that it was read.
  int push(const Field& field);
  void mark_position() const;
  void check_keys();
  void require(const Field& field, int index) const;
  [[noreturn]] void fail_type(const Field& field, const std::string& label, int index) const;
  double whole_number(std::string_view field, double most);
  expr::Symbol read_number(const Field& field, const std::string& label, int index);
  /// Throws if the units of the parameters that the value at the stack index is made of contradict the field's; of a
  /// list each item is in that unit.
  void check_dimension(const Field& field, const std::string& label, int index) const;
  /// Those of the field that count.
  std::vector<std::string_view> units_of(const Field& field) const;
  /// Finds the unit of an expression that is a signal with one of these names.
  void count_as_signal(const Field& field, expr::NodeId node);
  model::Vector read_list(const Field& field, const std::string& label, int index, size_t count);
  model::Vector read_whole_list(const Field& field, int index);
  /// Number of a field of the table at the index.
  std::optional<expr::Symbol> entry(const Field& field, int index, const char* what);
  std::vector<model::Shape> read_shape(const std::string& label, int index);
  model::Solid read_solid(const Field& field, const std::string& label, int index);
  void keep(const Field& field, int index);
  void keep_default(const Field& field, double value);

  lua_State* state_;
  const Constructor& entry_;
  ModelPtr model_;
  int table_ = 0, properties_ = 0;
  std::optional<size_t> counted_unit_;  // of several in a field
  int offset_ = 0;                      // items of the list before the positional fields
  std::string name_;
  std::set<std::string, std::less<>> read_;
  std::vector<std::pair<std::string, std::string>> ends_;  // fields with places, and the bodies these are on
};

}  // namespace perilune::lua
