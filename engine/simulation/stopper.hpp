// SPDX-License-Identifier: MIT
// Where a run ends before its time.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "integrator/event/crossing.hpp"
#include "integrator/step_slopes.hpp"
#include "simulation/quadrature.hpp"

namespace perilune::simulation {

/// The condition of a problem, and its objectives at the end of an attempted step.
class Stopper final : public integrator::StopCondition {
 public:
  /// `has_begun`: of a run that is repeated, and only asked for its end. `find`: for conditions on accelerations and multipliers.
  Stopper(const Problem& problem, Quadrature& quadrature, const std::vector<double>& parameters, bool has_begun,
          integrator::FindPoint find)
      : problem_(problem),
        quadrature_(quadrature),
        parameters_(parameters),
        work_(problem.stop->terminal->make_work()),
        search_(*problem.stop->terminal, std::move(find)),
        has_been_negative_(has_begun) {}
  double value(const formulation::Node& x) override {
    double value = checked_value(*problem_.stop, *problem_.stop->terminal, at(x), work_);
    // The last step ends there but for rounding.
    if (problem_.stop->is_end_time && std::abs(value) < 4e-16 * (std::abs(x.t) + std::abs(problem_.start))) value = 0;
    if (!problem_.is_phase || has_been_negative_) return value;
    // Rounding decides about its sign where a phase begins with what ended the one before.
    constexpr double rounding = 1e-12, next_to_zero = -std::numeric_limits<double>::min();
    if (!at_start_) {
      at_start_ = value;
      return std::min(value, next_to_zero);
    }
    has_been_negative_ = value < 0 || *at_start_ < -rounding * value;
    return has_been_negative_ ? value : next_to_zero;
  }
  std::optional<double> crossing(const formulation::Node& start, const formulation::Node& end,
                                 double at_start) override {
    if (problem_.is_phase && !(has_been_negative_ && value(start) < 0)) return std::nullopt;
    sign_.assign(1, at_start < 0 ? -1 : at_start > 0 ? 1 : 0);
    const auto n = static_cast<std::size_t>(problem_.system->coordinate_count());
    const auto found = search_(start, end, n, parameters_.data(), nullptr, sign_);
    return found ? std::optional(found->after) : std::nullopt;
  }
  /// Those of the positions and velocities stand behind those of the objectives.
  std::vector<double> slopes(const integrator::March& march, const integrator::StepSlopes& of_nodes) override {
    const int number = march.plan().end;
    const system::MotionPoint end = at(march.node(number)), of_end = of_nodes[number];
    std::vector<double> out{problem_.stop->terminal->slope(end, 0, of_end)};
    quadrature_.peaks().note_end(of_end);  // which peak is the last is not known yet
    const std::vector<double> of_totals = quadrature_.slopes(march, of_nodes);
    for (std::size_t k = 0; k < problem_.objectives.size(); ++k) {
      const auto& terminal = problem_.objectives[k]->terminal;
      out.push_back(of_totals[k] + (terminal ? terminal->slope(end, 0, of_end) : 0));
    }
    const int n = problem_.system->coordinate_count();
    out.insert(out.end(), of_end.q, of_end.q + n);
    out.insert(out.end(), of_end.v, of_end.v + n);
    return out;
  }

 private:
  system::MotionPoint at(const formulation::Node& x) const {
    return {x.t, x.q, x.v, x.a, x.lambda, parameters_.data()};
  }

  const Problem& problem_;
  Quadrature& quadrature_;
  const std::vector<double>& parameters_;
  std::optional<double> at_start_;  // of a phase
  std::vector<double> work_, sign_;
  integrator::CrossingSearch search_;
  bool has_been_negative_;
};

}  // namespace perilune::simulation
