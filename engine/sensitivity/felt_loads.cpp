// SPDX-License-Identifier: MIT
#include "sensitivity/felt_loads.hpp"

namespace perilune::sensitivity {

static bool is_of_index3(const formulation::Formulation& form) {
  const auto* augmented = std::get_if<formulation::AugmentedLagrangian>(&form);
  return std::holds_alternative<formulation::Index3>(form) || (augmented && augmented->index == 3);
}

void warn_of_loads_behind_events(const Problem& problem, const Evaluation& run, std::vector<std::string>& warnings) {
  if (!problem.system->is_implicit() || run.solution.events.empty() || !is_of_index3(problem.formulation)) return;
  warnings.push_back(
      "forces feel loads or accelerations, such as that of " + problem.system->implicit_element() +
      ", and the run has events, such as that of \"" + run.solution.events.front().name +
      "\": in the steps behind these those of index 3 have not converged, and derivatives may be far off "
      "where values are not; mbs.index2 {} and mbs.maggi {} have them");
}

void warn_of_turning_loads(const Problem& problem, std::vector<std::string>& warnings) {
  if (problem.system->nr().size() == 0) return;
  warnings.push_back(
      "forces feel loads, such as that of " + problem.system->implicit_element() +
      ": second derivatives cannot tell where a load changes its sign within a step, and are wrong there; "
      "where one does, take differences of gradients, or a load_regularization that steps resolve");
}

}  // namespace perilune::sensitivity
