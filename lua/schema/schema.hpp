// SPDX-License-Identifier: MIT
// What the module offers, as data. One entry describes one constructor or function, and drives argument checks,
// "did you mean", help, the machine-readable documentation, and the registration of the C function itself.
#pragma once
#include <lua.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

enum class Type {
  Number,       // a number or an expression of parameters
  PlainNumber,  // a number only: it is needed before the model is compiled
  Integer,
  Boolean,
  String,
  Vector,       // one number per dimension of the model
  Rotation,     // a number in a planar model, 3 numbers in a spatial one
  Orientation,  // 4 Euler parameters
  Inertia,      // a number; or 3, 6 or 3 x 3 numbers
  Axis,         // a direction: one number per dimension of the model, or "x", "y", "z"
  Place,        // a ground, a point, a place or marker on a body, or a body (its origin)
  Triple,       // 3 numbers, whatever the dimension of the model
  Letter,       // "x", "y" or "z"
  Solid,        // mass properties: what mbs.box and its like return
  Shape,        // for pictures: a solid, or a list of them
  Section,      // of a beam: what mbs.round_section and its like return
  Material,     // of a beam: what mbs.material returns
  Body,         // a body or the ground
  Massive,      // what has mass: a body or a point, or a place on one; a bar, a beam
  FreeVector,   // one of m:vector, or an axis of a natural body
  Joint,        // a joint with an angle or a displacement
  Numbers,      // a list of plain numbers
  Ordinates,    // a list of numbers or expressions of parameters
  Polynomial,   // a number, or a list of coefficients from the linear one on
  Matrix,       // its diagonal, or its rows
  Rows,         // a list of lists of numbers or expressions of parameters
  Curve,        // one of mbs.spline
  Profile,      // of a cam: a law of its angle, or a table of it (mbs.spline)
  Height,       // of a terrain: a law, or a table of it (mbs.spline, mbs.bicubic_spline)
  Torque,       // a number or 3 numbers, or a law that returns them
  Measure,      // an expression of signals
  Measures,     // a list of them
  Law,          // a Lua function of the state, traced once
  Integrand,    // the same with one result, or an expression of signals
  Stop,         // the same, or false for none
  Objective,    // one of model:objective, or a list of them
  Costs,        // two of them, or of expressions of parameters: { "name", what, unit = ... }
  Limits,       // of objectives and of expressions of parameters: a list of { "name", what, max = ... }
  Tolerances,   // of parameters: a list of { parameter, standard deviation }
  Experiments,  // runs of one model: a list of { "name", set = {...}, ... }
  Data,         // columns of numbers by name
  Signals,      // of the model, with the columns that they are compared with: a list of { "column", expression, ... }
  Shown,        // a list of signals by name, expressions, or { "name", expression, unit = ... }
  Parameters,   // a parameter, or a list of them
  ChartCurves,  // a list of { "name", x = list, y = list }
  Names,        // a list of coordinate names such as "P1.x"
  Texts,        // a list of strings
  Paths,        // of numbers in a file: a list of strings, or strings with { min = ..., max = ... }
  Formulation,
  Integrator,
  Method,  // how a gradient is computed
  Optimizer,
  Levels,       // a number of levels, or a list of numbers
  Design,       // of experiments
  Run,          // what a simulation or another analysis returned
  Objects,      // a list of joints, forces, ...
  Phases,       // a list of model:phase
  Assignments,  // a table from names of parameters to expressions of signals, or laws
  NormalLaw,    // of a contact: what mbs.hertz and its like return
  FrictionLaw,  // what mbs.coulomb and its like return
  Rubbing,      // the same, or a law of the slip and the load
};

enum class Range { Any, Finite, NonNegative, Positive };
/// "must be positive", or null if nothing is wrong.
const char* range_fault(Range range, double value);

/// The unit of what is a pure number, a count, or no number at all.
inline constexpr std::string_view unitless = "1";

struct Field {
  std::string_view name;
  Type type = Type::Number;
  std::string_view text = {};
  std::string_view unit = {};
  std::string_view fallback = {};  // the default as text; a number is used as it stands
  Range range = Range::Finite;
  bool required = false;
};

struct SignalText {
  std::string_view name, unit, text;
  std::string_view also = {};  // further components, "y, z"; what ends in z exists in spatial models only
  std::string_view when = {};  // "planar", "spatial", or another condition; empty: every such object has it
};

/// The motion of a place or a marker, which has it by name under the condition.
std::vector<SignalText> place_signal_texts(std::string_view when = {});

enum class Naming { None, Optional, Required };

/// Something that is called with one table.
struct Constructor {
  std::string_view name;          // as scripts call it: "model:point", "mbs.model"
  std::string_view object;        // what it makes: "point"; the topic of help and the word in messages
  std::string_view returns = {};  // the class of its result in annotations; empty: the object
  std::string_view summary;
  Naming naming = Naming::None;
  std::vector<Field> positional = {};  // after the name
  bool repeats = false;                // the last of them takes any number of items
  std::vector<Field> fields = {};
  std::vector<SignalText> signals = {};  // "point.x" and so on
  std::string_view equations = {};       // the physics with its source; may have several lines
  std::string_view example = {};         // a whole script
  std::vector<std::string_view> see_also = {};
  lua_CFunction function = nullptr;
  /// Draws what it is, computed by itself: a sentence, and lines of at most 64 columns, of braille dots or in ASCII.
  std::string (*picture)(const Constructor& entry, bool unicode) = nullptr;

  /// "point", "param": how scripts call it, without its owner.
  std::string_view short_name() const { return name.substr(name.find_last_of(".:") + 1); }
  /// The field, positional or not; nullptr if there is none.
  const Field* find(std::string_view field) const;
  /// "name, at, mass": what the table may have by key.
  std::string field_list() const;
  std::vector<std::string_view> field_names() const;
};

inline constexpr std::string_view numeric = "perilune.number", signal_name = "string|perilune.expression",
                                  shown_signals_type = "string|perilune.expression|table";

struct Argument {
  std::string_view name;  // "a"; "times?" may be left out, "..." takes any number
  std::string_view type;  // in the notation of annotations
  std::string_view text;
  std::string_view unit = {};
};

/// Something that is called with ordinary arguments.
struct Function {
  std::string_view name;       // "mbs.where", "model:signals"
  std::string_view signature;  // "mbs.where(condition, a, b)"
  std::vector<Argument> arguments = {};
  std::string_view returns = {};  // in the notation of annotations; empty: nothing
  std::string_view summary;
  std::string_view example = {};
  std::vector<std::string_view> see_also = {};
  lua_CFunction function = nullptr;

  std::string_view topic() const { return name.substr(name.find_last_of(".:") + 1); }
};

/// Something to read about that is neither called with a table nor with arguments: a kind of value.
struct Topic {
  std::string_view name, summary;
  std::vector<SignalText> fields = {};
  std::string_view example = {};  // a whole script
  std::vector<std::string_view> see_also = {};
};

/// The families. A new constructor is one entry in one of them, and its function.
std::span<const Constructor> model_constructors();
std::span<const Constructor> signal_constructors();
std::span<const Constructor> group_constructors();
std::span<const Constructor> reaction_constructors();
std::span<const Constructor> point_constructors();
std::span<const Constructor> body_constructors();
std::span<const Constructor> support_constructors();
std::span<const Constructor> marker_constructors();
std::span<const Constructor> beam_constructors();
std::span<const Constructor> section_constructors();
std::span<const Constructor> station_constructors();
std::span<const Constructor> solid_constructors();
std::span<const Constructor> mesh_constructors();
std::span<const Constructor> joint_constructors();
std::span<const Constructor> relation_constructors();
std::span<const Constructor> force_constructors();
std::span<const Constructor> force_kind_constructors();
std::span<const Constructor> contact_constructors();
std::span<const Constructor> contact_law_constructors();
std::span<const Constructor> tire_constructors();
std::span<const Constructor> control_constructors();
std::span<const Constructor> filter_constructors();
std::span<const Constructor> sampled_constructors();
std::span<const Constructor> lqr_constructors();
std::span<const Constructor> spline_constructors();
std::span<const Constructor> piecewise_linear_constructors();
std::span<const Constructor> spline_surface_constructors();
std::span<const Constructor> formulation_constructors();
std::span<const Constructor> integrator_constructors();
std::span<const Constructor> method_constructors();
std::span<const Constructor> optimizer_constructors();
std::span<const Constructor> experiment_constructors();
std::span<const Constructor> optimize_constructors();
std::span<const Constructor> fit_constructors();
std::span<const Constructor> accuracy_constructors();
std::span<const Constructor> pareto_constructors();
std::span<const Constructor> phase_constructors();
std::span<const Constructor> analysis_constructors();
std::span<const Constructor> state_space_constructors();
std::span<const Constructor> chart_constructors();
std::span<const Constructor> sweep_constructors();
std::span<const Constructor> design_constructors();
std::span<const Function> model_functions();
std::span<const Function> signal_functions();
std::span<const Function> turn_functions();
std::span<const Function> path_functions();
std::span<const Function> copy_functions();
std::span<const Function> run_functions();
std::span<const Function> profile_functions();
std::span<const Constructor> picture_constructors();
std::span<const Function> picture_functions();
std::span<const Function> optimum_functions();
std::span<const Function> sweep_functions();
std::span<const Function> file_functions();
std::span<const Function> mat_file_functions();
std::span<const Function> csv_file_functions();
std::span<const Function> json_file_functions();
std::span<const Constructor> model_file_constructors();
std::span<const Constructor> export_constructors();
std::span<const Function> fit_functions();
std::span<const Function> equilibrium_path_functions();
std::span<const Function> linearization_functions();
std::span<const Function> expression_functions();
std::span<const Function> limit_functions();

std::span<const Function> session_functions();

std::span<const Topic> value_topics();
std::span<const Topic> vehicle_topics();
std::span<const Topic> sweep_topics();
std::span<const Topic> session_topics();

/// All of the above, in the groups that the overview of help shows.
struct Family {
  std::string_view name, summary;
  std::vector<const Constructor*> constructors = {};
  std::vector<const Function*> functions = {};
  std::vector<const Topic*> topics = {};
};
const std::vector<Family>& families();
const std::vector<const Constructor*>& all_constructors();
const std::vector<const Function*>& all_functions();
/// "run:view" for "view": the constructor or function whose name ends so. Empty if there is none.
std::string_view full_name_of(std::string_view word);

/// "a number", for messages; "number", for machines; and in a word or two, for pages of help.
std::string_view described(Type type);
/// In the notation of annotations: "perilune.number[]".
std::string_view annotation(Type type);
std::string_view name_of(Type type);
std::string_view readable(Type type);
/// " > 0" and the like; empty if any finite number will do.
std::string_view described(Range range);

/// The page of a topic, or the list of a family. Throws Error, with a suggestion, if there is none.
std::string help_page(std::string_view topic);
/// The families with their topics.
std::string help_overview();

/// Lua functions `mbs.help` and the global list of topics are served by this (a lua_CFunction).
int help(lua_State* L);
/// Serves `mbs.apropos`.
int apropos(lua_State* L);

}  // namespace perilune::lua
