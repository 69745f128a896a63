#include <algorithm>
#include <cmath>

#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

Gradient finite_difference(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const FiniteDifference& method) {
  const Evaluation nominal = evaluate(problem, parameters);
  require_complete(nominal.solution);
  const std::size_t objectives = problem.objectives.size();
  Gradient out;
  out.values = nominal.values;
  out.statistics = nominal.solution.statistics;
  out.derivatives.assign(objectives, std::vector<double>(over.size()));
  for (std::size_t p = 0; p < over.size(); ++p) {
    const auto index = static_cast<std::size_t>(over[p]);
    const double full = method.step * std::max(1.0, std::abs(parameters[index]));
    // Row of the extrapolation table, one number per objective and column: error terms h^2, h^4, ... are removed.
    std::vector<std::vector<double>> row;
    for (int level = 0; level <= method.richardson; ++level) {
      const double h = std::ldexp(full, -level);
      auto at = [&](double offset) {
        std::vector<double> moved(parameters);
        moved[index] += offset;
        Evaluation e = evaluate(problem, moved, &nominal.solution.steps);
        require_complete(e.solution);
        return std::pair(moved[index], e.values);
      };
      const auto [x1, above] = at(h);
      const auto [x0, below] = at(-h);
      std::vector<std::vector<double>> next{std::vector<double>(objectives)};
      for (std::size_t k = 0; k < objectives; ++k) next[0][k] = (above[k] - below[k]) / (x1 - x0);
      double factor = 4;
      for (const std::vector<double>& previous : row) {
        std::vector<double> better(objectives);
        for (std::size_t k = 0; k < objectives; ++k) {
          better[k] = (factor * next.back()[k] - previous[k]) / (factor - 1);
        }
        next.push_back(std::move(better));
        factor *= 4;
      }
      row = std::move(next);
    }
    for (std::size_t k = 0; k < objectives; ++k) out.derivatives[k][p] = row.back()[k];
  }
  return out;
}

}  // namespace perilune::sensitivity
