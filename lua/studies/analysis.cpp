// SPDX-License-Identifier: MIT
// Kinematics, statics, mobility and small motions of a model.
#include <cmath>
#include <cstdio>

#include "analysis/equilibrium.hpp"
#include "analysis/kinematics.hpp"
#include "analysis/mobility.hpp"
#include "analysis/small_motion/linearization.hpp"
#include "at_time.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "processor_time.hpp"
#include "runs/experiment.hpp"
#include "simulation/rolling_limits.hpp"
#include "studies/equilibrium_run.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

std::vector<double> times_of(Args& args) {
  const double start = args.value_of(args.number("start")), end = args.value_of(args.number("t"));
  if (!(end > start)) {
    args.fail("t must be greater than the start, got " + number_text(end) + " and " + number_text(start));
  }
  const bool by_step = args.given("step");
  if (by_step && args.given("points")) args.fail("step and points exclude each other");
  double intervals = 0, step = 0;
  if (by_step) {
    step = args.value_of(args.number("step"));
    if (!(step > 0)) args.fail("step must be positive, got " + number_text(step));
    intervals = std::ceil((end - start) / step * (1 - 1e-12));
  } else {
    args.value("step");
  }
  const int points = args.integer("points");
  if (!by_step && points < 2) args.fail("points must be at least 2, got " + std::to_string(points));
  if (!by_step) intervals = static_cast<double>(points - 1);
  if (intervals > 1e8) args.fail("more than 100 million points");
  if (!by_step) step = (end - start) / intervals;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(intervals) + 1);
  for (double k = 0; k < intervals; ++k) {
    check_interrupt();
    times.push_back(start + k * step);
  }
  times.push_back(end);
  return times;
}

int kinematics(lua_State* L) {
  Args args(L);
  const std::vector<double> times = times_of(args);
  args.check_all_read();
  const ModelPtr& model = args.model();
  simulation::Problem problem;
  problem.system = model->compiled();
  problem.start = times.front();
  problem.end = times.back();
  simulation::Evaluation run;
  run.data = problem.system->make_data(model->parameter_values());
  const double begin = processor_time();
  analysis::KinematicsResult found;
  {
    ProgressLine line(problem.start, problem.end);
    found = analysis::kinematics(problem.system, run.data, times, line.listener());
  }
  const integrator::Status status = found.solution.status;
  const std::string message = found.solution.message;
  run.solution = std::move(found.solution);
  run.initial = std::move(found.initial);
  run.warnings = std::move(found.warnings);
  for (std::string& sentence : simulation::limits_of_driven(*problem.system, *run.data, run.solution.mesh)) {
    run.warnings.push_back(std::move(sentence));
  }
  simulation::Nature nature{
      "kinematic analysis",
      [motion = found.motion](const integrator::Mesh& mesh, double t, double* q, double* v, double* a, double* lambda) {
        motion->between(mesh, t, q, v, a, lambda);
      }};
  print_warnings(L, run.warnings);
  auto trajectory = std::make_shared<simulation::Trajectory>(model->snapshot(), std::move(problem), std::move(run),
                                                             std::move(nature));
  push_run(L, {model, std::move(trajectory), processor_time() - begin, nullptr});
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, run_value);
  if (status == integrator::Status::Completed) return 1;
  if (status == integrator::Status::Interrupted) throw Interrupted();
  throw NumericalError(message + "\nm.last_run holds the motion so far");
}

int equilibrium(lua_State* L) {
  Args args(L);
  const EquilibriumSearch search = read_equilibrium_search(args, L);
  args.check_all_read();
  const ModelPtr& model = args.model();
  const auto system = model->compiled();
  const auto data = data_at(model, *system, search.from);
  const double begin = processor_time();
  const analysis::Equilibrium found =
      analysis::find_equilibrium(system, data, search.independent, search.t, search.wanted);
  std::vector<std::string> warnings;
  const bool is_unstable = found.stability == analysis::Equilibrium::Stability::Unstable;
  if (is_unstable && search.wanted == analysis::Wanted::Stable) {
    warnings.push_back(at_time(search.t) + "the equilibrium that was found is not stable");
  }
  if (!found.state.slip.empty()) warnings.push_back(found.state.slip);
  const RunHandle run =
      equilibrium_run(model, "static equilibrium", search, found, data, warnings, processor_time() - begin);
  print_warnings(L, run.trajectory->run().warnings);
  push_run(L, run);
  return 1;
}

}  // namespace

std::span<const Constructor> analysis_constructors() {
  static const Field independent{.name = "independent",
                                 .type = Type::Names,
                                 .text = "coordinates that assembly must leave at their declared values",
                                 .fallback = "{}"};
  static const auto from = [](std::string_view text) {
    return Field{.name = "from", .type = Type::Run, .text = text, .fallback = "the declared state"};
  };
  static const std::vector<Constructor> constructors = {
      {.name = "model:kinematics",
       .object = "kinematics",
       .returns = "run",
       .summary = "The motion of a mechanism that its drivers determine completely: positions, velocities,\n"
                  "accelerations, and the reactions and drive forces (inverse dynamics). Returns a run, as m:simulate\n"
                  "does; values between its points are solved for, too.",
       .fields = {{.name = "t", .text = "end time, at the parameters' present values", .unit = "s", .required = true},
                  {.name = "start", .text = "start time, likewise", .unit = "s", .fallback = "0"},
                  {.name = "points", .type = Type::Integer, .text = "number of times", .fallback = "101"},
                  {.name = "step",
                   .text = "between two times, in place of points; likewise",
                   .unit = "s",
                   .fallback = "by points",
                   .range = Range::Positive}},
       .equations = "Phi(q, t) = 0, Phi_q v = -Phi_t, Phi_q a = -(Phi_q v)_q v - 2 Phi_qt v - Phi_tt,\n"
                    "Phi_q^T lambda = Q - M a (Schaffer 2005, eqs. 4.15 to 4.19) at every time, by Newton's method",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {3, 4}, mass = 2 }\n"
                  "m:distance { \"left\", m:ground { at = {0, 0} }, P }\n"
                  "m:distance { \"right\", m:ground { at = {6, 0} }, P }\n"
                  "local run = m:kinematics { t = 1, points = 3 }\n"
                  "print(run, run:at(\"P.y\", 0.5), run:at(\"left.lambda\", 1))",
       .see_also = {"simulate", "mobility", "equilibrium"},
       .function = guarded<kinematics>},
      {.name = "model:equilibrium",
       .object = "equilibrium",
       .returns = "run",
       .summary =
           "A position in which the mechanism can rest: all forces and reactions in balance. Sought downhill from\n"
           "the declared state, so that it is stable. Returns a run of one instant with the fields residual\n"
           "(largest force left), newton_iterations and stable; m:simulate { from = ... } starts from it.\n"
           "What rolls rests where one straight step of rolling leads from q0, where the search starts; a warning\n"
           "says so where that is not a way of rolling, as a motion may end elsewhere then.",
       .fields =
           {from("a run at whose end the search starts"),
            {.name = "t", .type = Type::PlainNumber, .text = "time of laws and drivers", .unit = "s", .fallback = "0"},
            {.name = "stable",
             .type = Type::Boolean,
             .text = "false: the nearest equilibrium by Newton's method, stable or not",
             .fallback = "true"},
            independent},
       .equations =
           "Q(q, 0, t) - Phi_q^T lambda = 0, Phi(q, t) = 0, and z' = 0 for first-order states. With constraints\n"
           "on velocities, A v = 0: Q - Phi_q^T lambda - A^T kappa = 0, and A (q - q0) = 0; of Euler parameters the\n"
           "rates of a turn about one axis in the place of their differences.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0.1, -1}, mass = 2 }\n"
                  "m:spring { \"s\", m:ground { at = {0, 0} }, P, stiffness = 100, free_length = 1 }\n"
                  "local rest = m:equilibrium {}\n"
                  "print(rest, rest:at \"P.y\", rest.residual, rest.stable)\n"
                  "print(m:linearize { from = rest })\n"
                  "local run = m:simulate { from = rest, t = 1 }",
       .see_also = {"linearize", "simulate", "equilibrium_path"},
       .function = guarded<equilibrium>},
      {.name = "model:equilibrium_path",
       .object = "equilibrium_path",
       .returns = "path",
       .summary =
           "Equilibria along a parameter, past the loads at which a mechanism or beam snaps through, by pseudo arc\n"
           "length. Returns a printable list of points, each with value (of the parameter), stable (none where that\n"
           "is not known), arc (length of the path) and equilibrium, a run as of m:equilibrium. Points at which the\n"
           "stiffness is singular are found to rounding and have a kind: \"limit\", where the parameter turns back,\n"
           "or \"bifurcation\", where other equilibria branch off; the path goes straight on there, with a warning.\n"
           "The list has special (a list of those), complete (it reached to), reason and warnings, and\n"
           "path:values(signal) has signals along the path. The parameter keeps its value.",
       .fields =
           {{.name = "over",
             .type = Type::Parameters,
             .text = "the parameter, a load or any other number of the model; the path starts at its value",
             .required = true},
            {.name = "to",
             .type = Type::PlainNumber,
             .text = "the path ends where the parameter is here",
             .unit = "of the parameter",
             .required = true},
            {.name = "back_to",
             .type = Type::PlainNumber,
             .text = "or where it comes back to here; a load that turns negative on its way needs room",
             .unit = "of the parameter",
             .fallback = "its value"},
            {.name = "points", .type = Type::Integer, .text = "or after so many", .unit = unitless, .fallback = "200"},
            {.name = "step",
             .type = Type::PlainNumber,
             .text = "longest step, in parts of the way to `to`, of the size of the mechanism, and of a radian",
             .unit = unitless,
             .fallback = "0.05",
             .range = Range::Positive},
            from("a run at whose end the search for the first equilibrium starts"),
            {.name = "t", .type = Type::PlainNumber, .text = "time of laws and drivers", .unit = "s", .fallback = "0"},
            {.name = "stable",
             .type = Type::Boolean,
             .text = "false: start at the nearest equilibrium, stable or not",
             .fallback = "true"},
            independent},
       .equations =
           "Q(q, 0, t; p) - Phi_q^T lambda = 0, Phi(q, t; p) = 0 and t^T W (x - x0) = ds, x = (q, p), along the\n"
           "tangent t (Riks 1979; Keller 1977). Stable where N^T K N is positive definite, Phi_q N = 0, or, with\n"
           "forces that read velocities or have no potential, where small motions are",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"truss\", gravity = {0, 0} }\n"
                  "local P = m:param { \"P\", 0, unit = \"N\" }\n"
                  "local top = m:point { \"top\", at = {0, 0.3}, mass = 1 }\n"
                  "for _, x in ipairs { -1, 1 } do\n"
                  "  m:spring { m:ground { at = {x, 0} }, top, stiffness = 1e3, free_length = 1.09^0.5 }\n"
                  "end\n"
                  "m:force { on = top, law = function() return 0, -P end }\n"
                  "local path = m:equilibrium_path { over = P, to = 20, back_to = -20 }\n"
                  "print(path, path.special[1].kind, path.special[1].value)\n"
                  "print(path:values(top.y)[#path], path[#path].stable)",
       .see_also = {"equilibrium", "linearize", "param"},
       .function = guarded<equilibrium_path>},
      {.name = "model:mobility",
       .object = "mobility",
       .returns = "table",
       .summary =
           "Counts degrees of freedom at the assembled position and names redundant joints. Returns a table that\n"
           "prints: degrees_of_freedom, coordinates, constraints, rank, redundant (a list of joint, count,\n"
           "with), singular_freedoms (that exist only in this singular position), margin (1 is best, 0 is\n"
           "singular), weakest (the joint of the margin); velocity_constraints (of the constraints, those on\n"
           "velocities) and position_freedoms, which these leave alone: a knife can reach any place.",
       .fields = {from("a run, for the position at its end"),
                  {.name = "t", .type = Type::PlainNumber, .text = "time of drivers", .unit = "s", .fallback = "0"},
                  independent},
       .equations =
           "degrees of freedom = coordinates - rank of Phi_q; redundant constraints are linear combinations of\n"
           "those declared before them, by pivoting in the order of declaration",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local door = m:body { \"door\", at = {0.5, 0, 1}, mass = 20, inertia = {6, 8, 2} }\n"
                  "m:revolute { \"lower\", m.ground, door, at = {0, 0, 0}, axis = \"z\" }\n"
                  "m:revolute { \"upper\", m.ground, door, at = {0, 0, 2}, axis = \"z\" }\n"
                  "print(m:mobility {})",
       .see_also = {"kinematics", "penalty"},
       .function = guarded<mobility>},
      {.name = "model:linearize",
       .object = "linearize",
       .returns = "table",
       .summary =
           "Small motions about a state: eigenvalues, natural frequencies, damping ratios and mode shapes of the\n"
           "constrained mechanism. Returns a table that prints: modes (a list of frequency in Hz, damping, real,\n"
           "imaginary, shape and shape_imaginary by coordinate), eigenvalues, degrees_of_freedom,\n"
           "position_freedoms (more, with constraints on velocities), states, stable. A wheel that rolls, a top that\n"
           "precesses: say steady = true, and the eigenvalues are those of who moves along. Constraints on\n"
           "velocities need that, or a state at rest. With over, modes and eigenvalues have derivatives, exact to\n"
           "rounding: modes[1].derivative.k.frequency for a parameter \"k\", and damping, real, imaginary; none, and\n"
           "simple = false, where others have the same eigenvalue. The state moves with the parameters as it is\n"
           "declared, or as the equilibrium does.",
       .fields = {from("a run or an equilibrium"),
                  {.name = "t",
                   .type = Type::PlainNumber,
                   .text = "time within the run, or of the declared state",
                   .unit = "s",
                   .fallback = "end of the run, else 0"},
                  {.name = "steady",
                   .type = Type::Boolean,
                   .text =
                       "the state is of a steady motion: the whole turns about gravity and shifts at constant rates,\n"
                       "bodies spin at constant ones; verified",
                   .fallback = "false"},
                  {.name = "over",
                   .type = Type::Parameters,
                   .text = "parameters by which modes and eigenvalues are differentiated",
                   .fallback = "none"},
                  independent},
       .equations =
           "With an orthonormal basis N of the null space of Phi_q: dq = N x, dv = N x' + P x,\n"
           "Phi_q P = -Phi_q' N, and dv' from the linearized index-1 equations (Zhu 2014, eq. 2.8). With\n"
           "constraints on velocities dv = R y + P x, R of the null space of Phi_q and A. Along a steady motion,\n"
           "q' = D q + d: x' and y' of dq' - D dq and dv' - D dv. For an eigenvalue s:\n"
           "frequency = |s| / (2 pi) in Hz, 0 where s is real; damping ratio = -Re s / |s|. As a pencil P(s) z = 0\n"
           "in all coordinates, with the left vector y: s' = -y^T P' z / (y^T P_s z).",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, -1}, mass = 1 }\n"
                  "m:distance { m:ground { at = {0, 0} }, P }\n"
                  "local c = m:param { \"c\", 0.2, unit = \"N s/m\" }\n"
                  "m:force { \"drag\", on = P, law = function(s) return -c * s.vx, -c * s.vy end }\n"
                  "local small = m:linearize { over = { c } }\n"
                  "print(small, small.modes[1].frequency, small.modes[1].derivative.c.damping)",
       .see_also = {"equilibrium", "simulate", "animate"},
       .function = guarded<linearize>},
  };
  return constructors;
}

}  // namespace perilune::lua
