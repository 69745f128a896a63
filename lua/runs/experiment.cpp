// SPDX-License-Identifier: MIT
// Objectives, simulations, gradients and optimizations of a model.
#include "runs/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/law/switches.hpp"
#include "model/unit.hpp"
#include "processor_time.hpp"
#include "runs/derivative_text.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"
#include "values/expression_field.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;

void push_gradient_table(lua_State* L, const model::Model& engine, const std::string& name,
                         const sensitivity::Gradient& gradient, const std::vector<int>& over, std::size_t objective,
                         const sensitivity::Method& method) {
  lua_newtable(L);
  lua_pushstring(L, name.c_str());
  lua_setfield(L, -2, "objective");
  lua_pushstring(L, sensitivity::name_of(method));
  lua_setfield(L, -2, "method");
  lua_pushnumber(L, gradient.values[objective]);
  lua_setfield(L, -2, "value");
  lua_pushnumber(L, gradient.seconds);
  lua_setfield(L, -2, "seconds");
  lua_pushnumber(L, gradient.elapsed);
  lua_setfield(L, -2, "elapsed");
  set_names(L, "warnings", gradient.warnings);
  lua_newtable(L);  // by number
  lua_newtable(L);  // by name
  for (std::size_t p = 0; p < over.size(); ++p) {
    const double derivative = gradient.derivatives[objective][p];
    lua_pushnumber(L, derivative);
    lua_rawseti(L, -3, static_cast<lua_Integer>(p) + 1);
    lua_pushnumber(L, derivative);
    lua_setfield(L, -2, engine.parameters()[static_cast<std::size_t>(over[p])].name.c_str());
  }
  refuse_other_names(L);
  lua_setfield(L, -3, "by_name");
  lua_setfield(L, -2, "gradient");
  set_parameter_names(L, engine, over);
}

int gradient_tostring(lua_State* L) {
  require_table(L);
  lua_getfield(L, 1, "value");
  std::string text = "gradient of " + text_field(L, 1, "objective") + " = " + number_text(lua_tonumber(L, -1)) +
                     " by " + text_field(L, 1, "method") + ":";
  const bool is_listed = lua_getfield(L, 1, "parameters") == LUA_TTABLE && lua_getfield(L, 1, "gradient") == LUA_TTABLE;
  const int names = lua_gettop(L) - 1;
  lua_getfield(L, 1, "units");
  const int units = lua_gettop(L);
  for (lua_Integer k = 1;
       is_listed && lua_rawgeti(L, names, k) == LUA_TSTRING && lua_rawgeti(L, names + 1, k) == LUA_TNUMBER; ++k) {
    char number[40];
    std::snprintf(number, sizeof number, "%.10g", lua_tonumber(L, -1));
    text += std::string("  d/d") + lua_tostring(L, -2) + " = " + number;
    if (lua_istable(L, units) && lua_rawgeti(L, units, k) == LUA_TSTRING) {
      const std::optional<model::UnitInSi> unit = model::unit_in_si(lua_tostring(L, -1));
      if (unit && unit->size != 1) text += std::string(" per ") + lua_tostring(L, -1);
    }
    lua_settop(L, units);
  }
  text += warning_lines(L);
  lua_pushstring(L, text.c_str());
  return 1;
}

void set_gradient_texts(lua_State* L) {
  constexpr const char* kind = "perilune.gradient";
  if (luaL_newmetatable(L, kind)) {
    constexpr luaL_Reg functions[] = {
        {"__tostring", guarded<gradient_tostring>}, {"__pretty", guarded<gradient_pretty>}, {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
    lua_pushstring(L, kind);
    lua_setfield(L, -2, "__name");
  }
  lua_setmetatable(L, -2);
}

}  // namespace

void push_gradient(lua_State* L, const model::Model& engine, const std::string& name,
                   const sensitivity::Gradient& gradient, const std::vector<int>& over, std::size_t objective,
                   const sensitivity::Method& method) {
  push_gradient_table(L, engine, name, gradient, over, objective, method);
  set_gradient_texts(L);
}

int simulate(lua_State* L) {
  Args args(L);
  const std::optional<GivenState> from = read_from(args, L, std::nullopt);
  simulation::Problem problem = read_problem(args, L, from ? std::optional(from->t) : std::nullopt);
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "objectives", is_list);
  if (from && problem.start_from == analysis::StartFrom::Rest && args.given("at_rest")) {
    args.fail("give either from or at_rest");
  }
  args.check_all_read();
  if (from) problem.from = std::make_shared<simulation::Start>(simulation::Start{from->q, from->v});
  const ModelPtr& model = args.model();
  simulation::Evaluation run;
  const double start = processor_time();
  {
    ProgressLine line(problem.start, problem.end);
    simulation::Problem shown = problem;
    shown.progress = line.listener();
    run = simulation::evaluate(shown, model->parameter_values());
  }
  const double seconds = processor_time() - start;
  remember(args, L, problem, from.has_value());  // what was refused is not the last simulation
  const integrator::Status status = run.solution.status;
  const std::string message = run.solution.message;
  const integrator::Statistics& work = run.solution.statistics;
  if (is_stiff(work)) {
    run.warnings.push_back("stability, not accuracy, limited " + std::to_string(work.stability_limited) + " of " +
                           std::to_string(work.steps) + " steps: the motion is stiff, and with integrator = " +
                           "mbs.radau {} or mbs.bdf {} it may need far fewer");
  }
  print_warnings(L, run.warnings);
  auto trajectory = std::make_shared<simulation::Trajectory>(model->snapshot(), std::move(problem), std::move(run));
  push_run(L, {model, std::move(trajectory), seconds});
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, run_value);  // m.last_run: kept also when the script never gets the run
  if (status == integrator::Status::Completed) return 1;
  if (status == integrator::Status::Interrupted) throw Interrupted();
  throw NumericalError(message + "\nm.last_run holds the motion so far");
}

int gradient(lua_State* L) {
  Args args(L);
  simulation::Problem problem = read_problem(args, L);
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "objective", is_list);
  const std::vector<int> over = read_parameters(args, L, "over");
  const auto method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  args.check_all_read();
  sensitivity::Gradient result;
  {
    ProgressLine line(problem.start, problem.end);
    simulation::Problem shown = problem;
    shown.progress = line.listener();
    result = sensitivity::gradient(shown, args.model()->parameter_values(), over, method);
  }
  std::vector<int> without_effect;
  for (std::size_t p = 0; p < over.size(); ++p) {
    const bool has_none = std::all_of(result.derivatives.begin(), result.derivatives.end(),
                                      [p](const std::vector<double>& of) { return of[p] == 0; });
    if (has_none) without_effect.push_back(over[p]);
  }
  warn_of_idle_parameters(L, args.engine(), unread(problem, without_effect));
  print_warnings(L, result.warnings);
  if (is_list) lua_newtable(L);
  for (std::size_t k = 0; k < problem.objectives.size(); ++k) {
    push_gradient(L, args.engine(), problem.objectives[k]->name, result, over, k, method);
    if (is_list) lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  return 1;
}

std::vector<Field> with_settings(std::vector<Field> own) {
  static const std::vector<Field> settings = {
      {.name = "t",
       .type = Type::Number,
       .text = "end time, which may follow parameters",
       .unit = "s",
       .fallback = "of the last simulation"},
      {.name = "start", .type = Type::PlainNumber, .text = "start time", .unit = "s", .fallback = "0"},
      {.name = "formulation",
       .type = Type::Formulation,
       .text = "equations of motion",
       .fallback = "mbs.index1 { project = true }; mbs.maggi {} for redundant constraints; mbs.joint_coordinates {} "
                   "for trees and small loops of spatial bodies, and for redundant small loops of planar ones"},
      {.name = "integrator", .type = Type::Integrator, .text = "time steps", .fallback = "mbs.dormand_prince {}"},
      {.name = "independent",
       .type = Type::Names,
       .text = "coordinates that assembly must leave at their declared values",
       .fallback = "{}"},
      {.name = "at_rest",
       .type = Type::Boolean,
       .text = "begins in the equilibrium near the declared positions, with the declared velocities",
       .fallback = "false"},
      {.name = "stop",
       .type = Type::Stop,
       .text = "ends the motion where it becomes zero",
       .unit = "any",
       .fallback = "false: it goes on to t"}};
  own.insert(own.end(), settings.begin(), settings.end());
  return own;
}

std::vector<Field> with_settings_but_end(std::vector<Field> own) {
  std::vector<Field> all = with_settings(std::move(own));
  std::erase_if(all, [](const Field& field) { return field.name == "t" || field.name == "stop"; });
  return all;
}

std::span<const Constructor> experiment_constructors() {
  static const std::string_view example =
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, -9.81} }\n"
      "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
      "local A = m:ground { at = {0, 0} }\n"
      "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
      "m:distance { A, P }\n"
      "local cost = m:objective { \"height\", integral = function(s) return (P.y(s) + 0.5)^2 end }\n"
      "local run = m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-3 } }\n"
      "print(run, run:at(\"P.y\", 0.5))\n"
      "print(m:gradient { cost, method = mbs.adjoint {} })\n"
      "print(m:optimize { minimize = cost, over = { L } })";
  static const std::vector<Constructor> constructors = {
      {.name = "model:objective",
       .object = "objective",
       .summary =
           "Something to be differentiated, minimized or limited: a terminal value, plus an integral over time; or\n"
           "the greatest or the least value that something has at any time, or between from and to. All may\n"
           "read any signal, accelerations and multipliers too, time, and parameters. Adaptive runs that ask for it\n"
           "end steps where a condition (mbs.where), a sign, a maximum or an absolute value in it changes its side,\n"
           "and gradients follow that; fixed steps say so where they go across a jump. Of several peaks the\n"
           "highest counts: to limit each, give each an objective with a window in time. With smooth they all\n"
           "count, the highest most; run.peaks has the extremum itself, and when it is.",
       .naming = Naming::Optional,
       .fields =
           {{.name = "terminal", .type = Type::Integrand, .text = "value at the end of the motion", .unit = "yours"},
            {.name = "integral", .type = Type::Integrand, .text = "integrated over the motion", .unit = "yours, per s"},
            {.name = "maximum",
             .type = Type::Integrand,
             .text = "its greatest value over the motion, also between steps",
             .unit = "yours"},
            {.name = "minimum", .type = Type::Integrand, .text = "its least value, likewise", .unit = "yours"},
            {.name = "from",
             .type = Type::PlainNumber,
             .text = "start of a window in time for maximum or minimum",
             .unit = "s",
             .fallback = "the start"},
            {.name = "to", .type = Type::PlainNumber, .text = "its end", .unit = "s", .fallback = "the end"},
            {.name = "smooth",
             .type = Type::String,
             .text =
                 "a smooth stand-in for the extremum: \"ks\" (Kreisselmeier and Steinhauser) or \"p_norm\" (of the\n"
                 "largest size), as means over the time of the window, which never exceed what they stand for",
             .fallback = "the extremum itself"},
            {.name = "sharpness",
             .type = Type::PlainNumber,
             .text = "of smooth, k or p: the greater, the nearer the extremum, and the shorter the steps",
             .unit = unitless,
             .fallback = "50",
             .range = Range::Positive},
            {.name = "about",
             .type = Type::PlainNumber,
             .text = "about what the extremum is, for smooth: the limit on it",
             .unit = "yours",
             .fallback = "required with smooth"}},
       .example = example,
       .see_also = {"gradient", "optimize"},
       .function = guarded<make_objective>},
      {.name = "model:simulate",
       .object = "simulate",
       .returns = "run",
       .summary = "Assembles the mechanism at its declared positions and integrates its motion. What is not given is\n"
                  "taken from the model's last simulation. m.last_run is the last run, also one that failed or was\n"
                  "interrupted, with the motion so far.",
       .fields = with_settings({{.name = "objectives",
                                 .type = Type::Objective,
                                 .text = "evaluated on the way: run.objectives",
                                 .fallback = "{}"},
                                {.name = "from",
                                 .type = Type::Run,
                                 .text = "a run or an equilibrium at whose end to start",
                                 .fallback = "the declared state"},
                                phases_field()}),
       .example = example,
       .see_also = {"gradient", "values", "penalty", "dormand_prince", "equilibrium", "kinematics"},
       .function = guarded<simulate>},
      {.name = "model:gradient",
       .object = "gradient",
       .returns = "table",
       .summary = "Derivatives of an objective with respect to parameters, as a table: value, gradient (a list in the\n"
                  "order of over), parameters and units (theirs), by_name, method, seconds (of processors), elapsed\n"
                  "(s by the clock). For a list of objectives a list of such tables, from one simulation.",
       .positional = {{.name = "objective", .type = Type::Objective, .text = "of m:objective", .required = true}},
       .fields =
           with_settings({{.name = "over", .type = Type::Parameters, .text = "by which", .fallback = "all parameters"},
                          {.name = "method", .type = Type::Method, .text = "how", .fallback = "mbs.adjoint {}"},
                          phases_field()}),
       .example = example,
       .see_also = {"adjoint", "direct", "finite_difference", "optimize"},
       .function = guarded<gradient>},
      {.name = "model:hessian",
       .object = "hessian",
       .returns = "table",
       .summary =
           "Second derivatives of an objective with respect to parameters, as a table: value, gradient, matrix (a\n"
           "list of rows in the order of over), parameters and units (theirs), objective, seconds. They are exact to\n"
           "rounding. With a direction, a list of one number for each parameter of over, product (the matrix times\n"
           "the direction) instead of matrix, for the cost of about two gradients whatever the number of\n"
           "parameters. The rows of a matrix share the motion and its linearizations, and threads share the rows; a\n"
           "method with intervals shares these. Projected steps have no second derivatives: without a formulation it\n"
           "takes mbs.maggi {}, or mbs.joint_coordinates {} in space, and mbs.index3 {} does not project its\n"
           "velocities here.",
       .positional = {{.name = "objective", .type = Type::Objective, .text = "of m:objective", .required = true}},
       .fields =
           with_settings({{.name = "over", .type = Type::Parameters, .text = "by which", .fallback = "all parameters"},
                          {.name = "direction",
                           .type = Type::Numbers,
                           .text = "a number for each parameter of over",
                           .unit = "theirs"},
                          {.name = "method",
                           .type = Type::Method,
                           .text = "mbs.adjoint {}, with intervals or threads",
                           .fallback = "mbs.adjoint {}"}}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
                  "local k = m:param { \"k\", 50, unit = \"N/m\", min = 0 }\n"
                  "local A, P = m:ground { at = {0, 0} }, m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:spring { A, P, stiffness = k, free_length = L }\n"
                  "local cost = m:objective { \"height\", integral = function(s) return (P.y(s) + 0.5)^2 end }\n"
                  "local second = m:hessian { cost, t = 1, integrator = mbs.rk4 { step = 1e-3 } }\n"
                  "print(second.matrix[1][1], second.matrix[1][2], second.matrix[2][2])",
       .see_also = {"gradient", "adjoint", "optimize"},
       .function = guarded<hessian>},
      {.name = "model:check_gradient",
       .object = "check_gradient",
       .returns = "table",
       .summary = "The gradient of an objective by every method that goes with the motion, and by extrapolated\n"
                  "differences: a printable list of rows with method, value (a list in the order of over),\n"
                  "relative_difference from the first row, and forward_runs (the cost), or with method and failure\n"
                  "(a sentence); its field worst is the largest difference, infinite where a method failed.\n"
                  "Differences are relative to the largest derivative, or where that is nearly zero, as at an\n"
                  "optimum, to the largest with all parameters a thousandth greater. The discrete methods agree to\n"
                  "rounding; the continuous ones differ by the integration error.",
       .positional = {{.name = "objective", .type = Type::Objective, .text = "of m:objective", .required = true}},
       .fields =
           with_settings({{.name = "over", .type = Type::Parameters, .text = "by which", .fallback = "all parameters"},
                          phases_field()}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
                  "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
                  "m:distance { m:ground { at = {0, 0} }, P }\n"
                  "local cost = m:objective { \"height\", integral = function(s) return (P.y(s) + 0.5)^2 end }\n"
                  "local table = m:check_gradient { cost, t = 1, integrator = mbs.rk4 { step = 1e-3 } }\n"
                  "print(table)\n"
                  "assert(table.worst < 1e-6)",
       .see_also = {"gradient", "check_elements", "adjoint", "direct", "finite_difference"},
       .function = guarded<check_gradient>},
  };
  return constructors;
}

}  // namespace perilune::lua
