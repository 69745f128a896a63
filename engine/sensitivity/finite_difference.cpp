// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "at_time.hpp"
#include "extrapolation.hpp"
#include "format/text.hpp"
#include "sensitivity/gradient.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

namespace {

/// Whether the start of a motion follows a parameter smoothly: what it changes by below and above the parameter's value
/// has opposite signs but for what is small of a higher order. Assembly that comes to another branch on one side
/// changes it by about as much in all, and by far more than a step of a difference moves what follows it.
class BranchCheck {
 public:
  BranchCheck(const Problem& problem, const Evaluation& nominal, const FiniteDifference& method)
      : system_(problem.phases.empty() ? *problem.system : *problem.phases.front()->system),
        start_(nominal.initial.q),
        visible_(std::sqrt(method.step)) {}

  /// Runs at these values of the parameter, on either side of its own.
  void compare(double lower, const Evaluation& below, double upper, const Evaluation& above) {
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const double down = below.initial.q[i] - start_[i], up = above.initial.q[i] - start_[i];
      const double larger = std::max(std::abs(down), std::abs(up)), relative = larger / (1 + std::abs(start_[i]));
      constexpr double bent = 0.5;
      if (relative <= std::max(visible_, worst_) || std::abs(down + up) <= bent * larger) continue;
      worst_ = relative;
      coordinate_ = i;
      jump_ = std::abs(up) > std::abs(down) ? up : down;
      beyond_ = std::abs(up) > std::abs(down) ? upper : lower;
    }
  }
  /// A sentence about differences by a parameter of this value; empty where there is nothing to say.
  std::string warning(double value) const {
    if (worst_ == 0) return "";
    const auto number = static_cast<int>(coordinate_);
    const std::string& unit = system_.unit(number);
    return "differences go over a jump: at " + format::significant(beyond_, 6) + " in place of " +
           format::significant(value, 6) + ", a parameter has the mechanism assembled into another branch, with \"" +
           system_.coordinate_name(number) + "\" changed by " + format::significant(jump_, 3) +
           (unit.empty() ? "" : " " + unit) +
           "; they are no derivatives: take a smaller step, or mbs.adjoint {} or mbs.direct {}, which stay on the "
           "branch";
  }

 private:
  const system::System& system_;
  const std::vector<double>& start_;
  double visible_, worst_ = 0, jump_ = 0, beyond_ = 0;
  std::size_t coordinate_ = 0;
};

}  // namespace

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
  if (!nominal.solution.own_jumps.empty()) {
    const integrator::OwnJump& jump = nominal.solution.own_jumps.front();
    out.warnings.push_back(at_time(jump.t) + jump.what +
                           " jumps where its law cannot be continued: steps that are repeated do not follow it, and "
                           "differences are no derivatives if a parameter moves it; keep roots, powers and quotients "
                           "in it defined on both sides of the jump");
  }
  out.derivatives.assign(objectives, std::vector<double>(over.size()));
  for (std::size_t p = 0; p < over.size(); ++p) {
    const auto index = static_cast<std::size_t>(over[p]);
    const double full = method.step * std::max(1.0, std::abs(parameters[index]));
    BranchCheck branch(problem, nominal, method);
    const std::vector<double> slope = extrapolated(
        [&](double h) {
          auto at = [&](double offset) {
            std::vector<double> moved(parameters);
            moved[index] += offset;
            Evaluation e = problem.phases.empty() ? evaluate(problem, moved, &nominal.solution.steps)
                                                  : evaluate_phases(problem, moved, &nominal);
            require_complete(e.solution);
            return std::pair(moved[index], std::move(e));
          };
          const auto [x1, above] = at(h);
          const auto [x0, below] = at(-h);
          branch.compare(x0, below, x1, above);
          std::vector<double> central(objectives);
          for (std::size_t k = 0; k < objectives; ++k) central[k] = (above.values[k] - below.values[k]) / (x1 - x0);
          return central;
        },
        full, method.richardson);
    for (std::size_t k = 0; k < objectives; ++k) out.derivatives[k][p] = slope[k];
    const std::string warning = branch.warning(parameters[index]);
    if (!warning.empty()) out.warnings.push_back(warning);
  }
  return out;
}

}  // namespace perilune::sensitivity
