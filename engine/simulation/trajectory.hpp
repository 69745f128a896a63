// SPDX-License-Identifier: MIT
// A finished (or interrupted) analysis: the motion on its mesh, dense output in between, and signals by name.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "format/table.hpp"
#include "model/named_signals.hpp"
#include "simulation/impulses.hpp"
#include "simulation/run.hpp"

namespace perilune::simulation {

/// What an analysis other than a simulation says about its motion.
struct Nature {
  std::string how;  // "kinematic analysis"
  /// Turns interpolated q, v into the exact state at a time, and finds a and lambda.
  std::function<void(const integrator::Mesh& mesh, double t, double* q, double* v, double* a, double* lambda)> complete;
};

class Trajectory {
 public:
  /// `model`: a snapshot of it as it was compiled, which nothing is declared in any more.
  Trajectory(std::shared_ptr<model::Model> model, Problem problem, Evaluation run, Nature nature = {});

  model::Model& model() const { return *model_; }
  const integrator::Solution& solution() const { return run_.solution; }
  const Evaluation& run() const { return run_; }
  const Problem& problem() const { return problem_; }
  /// "penalty, rk4": by which method the motion was found.
  std::string how() const;
  /// It comes from `evaluate`, not from another analysis.
  bool is_simulated() const { return nature_.how.empty(); }
  /// Of the impacts of a motion in phases, by phase.
  const std::vector<std::vector<Impulse>>& impulses() const { return impulses_; }
  const std::vector<double>& times() const { return run_.solution.mesh.t; }

  /// Values of an expression (a signal's node, or any other) at the mesh points. Throws Error where it reads something
  /// that was declared after the run was made.
  std::vector<double> evaluate(expr::NodeId node) const;
  /// The same at given times inside the run, by dense output; accelerations and multipliers are solved for there.
  /// Throws Error for a time outside.
  std::vector<double> evaluate(expr::NodeId node, const std::vector<double>& times) const;

  /// The same for several expressions: a list of values for each of them.
  std::vector<std::vector<double>> evaluate(const std::vector<expr::NodeId>& nodes,
                                            const std::vector<double>& times) const;

  /// Coordinates and velocities at a time inside the run.
  void state(double t, std::vector<double>& q, std::vector<double>& v) const;

  /// Time and the signals as they are shown; at the mesh points, or at `times` if there are any.
  format::Table table(const std::vector<model::ShownSignal>& signals, const std::vector<double>& times = {}) const;
  /// Coordinates and velocities: what a CSV holds when no signal is named.
  std::vector<std::string> default_signals() const;

 private:
  void check_inside(double t) const;
  /// Throws Error where expressions read what this run does not have.
  void check_known(const std::vector<expr::NodeId>& nodes) const;
  /// Interpolation, also where a motion in phases has several points at one time: of them the last.
  void interpolate(double t, double* q, double* v) const;
  /// The phase in which a mesh point, or a time, is; null where there are none.
  const simulation::PhaseRun* phase_of(std::size_t point) const;
  const simulation::PhaseRun* phase_at(double t) const;

  std::shared_ptr<model::Model> model_;
  Problem problem_;
  Evaluation run_;
  Nature nature_;
  std::vector<std::vector<Impulse>> impulses_;
};

}  // namespace perilune::simulation
