// SPDX-License-Identifier: MIT
// Forward differentiation of the integrator's own steps, several parameter directions at a time.
#include "sensitivity/discrete/tangent_listener.hpp"
#include "sensitivity/edges_of_run.hpp"
#include "sensitivity/felt_loads.hpp"

namespace perilune::sensitivity {

Gradient discrete_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  const TangentBundle bundle(problem, run, over);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  Quadrature quadrature(problem, run.data->parameters);
  TangentListener listener(problem, *motion, bundle, quadrature, TangentListener::Readers::Objectives);
  simulate(problem, *motion, nullptr, quadrature, {&listener}, run);
  require_complete(run.solution);
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  warn_of_edges(problem, run, over, out.warnings);
  warn_of_loads_behind_events(problem, run, out.warnings);
  out.derivatives = listener.integrals();
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    if (problem.objectives[o]->is_exact_extremum()) out.derivatives[o] = listener.extrema()[o];
  }
  add_terminal(problem, run, bundle, listener.end().z, listener.end().x, out.derivatives);
  return out;
}

}  // namespace perilune::sensitivity
