#include "sensitivity/usual_formulation.hpp"

#include "analysis/assembly.hpp"
#include "analysis/mobility.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

namespace {

bool has_redundant_constraints(const Problem& problem, const std::vector<double>& parameters) {
  try {
    const std::shared_ptr<const Data> data = problem.system->make_data(parameters);
    analysis::Assembly assembly(problem.system, problem.independent);
    const analysis::ConsistentState start = assembly.solve(problem.start, *data);
    return !analysis::mobility(assembly.constraints(), problem.start, *data, start.q).redundant.empty();
  } catch (const NumericalError&) {
    return false;
  }
}

}  // namespace

formulation::Formulation usual_formulation(const Problem& problem, const std::vector<double>& parameters) {
  if (problem.system->constraint_count() == 0) return formulation::Index1{};
  if (!has_redundant_constraints(problem, parameters)) return formulation::Index1{.project = true};
  return formulation::AugmentedLagrangian{.project = true};
}

formulation::Formulation usual_smooth_formulation(const Problem& problem, const std::vector<double>& parameters) {
  if (problem.system->constraint_count() == 0) return formulation::Index1{};
  if (!has_redundant_constraints(problem, parameters)) return formulation::Maggi{};
  return formulation::AugmentedLagrangian{};
}

}  // namespace perilune::sensitivity
