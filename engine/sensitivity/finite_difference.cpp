// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "extrapolation.hpp"
#include "sensitivity/gradient.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

Gradient finite_difference(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const FiniteDifference& method) {
  const Evaluation nominal = evaluate(problem, parameters);
  require_complete(nominal.solution);
  if (problem.stop && problem.phases.empty()) simulation::require_stop(nominal);
  const std::size_t objectives = problem.objectives.size();
  Gradient out;
  out.values = nominal.values;
  out.statistics = nominal.solution.statistics;
  out.warnings = nominal.warnings;
  out.derivatives.assign(objectives, std::vector<double>(over.size()));
  for (std::size_t p = 0; p < over.size(); ++p) {
    const auto index = static_cast<std::size_t>(over[p]);
    const double full = method.step * std::max(1.0, std::abs(parameters[index]));
    const std::vector<double> slope = extrapolated(
        [&](double h) {
          auto at = [&](double offset) {
            std::vector<double> moved(parameters);
            moved[index] += offset;
            Evaluation e = problem.phases.empty() ? evaluate(problem, moved, &nominal.solution.steps)
                                                  : evaluate_phases(problem, moved, &nominal);
            require_complete(e.solution);
            return std::pair(moved[index], e.values);
          };
          auto [x1, central] = at(h);
          const auto [x0, below] = at(-h);
          for (std::size_t k = 0; k < objectives; ++k) central[k] = (central[k] - below[k]) / (x1 - x0);
          return central;
        },
        full, method.richardson);
    for (std::size_t k = 0; k < objectives; ++k) out.derivatives[k][p] = slope[k];
  }
  return out;
}

}  // namespace perilune::sensitivity
