// SPDX-License-Identifier: MIT
#include "simulation/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "at_time.hpp"
#include "error.hpp"
#include "simulation/audit.hpp"
#include "simulation/phases.hpp"
#include "simulation/stopper.hpp"

namespace perilune::simulation {

double stop_weight(const Problem& problem, const Evaluation& run, std::size_t objective) {
  const std::optional<integrator::Stop>& stop = run.solution.stop;
  if (!stop) throw NumericalError("the stop condition was not met before the end time, so that nothing depends on it");
  const double weight = stop->objectives[objective] / stop->slope;
  if (!std::isfinite(weight)) {
    throw NumericalError(at_time(run.solution.mesh.t.back()) + "the stop condition \"" + problem.stop->name +
                         "\" touches zero without crossing it: it has no derivatives there");
  }
  return weight;
}

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run) {
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, motion, repeat, quadrature, listeners, run);
}

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run, Keep keep) {
  const std::vector<double>& parameters = run.data->parameters;
  integrator::Options options;
  options.start = problem.start;
  options.end = problem.end;
  options.repeat = repeat;
  options.progress = problem.progress;
  options.keeps_mesh = keep == Keep::Mesh;
  options.end_moves = problem.is_phase;  // since its start does
  std::optional<Stopper> stopper;
  if (problem.stop) options.stop = &stopper.emplace(problem, quadrature, parameters, repeat != nullptr);
  if (!problem.objectives.empty()) {
    options.listeners.push_back(&quadrature);
    options.integrals = &quadrature;
  }
  options.listeners.insert(options.listeners.end(), listeners.begin(), listeners.end());
  std::optional<Audit> audit;
  const bool differentiated =
      std::any_of(listeners.begin(), listeners.end(), [](auto* l) { return l->differentiates(); });
  if (!repeat) {
    options.listeners.push_back(&audit.emplace(motion, problem.formulation, problem.integrator, differentiated));
  }
  run.solution =
      integrate(motion, run.initial.q.data(), run.initial.v.data(), problem.formulation, problem.integrator, options);
  run.values = quadrature.totals();
  for (const integrator::SteppedOver& jump : run.solution.stepped_over) {
    run.warnings.push_back(at_time(jump.t) + "a fixed step went across a jump of " + jump.what +
                           ": the result is off by as much as a step is long, and derivatives do not converge; " +
                           "adaptive steps (mbs.dormand_prince, radau, bdf or rosenbrock without a step) end there");
  }
  for (const std::string& name : motion.system().unfollowed()) {
    run.warnings.push_back("\"" + name + "\" has more conditions, signs or absolute values than are followed (1000): " +
                           "steps go across them unseen, and derivatives know nothing of jumps; mbs.spline makes a " +
                           "smooth table");
  }
  for (const integrator::LetGo& each : run.solution.let_go) {
    run.warnings.push_back(at_time(each.t) + "\"" + each.name +
                           "\" changed its side again and again, each time after a few steps, and was not followed for "
                           "a while: objectives and derivatives may be off; a max_step well below the time between its "
                           "changes has all of them found");
  }
  for (const integrator::ConstraintJump& jump : run.solution.constraint_jumps) {
    run.warnings.push_back(sentence(jump, motion.system()) + "; " + formulation::name_of(problem.formulation) +
                           " gives way to it, and catches up in a time of its own");
  }
  run.integral_errors = quadrature.errors();
  if (audit) {
    run.quality = audit->quality();
    const std::vector<std::string> sentences = audit->warnings();
    run.warnings.insert(run.warnings.end(), sentences.begin(), sentences.end());
  }
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, parameters);
  try {
    for (std::size_t k = 0; k < run.values.size() && run.solution.status == integrator::Status::Completed; ++k) {
      const Objective& objective = *problem.objectives[k];
      if (!objective.terminal) continue;
      auto work = objective.terminal->make_work();
      run.values[k] += checked_value(objective, *objective.terminal, end, work);
    }
  } catch (const NumericalError& failure) {  // the motion itself is worth keeping
    run.solution.status = integrator::Status::Failed;
    run.solution.message = failure.what();
  }
  if (run.solution.status != integrator::Status::Completed) {
    std::fill(run.values.begin(), run.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters, const integrator::Steps* repeat,
                    const std::vector<integrator::StepListener*>& listeners) {
  if (!problem.phases.empty()) return evaluate_phases(problem, parameters);
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  simulate(problem, *motion, repeat, listeners, run);
  return run;
}

}  // namespace perilune::simulation
