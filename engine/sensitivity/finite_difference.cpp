// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "at_time.hpp"
#include "extrapolation.hpp"
#include "format/text.hpp"
#include "sensitivity/gradient.hpp"
#include "simulation/alike_jobs.hpp"
#include "simulation/felt_corners.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

namespace {

/// A run on either side of a parameter's own value.
struct Side {
  double parameter = 0;
  std::vector<double> start, values;  // positions; of the objectives
};

/// Whether the start of a motion follows a parameter smoothly: what it changes by below and above the parameter's value
/// has opposite signs but for what is small of a higher order. Assembly that comes to another branch on one side
/// changes it by about as much in all, and by far more than a step of a difference moves what follows it.
class BranchCheck {
 public:
  BranchCheck(const Problem& problem, const Evaluation& nominal, const FiniteDifference& method)
      : system_(problem.phases.empty() ? *problem.system : *problem.phases.front()->system),
        start_(nominal.initial.q),
        visible_(std::sqrt(method.step)) {}

  void compare(const Side& below, const Side& above) {
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const double down = below.start[i] - start_[i], up = above.start[i] - start_[i];
      const double larger = std::max(std::abs(down), std::abs(up)), relative = larger / (1 + std::abs(start_[i]));
      constexpr double bent = 0.5;
      if (relative <= std::max(visible_, worst_) || std::abs(down + up) <= bent * larger) continue;
      worst_ = relative;
      coordinate_ = i;
      jump_ = std::abs(up) > std::abs(down) ? up : down;
      beyond_ = (std::abs(up) > std::abs(down) ? above : below).parameter;
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

/// The run with other parameters, by the steps of the nominal one. Of its mesh the ends alone are kept: there are many
/// runs at a time.
Evaluation again(const Problem& problem, const std::vector<double>& parameters, const Evaluation& nominal) {
  if (!problem.phases.empty()) return evaluate_phases(problem, parameters, &nominal);
  Evaluation run = simulation::prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  simulation::Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, *motion, &nominal.solution.steps, quadrature, {}, run, simulation::Keep::Ends);
  return run;
}

}  // namespace

Gradient finite_difference(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const FiniteDifference& method) {
  // Steps that are repeated go across the same corners.
  std::optional<simulation::FeltCorners> corners;
  std::vector<integrator::StepListener*> listeners;
  if (problem.phases.empty() && simulation::FeltCorners::are_possible(*problem.system)) {
    listeners.push_back(&corners.emplace(*problem.system));
  }
  const Evaluation nominal = evaluate(problem, parameters, nullptr, listeners);
  require_complete(nominal.solution);
  if (problem.stop && problem.phases.empty()) simulation::require_stop(nominal);
  const std::size_t objectives = problem.objectives.size();
  Gradient out;
  out.values = nominal.values;
  out.statistics = nominal.solution.statistics;
  out.warnings = nominal.warnings;
  if (corners) corners->add_warning(out.warnings);
  if (!nominal.solution.own_jumps.empty()) {
    const integrator::OwnJump& jump = nominal.solution.own_jumps.front();
    out.warnings.push_back(at_time(jump.t) + jump.what +
                           " jumps where its law cannot be continued: steps that are repeated do not follow it, and "
                           "differences are no derivatives if a parameter moves it; keep roots, powers and quotients "
                           "in it defined on both sides of the jump");
  }
  out.derivatives.assign(objectives, std::vector<double>(over.size()));
  Problem silent = problem;  // several go along at once: the first one says how far they are
  silent.progress = nullptr;
  // By parameter, level of the extrapolation, above and below.
  const auto levels = static_cast<std::size_t>(method.richardson) + 1;
  std::vector<Side> sides(over.size() * levels * 2);
  const auto step = [&](std::size_t p) {
    return method.step * std::max(1.0, std::abs(parameters[static_cast<std::size_t>(over[p])]));
  };
  simulation::run_alike_jobs(silent, sides.size(), [&](std::size_t job) {
    const std::size_t p = job / (2 * levels), level = job / 2 % levels;
    const double h = std::ldexp(step(p), -static_cast<int>(level));
    std::vector<double> moved(parameters);
    double& parameter = moved[static_cast<std::size_t>(over[p])];
    parameter += job % 2 == 0 ? h : -h;
    Evaluation e = again(job == 0 ? problem : silent, moved, nominal);
    require_complete(e.solution);
    sides[job] = {parameter, std::move(e.initial.q), std::move(e.values)};
  });
  for (std::size_t p = 0; p < over.size(); ++p) {
    BranchCheck branch(problem, nominal, method);
    const Side* next = &sides[p * levels * 2];
    const auto central = [&](double) {
      const Side &above = *next++, &below = *next++;
      branch.compare(below, above);
      std::vector<double> slopes(objectives);
      for (std::size_t k = 0; k < objectives; ++k) {
        slopes[k] = (above.values[k] - below.values[k]) / (above.parameter - below.parameter);
      }
      return slopes;
    };
    const std::vector<double> slope = extrapolated(central, step(p), method.richardson);
    for (std::size_t k = 0; k < objectives; ++k) out.derivatives[k][p] = slope[k];
    const std::string warning = branch.warning(parameters[static_cast<std::size_t>(over[p])]);
    if (!warning.empty()) out.warnings.push_back(warning);
  }
  return out;
}

}  // namespace perilune::sensitivity
