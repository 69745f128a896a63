// SPDX-License-Identifier: MIT
// Runs of a problem: its start, its motion on a mesh, and the objectives along it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formulation/motion.hpp"
#include "simulation/quadrature.hpp"
#include "simulation/quality.hpp"

namespace perilune::simulation {

using formulation::Motion;

enum class Keep { Mesh, Ends };  // of a run

/// What an impact did (formulation::Impact).
struct ImpactResult {
  std::vector<double> impulses;    // by multipliers of the model, 0 for those that do not act
  double kinetic_energy_lost = 0;  // J
};

/// How one phase of a motion went.
struct PhaseRun {
  std::shared_ptr<const Phase> phase;
  std::shared_ptr<const Data> data;
  std::size_t first = 0, last = 0;  // mesh points of the whole motion; the first is after the impact
  bool is_complete = false;         // it came to its own end
  double start = 0;                 // s
  integrator::Steps steps;
  std::optional<ImpactResult> impact = {};  // that it began with; the first phase has none
};

struct Evaluation {
  std::vector<double> values;  // of the objectives
  integrator::Solution solution;
  analysis::ConsistentState initial;
  std::shared_ptr<const Data> data;
  std::vector<std::string> warnings;          // sentences for the user
  Quality quality;                            // not of runs that are repeated
  std::vector<double> integral_errors;        // of the objectives, as estimated; empty where steps are constant
  std::vector<std::optional<Peak>> peaks;     // of the objectives that are extrema, where they were found
  std::vector<std::optional<Peak>> smoothed;  // the extrema themselves of the objectives that are smooth
  bool has_redundant = false;                 // constraints at its start, in a form that goes with them
  bool has_no_freedom = false;                // at its start
  std::vector<PhaseRun> phases;               // of a motion in phases; `data` and `initial` are those of the first
};

inline system::MotionPoint mesh_point(const integrator::Mesh& mesh, std::size_t k, const std::vector<double>& rho) {
  return {mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k), rho.data()};
}

/// The equations of the initial state.
analysis::StartState start_state(const Problem& problem);

/// Data and consistent initial state at a parameter set: what every run starts from. Throws NumericalError, also
/// where the formulation does not allow redundant constraints.
Evaluation prepare(const Problem& problem, const std::vector<double>& parameters);
/// The same from a state that is consistent.
Evaluation prepare_at(const Problem& problem, std::shared_ptr<const Data> data, std::vector<double> q,
                      std::vector<double> v);

/// Simulates from what `prepare` gave, with the caller's motion and listeners. `repeat`: the steps of another run. A
/// numerical failure on the way is reported in `solution`, and the objectives are NaN then.
void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run);
/// The same with the caller's quadrature, which hears of everything before the other listeners.
void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run, Keep keep = Keep::Mesh);

/// prepare and simulate.
Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters,
                    const integrator::Steps* repeat = nullptr,
                    const std::vector<integrator::StepListener*>& listeners = {});

/// Throws NumericalError when the stop condition was not met.
void require_stop(const Evaluation& run);
/// What a unit of the stop condition is worth to an objective at the end of a run (Schaffer 2005, eq. 4.199): the
/// derivatives of the objective are those of objective - stop_weight * condition at a fixed length of the last step.
/// Throws as require_stop does.
double stop_weight(const Problem& problem, const Evaluation& run, std::size_t objective);

}  // namespace perilune::simulation
