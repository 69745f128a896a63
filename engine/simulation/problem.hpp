// SPDX-License-Identifier: MIT
// One experiment: a system, how it is integrated, and the objectives that are asked of it.
//   psi = w(q, v, a, lambda, rho at t_F) + integral of g(q, v, a, lambda, t, rho) dt,  or the greatest s(q, v, a,
//   lambda, t, rho) of all times, or a smooth stand-in for it
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/start_state.hpp"
#include "formulation/formulation.hpp"
#include "integrator/integrator.hpp"
#include "simulation/peak/smooth_maximum.hpp"
#include "system/measure.hpp"

namespace perilune::simulation {

using system::Data;  // NOLINT(misc-unused-using-decls): for what includes this
using system::Measure;
using system::System;

/// The greatest or the least value that a signal has at any time of a run, or of a window of it.
struct Extremum {
  Measure signal;
  bool is_minimum = false;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  // s
};

struct Objective {
  std::string name;
  std::shared_ptr<const expr::Graph> graph;  // for messages
  std::optional<Measure> terminal, integral;
  /// Of an objective without the other two; or what `smooth`, a function of the integral, stands for.
  std::optional<Extremum> extremum;
  std::optional<SmoothMaximum> smooth;
  std::vector<int> switches;  // of the model, that the integral part or the extremum's signal changes its form with
  /// Of a stop condition: it is t less an expression of parameters, the end time.
  bool is_end_time = false;
  /// Either node may be expr::no_node.
  Objective(std::string name, std::shared_ptr<const expr::Graph> graph, expr::NodeId terminal, expr::NodeId integral);
  Objective(std::string name, std::shared_ptr<const expr::Graph> graph, Extremum extremum);
  /// Of a model that objects may have been removed from: throws Error where the parts read one of these.
  Objective(std::string name, const std::shared_ptr<const model::Model>& model, expr::NodeId terminal,
            expr::NodeId integral);
  bool is_exact_extremum() const { return extremum && !smooth; }
};

/// Value of a measure, or a NumericalError that names the objective and the script line of the operation that failed.
double checked_value(const Objective& objective, const Measure& measure, const system::MotionPoint& at,
                     std::vector<double>& work);

/// A state that a motion starts from in place of the declared one.
struct Start {
  std::vector<double> q, v;
};

/// A parameter, by number, and what it is set to: an expression of time, positions, velocities and parameters.
struct Assignment {
  int parameter = -1;
  Measure value;
  std::string name = {};  // of the parameter
  /// The value must not leave them.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

struct Phase {
  std::string name;
  std::shared_ptr<const System> system;     // the model's, without what does not act in this phase
  std::shared_ptr<const Objective> stop;    // the terminal part: negative at first, zero at the end
  double longest = 0;                       // s, of a phase with a stop; 0: no limit
  bool is_impact = false;                   // of one without: it ends the motion where it is the last
  std::vector<int> anchors = {};            // coordinates of those of contacts that act, in order
  std::optional<Measure> restitution = {};  // of the impact, of parameters; then the phase is over with it
  std::vector<Assignment> set;
};

struct Problem {
  std::shared_ptr<const System> system;
  formulation::Formulation formulation;
  integrator::Integrator integrator;
  double start = 0, end = 1;
  std::vector<int> independent;  // coordinates that keep their declared initial values
  analysis::StartFrom start_from = analysis::StartFrom::Declared;
  std::shared_ptr<const Start> from;  // null: as declared or at rest. Does not depend on parameters
  std::vector<std::shared_ptr<const Objective>> objectives;
  integrator::Progress progress;
  std::shared_ptr<const Objective> stop;  // null, or what ends the run where its terminal part becomes zero
  /// Of a motion in phases (phases.hpp), whose systems are in place of `system`; `stop` is null then.
  std::vector<std::shared_ptr<const Phase>> phases;
  /// This is one of them: `stop` has to be negative before it can become zero.
  bool is_phase = false;
  formulation::Sides sides = {};  // of a phase: those of the switches at the end of the phase before
};

/// When a run ends at the latest (s): `end`, or what its stop condition says where that is an end time. Throws
/// NumericalError where that is not after the start.
double end_of(const Problem& problem, const std::vector<double>& parameters);

/// The first objective that is an extremum over time itself; null if there is none.
const Objective* find_extremum(const Problem& problem);
/// How much of the time of the problem is in the window of an extremum (s). Throws NumericalError where there is none,
/// and where the end follows parameters.
double time_in_window(const Problem& problem, const Objective& objective);

}  // namespace perilune::simulation
