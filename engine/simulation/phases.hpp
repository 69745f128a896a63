// SPDX-License-Identifier: MIT
// Motions in phases: the same bodies under other constraints and forces, one phase after the other, with an impact
// between them where constraints set in. A phase
//   takes over time, positions and velocities of the one before,
//   sets parameters to what expressions are in that state (a landing place),
//   lays the anchors of contacts that begin to act where these touch now, without stretch,
//   has the velocities changed by an impact so that all its constraints hold (formulation::Impact), and
//   goes on until its stop condition rises through zero; without one it is over with the impact, but for a last phase
//   that is no mere impact: that one goes on to the end time.
// The motion ends with its last phase, or at the end time.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "formulation/impact.hpp"
#include "model/model.hpp"
#include "simulation/run.hpp"

namespace perilune::simulation {

/// Which elements of a model act in a phase `without` objects of these names, by number: their forces and constraints
/// do not, but what keeps coordinates defined (angles of joints, inertia of states) stays.
std::vector<char> acting_elements(const model::Model& model, const std::vector<std::string>& without);
/// A phase with its name, system and anchors.
Phase phase_without(const model::Model& model, const std::string& name, const std::vector<std::string>& without);

/// For a phase with this system: its numbers of multipliers, and zero in place of what left-out elements would do.
std::optional<Measure> renumbered(const std::optional<Measure>& measure, const System& system);
/// The same for points of the whole motion, which have the multipliers of the model.
Measure in_phase(const Measure& measure, const System& system);

/// Who goes along through the phases, and differentiates them. `own` is what a phase integrates by itself.
class PhaseFollower {
 public:
  virtual ~PhaseFollower() = default;
  /// The system of a phase as it is to be integrated.
  virtual std::shared_ptr<const System> system(const Phase& phase) = 0;
  /// At the start of the motion.
  virtual void begin(const Problem& own, const Evaluation& start) = 0;
  /// At the start of a phase: it is about to set its parameters to values with these work arrays.
  virtual void set(const Phase& phase, std::vector<std::vector<double>> works) = 0;
  /// These coordinates, first-order states, are zero from now on.
  virtual void reset(const std::vector<int>& states) = 0;
  /// It has its data.
  virtual void enter(const Problem& own, const std::shared_ptr<const Data>& data) = 0;
  /// Its impact has been computed.
  virtual void strike(std::unique_ptr<formulation::Impact> impact) = 0;
  /// Hears of its steps. Where the end time ends a phase whose start moves with the parameters, another one hears of
  /// the same steps once more, of which the last ends at the stop condition "end time": it takes up the difference.
  virtual integrator::StepListener& listener(const Problem& own, const std::shared_ptr<Motion>& motion,
                                             Quadrature& quadrature) = 0;
  /// It went to its stop; `own` has none where neither of its ends moves.
  virtual void finish(const Problem& own, const Evaluation& run) = 0;
  /// At the end of the whole motion: the terminal part of an objective was evaluated into `work`.
  virtual void add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                            std::vector<double>& work) = 0;
};

/// The whole motion in one mesh, with the multipliers of the model: zero where they do not act. Mesh times repeat from
/// phase to phase.
/// `repeat`: another run, whose steps the phases go through again.
Evaluation evaluate_phases(const Problem& problem, const std::vector<double>& parameters,
                           const Evaluation* repeat = nullptr, PhaseFollower* follower = nullptr);

}  // namespace perilune::simulation
