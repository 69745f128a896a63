// SPDX-License-Identifier: MIT
#include "schema/schema.hpp"

#include <cmath>

namespace perilune::lua {

const Field* Constructor::find(std::string_view field) const {
  for (const auto* list : {&positional, &fields}) {
    for (const Field& candidate : *list) {
      if (candidate.name == field) return &candidate;
    }
  }
  return nullptr;
}

std::vector<std::string_view> Constructor::field_names() const {
  std::vector<std::string_view> names;
  if (naming != Naming::None) names.push_back("name");
  for (const auto* list : {&positional, &fields}) {
    for (const Field& field : *list) names.push_back(field.name);
  }
  return names;
}

const char* range_fault(Range range, double value) {
  if (range == Range::Any ? std::isnan(value) : !std::isfinite(value)) return "must be finite";
  if (range == Range::Positive && !(value > 0)) return "must be positive";
  if (range == Range::NonNegative && value < 0) return "must not be negative";
  return nullptr;
}

std::string Constructor::field_list() const {
  std::string text;
  for (const std::string_view field : field_names()) {
    if (!text.empty()) text += ", ";
    text += field;
  }
  return text;
}

namespace {

using Lists = std::initializer_list<std::span<const Constructor>>;
using FunctionLists = std::initializer_list<std::span<const Function>>;

Family family(std::string_view name, std::string_view summary, Lists constructors, FunctionLists functions = {},
              std::span<const Topic> topics = {}) {
  Family made{name, summary};
  for (const auto& list : constructors) {
    for (const Constructor& entry : list) made.constructors.push_back(&entry);
  }
  for (const auto& list : functions) {
    for (const Function& entry : list) made.functions.push_back(&entry);
  }
  for (const Topic& entry : topics) made.topics.push_back(&entry);
  return made;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      family("models", "models, their parameters and signals",
             {model_constructors(), signal_constructors(), group_constructors(), reaction_constructors()},
             {model_functions(), copy_functions(), signal_functions()}),
      family("bodies", "places, points, bars, rigid bodies and beams",
             {point_constructors(), body_constructors(), support_constructors(), marker_constructors(),
              beam_constructors(), station_constructors(), section_constructors()},
             {turn_functions(), path_functions()}),
      family("solids", "mass properties from shapes", {solid_constructors(), mesh_constructors()}),
      family("joints", "constraints between bodies, markers and points", {joint_constructors()}),
      family("couplings", "drivers, gears and your own constraints", {relation_constructors()}),
      family("forces", "forces, torques, springs, stops and bushings",
             {force_constructors(), force_kind_constructors()}),
      family("contact", "contact with surfaces, its laws of normal force and friction; tires, wheels that roll",
             {contact_constructors(), contact_law_constructors(), tire_constructors()}),
      family("vehicles", "vehicles that come with Perilune", {}, {}, vehicle_topics()),
      family("control", "first-order states, controllers, filters and limits",
             {control_constructors(), filter_constructors(), sampled_constructors(), lqr_constructors()},
             {limit_functions()}),
      family("laws", "functions for laws and expressions",
             {spline_constructors(), piecewise_linear_constructors(), spline_surface_constructors()},
             {expression_functions()}),
      family("analysis", "simulation, kinematics, statics, small motions, gradients, optimization",
             {experiment_constructors(), optimize_constructors(), pareto_constructors(), fit_constructors(),
              accuracy_constructors(), phase_constructors(), analysis_constructors(), state_space_constructors()},
             {optimum_functions(), fit_functions(), linearization_functions()}),
      family("formulations", "equations of motion in several forms", {formulation_constructors()}),
      family("integrators", "time integration", {integrator_constructors()}),
      family("methods", "gradient methods and optimizers", {method_constructors(), optimizer_constructors()}),
      family("results", "runs and what can be read of them", {},
             {run_functions(), profile_functions(), equilibrium_path_functions()}, value_topics()),
      family("pictures", "pages, pictures and charts", {picture_constructors(), chart_constructors()},
             {picture_functions()}),
      family("experiments", "sweeps over designs, in parallel and on several machines",
             {sweep_constructors(), design_constructors()}, {sweep_functions()}, sweep_topics()),
      family("session", "help and the interactive mode", {}, {session_functions()}, session_topics()),
      family("files", "options, files and folders of scripts", {}, {file_functions()}),
      family("exchange", "models and numbers from files, and for GNU Octave and MATLAB",
             {model_file_constructors(), export_constructors()},
             {mat_file_functions(), csv_file_functions(), json_file_functions()})};
  return all;
}

const std::vector<const Constructor*>& all_constructors() {
  static const std::vector<const Constructor*> all = [] {
    std::vector<const Constructor*> list;
    for (const Family& each : families()) list.insert(list.end(), each.constructors.begin(), each.constructors.end());
    return list;
  }();
  return all;
}

const std::vector<const Function*>& all_functions() {
  static const std::vector<const Function*> all = [] {
    std::vector<const Function*> list;
    for (const Family& each : families()) list.insert(list.end(), each.functions.begin(), each.functions.end());
    return list;
  }();
  return all;
}

std::string_view full_name_of(std::string_view word) {
  const auto ends_so = [word](std::string_view name) {
    const size_t separator = name.find_last_of(".:");
    return separator != name.npos && name.substr(separator + 1) == word;
  };
  for (const Constructor* entry : all_constructors()) {
    if (ends_so(entry->name)) return entry->name;
  }
  for (const Function* entry : all_functions()) {
    if (ends_so(entry->name)) return entry->name;
  }
  return {};
}

std::string_view described(Type type) {
  switch (type) {
    case Type::Number:
      return "a number";
    case Type::PlainNumber:
      return "a plain number";
    case Type::Integer:
      return "an integer";
    case Type::Boolean:
      return "true or false";
    case Type::String:
      return "a string";
    case Type::Vector:
      return "a list of numbers, one per dimension";
    case Type::Rotation:
      return "a number (planar) or 3 numbers (spatial)";
    case Type::Orientation:
      return "4 Euler parameters {e0, e1, e2, e3}";
    case Type::Inertia:
      return "a number (planar); {Jxx, Jyy, Jzz}, 6 numbers or 3 rows (spatial)";
    case Type::Axis:
      return "a direction: one number per dimension, or \"x\", \"y\" or \"z\"";
    case Type::Triple:
      return "3 numbers";
    case Type::Letter:
      return "\"x\", \"y\" or \"z\"";
    case Type::Solid:
      return "mass properties such as mbs.box { ... }";
    case Type::Shape:
      return "a solid such as mbs.box { size = {0.2, 0.1, 0.1} } or mbs.mesh { \"part.stl\" }, or a list of them";
    case Type::Section:
      return "a section such as mbs.round_section { diameter = 0.02 }";
    case Type::Material:
      return "a material such as mbs.material { young = 2.1e11, density = 7850 }";
    case Type::Place:
      return "a ground, a point, a body, or a place or marker on one";
    case Type::Body:
      return "a body or the ground";
    case Type::Massive:
      return "a body, a point, a bar or a beam";
    case Type::FreeVector:
      return "a vector (m:vector), or an axis of a natural_body such as A.w";
    case Type::Joint:
      return "a joint";
    case Type::Numbers:
      return "a list of numbers";
    case Type::Ordinates:
      return "a list of numbers or expressions of parameters";
    case Type::Polynomial:
      return "a number, or a list of coefficients {c1, c2, ...}";
    case Type::Matrix:
      return "a list with the diagonal of a matrix, or with its rows";
    case Type::Rows:
      return "a list of rows, each a list of numbers or expressions of parameters";
    case Type::Curve:
      return "a spline such as mbs.spline { x = {...}, y = {...} }";
    case Type::Profile:
      return "a function of s.angle, or a table such as mbs.spline { x = {...}, y = {...}, period = 2 * math.pi }";
    case Type::Height:
      return "a function of the place, or a table such as mbs.spline or mbs.bicubic_spline";
    case Type::Torque:
      return "a number (planar) or 3 numbers (spatial), or a function of the state";
    case Type::Measure:
      return "an expression of signals such as P1.x or spring.length";
    case Type::Measures:
      return "a list of expressions of signals such as { P1.x, P1.vx }";
    case Type::NormalLaw:
      return "a normal law such as mbs.hunt_crossley { stiffness = 1e6 }";
    case Type::FrictionLaw:
      return "a friction law such as mbs.coulomb { coefficient = 0.5 }";
    case Type::Rubbing:
      return "a friction law such as mbs.coulomb { coefficient = 0.5 }, or a function of the state";
    case Type::Law:
      return "a function of the state";
    case Type::Integrand:
      return "a function of the state or an expression of signals";
    case Type::Stop:
      return "a function of the state or an expression of signals, or false for none (whichever of two comes first: "
             "function() return math.max(a, b) end, both negative before)";
    case Type::Objective:
      return "an objective (of m:objective) or a list of them";
    case Type::Parameters:
      return "a parameter or a list of parameters";
    case Type::ChartCurves:
      return "a list of { \"name\", x = {...}, y = {...} }";
    case Type::Names:
      return "a list of coordinate names such as \"P1.x\"";
    case Type::Texts:
      return "a list of strings";
    case Type::Paths:
      return "a list of paths such as { \"arm.pos.x\", [\"rod.geom.size.x\"] = { min = 0.01 } }";
    case Type::Objects:
      return "a list of joints, constraints or forces";
    case Type::Phases:
      return "a list of phases (of m:phase)";
    case Type::Costs:
      return "a list of two such as { cost, { \"mass\", rho * L, unit = \"kg\" } }";
    case Type::Experiments:
      return "a list such as { { \"bump\", set = { speed = 2 * speed } } }";
    case Type::Data:
      return "a table of columns such as { t = {...}, angle = {...} }";
    case Type::Shown:
      return "a list such as { \"arm.x\", arm.y - 1, { \"sum\", arm.x + arm.y, unit = \"mm\" } }";
    case Type::Signals:
      return "a list such as { { \"angle\", joint.angle } }";
    case Type::Tolerances:
      return "a list such as { { L, 0.001 } }";
    case Type::Limits:
      return "a list such as { { \"travel\", travel, max = 0.08 } }";
    case Type::Assignments:
      return "a table such as { place = foot.x } of parameters and expressions";
    case Type::Formulation:
      return "a formulation such as mbs.penalty {}";
    case Type::Integrator:
      return "an integrator such as mbs.rk4 {}";
    case Type::Method:
      return "a gradient method such as mbs.adjoint {}";
    case Type::Optimizer:
      return "an optimizer such as mbs.lbfgsb {}";
    case Type::Levels:
      return "a number of levels or a list of numbers";
    case Type::Design:
      return "a design such as mbs.latin_hypercube { points = 20 }";
    case Type::Run:
      return "a run, such as m:simulate or m:equilibrium returns";
  }
  return {};
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::Number:
      return "number";
    case Type::PlainNumber:
      return "plain_number";
    case Type::Integer:
      return "integer";
    case Type::Boolean:
      return "boolean";
    case Type::String:
      return "string";
    case Type::Vector:
      return "vector";
    case Type::Rotation:
      return "rotation";
    case Type::Orientation:
      return "orientation";
    case Type::Inertia:
      return "inertia";
    case Type::Axis:
      return "axis";
    case Type::Triple:
      return "triple";
    case Type::Letter:
      return "letter";
    case Type::Solid:
      return "solid";
    case Type::Shape:
      return "shape";
    case Type::Section:
      return "section";
    case Type::Material:
      return "material";
    case Type::Place:
      return "place";
    case Type::Body:
      return "body";
    case Type::Massive:
      return "body, point, bar or beam";
    case Type::FreeVector:
      return "free_vector";
    case Type::Joint:
      return "joint";
    case Type::Numbers:
      return "numbers";
    case Type::Ordinates:
      return "ordinates";
    case Type::Polynomial:
      return "polynomial";
    case Type::Matrix:
      return "matrix";
    case Type::Rows:
      return "rows";
    case Type::Curve:
      return "curve";
    case Type::Profile:
      return "profile";
    case Type::Height:
      return "height";
    case Type::Torque:
      return "torque";
    case Type::Measure:
      return "measure";
    case Type::Measures:
      return "measures";
    case Type::NormalLaw:
      return "normal_law";
    case Type::FrictionLaw:
      return "friction_law";
    case Type::Rubbing:
      return "friction_law|law";
    case Type::Law:
      return "law";
    case Type::Integrand:
      return "integrand";
    case Type::Stop:
      return "stop";
    case Type::Objective:
      return "objective";
    case Type::Parameters:
      return "parameters";
    case Type::ChartCurves:
      return "curves";
    case Type::Names:
      return "names";
    case Type::Texts:
      return "texts";
    case Type::Paths:
      return "paths";
    case Type::Objects:
      return "objects";
    case Type::Phases:
      return "phases";
    case Type::Costs:
      return "costs";
    case Type::Experiments:
      return "experiments";
    case Type::Data:
      return "data";
    case Type::Shown:
      return "shown";
    case Type::Signals:
      return "signals";
    case Type::Tolerances:
      return "deviations of parameters";
    case Type::Limits:
      return "limits";
    case Type::Assignments:
      return "assignments";
    case Type::Formulation:
      return "formulation";
    case Type::Integrator:
      return "integrator";
    case Type::Method:
      return "method";
    case Type::Optimizer:
      return "optimizer";
    case Type::Levels:
      return "levels";
    case Type::Design:
      return "design";
    case Type::Run:
      return "run";
  }
  return {};
}

std::string_view readable(Type type) {
  switch (type) {
    case Type::PlainNumber:
      return "number";
    case Type::Boolean:
      return "true or false";
    case Type::Vector:
      return "2 or 3 numbers";
    case Type::Rotation:
      return "number, or 3 numbers";
    case Type::Orientation:
      return "4 numbers";
    case Type::Inertia:
      return "number, or 3 or 6 numbers";
    case Type::Axis:
      return "list, or \"x\", \"y\", \"z\"";
    case Type::FreeVector:
      return "vector";
    case Type::Triple:
      return "3 numbers";
    case Type::Letter:
      return "\"x\", \"y\" or \"z\"";
    case Type::Numbers:
    case Type::Ordinates:
      return "list of numbers";
    case Type::Polynomial:
      return "number, or list";
    case Type::Levels:
      return "number of levels, or list of numbers";
    case Type::Matrix:
      return "list: the diagonal, or the rows";
    case Type::Rows:
      return "list of lists of numbers";
    case Type::Curve:
      return "spline";
    case Type::Profile:
    case Type::Height:
      return "function, or spline";
    case Type::Torque:
      return "number, 3 numbers, or function";
    case Type::Measure:
      return "expression, or object";
    case Type::Measures:
      return "list of expressions";
    case Type::NormalLaw:
      return "normal law";
    case Type::FrictionLaw:
      return "friction law";
    case Type::Rubbing:
      return "friction law, or function";
    case Type::Law:
      return "function";
    case Type::Integrand:
      return "function, or expression";
    case Type::Stop:
      return "function, expression, or false";
    case Type::Objective:
      return "objective, or list of them";
    case Type::Parameters:
      return "parameter, or list of them";
    case Type::ChartCurves:
      return "list of { name, x, y }";
    case Type::Names:
      return "list of names";
    case Type::Texts:
      return "list of strings";
    case Type::Paths:
      return "list of paths";
    case Type::Objects:
      return "list of objects";
    case Type::Phases:
      return "list of phases";
    case Type::Costs:
      return "list of two { name, what }";
    case Type::Experiments:
      return "list of { name, set }";
    case Type::Data:
      return "table of lists";
    case Type::Shown:
      return "list of names, expressions";
    case Type::Signals:
      return "list of { column, expression }";
    case Type::Tolerances:
      return "list of { parameter, deviation }";
    case Type::Limits:
      return "list of { name, what, max }";
    case Type::Assignments:
      return "table of expressions";
    default:
      return name_of(type);
  }
}

std::string_view described(Range range) {
  switch (range) {
    case Range::NonNegative:
      return ">= 0";
    case Range::Positive:
      return "> 0";
    case Range::Any:
    case Range::Finite:
      break;
  }
  return {};
}

}  // namespace perilune::lua
