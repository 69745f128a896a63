// SPDX-License-Identifier: MIT
#include "sensitivity/discretization_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

namespace {

/// Relative tolerances below this ask for less than rounding leaves.
constexpr double least_tolerance = 1e-13;

void limit_steps(integrator::Integrator& integrator, double longest) {
  std::visit(
      [&](auto& method) {
        if constexpr (requires { method.tolerances; }) {
          method.tolerances.max_step = std::min(method.tolerances.max_step, longest);
        }
      },
      integrator);
}

}  // namespace

integrator::Integrator finer(const integrator::Integrator& integrator, double of_step, double of_tolerances) {
  const double step = integrator::fixed_step(integrator);
  if (step > 0) return integrator::with_step(integrator, of_step * step);
  integrator::Integrator out = integrator;
  std::visit(
      [&](auto& method) {
        if constexpr (requires { method.tolerances; }) {
          integrator::Tolerances& t = method.tolerances;
          const double share = std::max(of_tolerances, std::min(1.0, least_tolerance / t.relative));
          t.relative *= share;
          t.absolute *= share;
          if (t.initial_step > 0) t.initial_step *= share;
        }
      },
      out);
  return out;
}

DiscretizationError discretization_error(const Problem& problem, const std::vector<double>& parameters) {
  const Evaluation run = evaluate(problem, parameters);
  require_complete(run.solution);
  Problem fine = problem;
  fine.integrator = finer(problem.integrator);
  double longest = 0;
  const std::vector<double>& t = run.solution.mesh.t;
  for (std::size_t k = 1; k < t.size(); ++k) longest = std::max(longest, t[k] - t[k - 1]);
  limit_steps(fine.integrator, 0.37 * longest);
  const Evaluation reference = evaluate(fine, parameters);
  require_complete(reference.solution);
  DiscretizationError out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.finer_statistics = reference.solution.statistics;
  out.warnings = run.warnings;
  const integrator::Tolerances* tolerances = integrator::tolerances_of(problem.integrator);
  out.is_rounding = tolerances && tolerances->relative < 30 * least_tolerance;
  if (run.solution.stop.has_value() != reference.solution.stop.has_value()) {
    out.warnings.emplace_back(
        "the stop condition is met by the run or by the one with finer steps, but not by both: the motion touches it "
        "without crossing, and the objectives jump there");
  }
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double steps = static_cast<double>(out.statistics.steps);
  for (std::size_t k = 0; k < out.values.size(); ++k) {
    const double rounding = epsilon * std::sqrt(steps) * std::abs(out.values[k]);
    out.errors.push_back(std::max(std::abs(out.values[k] - reference.values[k]), rounding));
  }
  return out;
}

}  // namespace perilune::sensitivity
