// SPDX-License-Identifier: MIT
#include "simulation/usual_formulation.hpp"

#include "analysis/assembly.hpp"
#include "analysis/mobility.hpp"
#include "error.hpp"
#include "formulation/tree/planar_tree.hpp"
#include "formulation/tree/recursion.hpp"

namespace perilune::simulation {

namespace {

/// What decides, where the mechanism begins.
struct Beginning {
  bool is_tree = false;
  analysis::Mobility mobility;
};

Beginning beginning_of(const Problem& problem, const std::vector<double>& parameters, bool asks_for_tree) {
  Beginning out;
  try {
    const std::shared_ptr<const Data> data = problem.system->make_data(parameters);
    analysis::Assembly assembly(problem.system, problem.independent);
    const analysis::ConsistentState start = assembly.solve(problem.start, *data);
    out.is_tree = asks_for_tree && formulation::is_tree(*problem.system, *data, start.q.data());
    if (!out.is_tree) out.mobility = analysis::mobility(assembly.constraints(), problem.start, *data, start.q);
  } catch (const NumericalError&) {
    out.mobility = {};
  }
  return out;
}

formulation::Formulation usual(const Problem& problem, const std::vector<double>& parameters, bool projects) {
  if (std::holds_alternative<integrator::Variational>(problem.integrator)) return formulation::Index3{};
  if (problem.system->constraint_count() == 0) return formulation::Index1{};
  // Recursions serve explicit steps. Phases may leave joints out, and be trees or not. In the plane the other forms are
  // small enough.
  const bool asks_for_tree = integrator::is_explicit(problem.integrator) && problem.phases.empty() &&
                             !formulation::has_planar_bodies(*problem.system);
  const Beginning begins = beginning_of(problem, parameters, asks_for_tree);
  if (begins.is_tree) return formulation::JointCoordinates{};
  if (begins.mobility.singular_freedoms > 0) return formulation::AugmentedLagrangian{.project = projects};
  if (!begins.mobility.redundant.empty() || !projects) return formulation::Maggi{};
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
