// SPDX-License-Identifier: MIT
#include "simulation/usual_formulation.hpp"

#include "analysis/assembly.hpp"
#include "analysis/mobility.hpp"
#include "error.hpp"

namespace perilune::simulation {

namespace {

analysis::Mobility mobility_at_start(const Problem& problem, const std::vector<double>& parameters) {
  try {
    const std::shared_ptr<const Data> data = problem.system->make_data(parameters);
    analysis::Assembly assembly(problem.system, problem.independent);
    const analysis::ConsistentState start = assembly.solve(problem.start, *data);
    return analysis::mobility(assembly.constraints(), problem.start, *data, start.q);
  } catch (const NumericalError&) {
    return {};
  }
}

formulation::Formulation usual(const Problem& problem, const std::vector<double>& parameters, bool projects) {
  if (std::holds_alternative<integrator::Variational>(problem.integrator)) return formulation::Index3{};
  if (problem.system->constraint_count() == 0) return formulation::Index1{};
  const analysis::Mobility found = mobility_at_start(problem, parameters);
  if (found.singular_freedoms > 0) return formulation::AugmentedLagrangian{.project = projects};
  if (!found.redundant.empty() || !projects) return formulation::Maggi{};
  return formulation::Index1{.project = true};
}

}  // namespace

formulation::Formulation usual_formulation(const Problem& problem, const std::vector<double>& parameters) {
  return usual(problem, parameters, true);
}

formulation::Formulation usual_smooth_formulation(const Problem& problem, const std::vector<double>& parameters) {
  return usual(problem, parameters, false);
}

}  // namespace perilune::simulation
