// SPDX-License-Identifier: MIT
#include "optimize/scaled_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"
#include "optimize/variables.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// In scaled variables. An objective that falls without end must not take the search to where numbers overflow.
constexpr double out_of_sight = 1e30;

}  // namespace

ScaledObjective::ScaledObjective(const Problem& problem, int max_evaluations)
    : problem_(problem), max_evaluations_(max_evaluations), lowest_(infinity) {
  if (!problem.evaluate) throw Error("The optimization problem has no function to evaluate; set Problem::evaluate.");
  check_variables(problem.start, problem.lower, problem.upper);
  scale_ = variable_scales(problem.start, problem.lower, problem.upper);
  lower_ = problem.lower.cwiseQuotient(scale_);
  upper_ = problem.upper.cwiseQuotient(scale_);
}

VectorXd ScaledObjective::start() const { return project(problem_.start.cwiseQuotient(scale_)); }

VectorXd ScaledObjective::unscaled(const VectorXd& u) const {
  return u.cwiseProduct(scale_).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
}

Point ScaledObjective::begin() {
  Point first;
  switch (evaluate(start(), first)) {
    case Evaluation::Good:
      break;
    case Evaluation::Failed:
      throw NumericalError(
          std::string("The objective cannot be evaluated at the start of the optimization: it, or its gradient, is "
                      "not finite or its simulation fails there; choose another start.") +
          (last_failure_.empty() ? "" : "\nthe failure: " + last_failure_));
    case Evaluation::Stop:
      throw Interrupted();
  }
  return first;
}

Evaluation ScaledObjective::evaluate(const VectorXd& u, Point& point) {
  if (evaluations_ >= max_evaluations_) {
    stop_reason_ = Reason::EvaluationLimit;
    return Evaluation::Stop;
  }
  const Index n = scale_.size();
  point.u = project(u);
  const VectorXd x = unscaled(point.u);
  if (!x.allFinite() || point.u.lpNorm<Eigen::Infinity>() > out_of_sight) return Evaluation::Failed;
  point.user_gradient = VectorXd::Zero(n);
  ++evaluations_;
  try {
    point.value = problem_.evaluate(x, point.user_gradient);
  } catch (const Interrupted&) {
    stop_reason_ = Reason::Interrupted;
    return Evaluation::Stop;
  } catch (const NumericalError& failure) {
    ++failures_;
    last_failure_ = failure.what();
    return Evaluation::Failed;
  }
  if (point.user_gradient.size() != n)
    throw Error("The objective wrote a gradient with " + std::to_string(point.user_gradient.size()) + " entries for " +
                std::to_string(n) + " optimization variables; write one per variable.");
  point.gradient = point.user_gradient.cwiseProduct(scale_);
  if (!std::isfinite(point.value) || !point.gradient.allFinite()) {
    ++failures_;
    return Evaluation::Failed;
  }
  for (Index i = 0; i < n; ++i)
    if (lower_[i] == upper_[i]) point.gradient[i] = 0;  // keeps fixed variables out of the curvature model
  point.projected_gradient = projected_step(point).lpNorm<Eigen::Infinity>();
  remember(point);
  return Evaluation::Good;
}

void ScaledObjective::remember(const Point& point) {
  if (lowest_ == infinity) first_ = point.value;
  // The comparison is with the lowest value ever seen, so that ties cannot add up to an increase.
  const double noise = noise_of(lowest_);
  const bool lower = lowest_ == infinity || point.value < lowest_ - noise;
  const bool tie = point.value <= std::min(lowest_ + noise, first_);
  if (lower || (tie && point.projected_gradient < best_.projected_gradient)) best_ = point;
  lowest_ = std::min(lowest_, point.value);
}

VectorXd ScaledObjective::projected_step(const Point& point) const {
  return (-point.gradient).cwiseMax(lower_ - point.u).cwiseMin(upper_ - point.u);
}

VectorXd ScaledObjective::along(const VectorXd& origin, const VectorXd& direction, double step) const {
  VectorXd u = project(origin + step * direction);
  for (Index i = 0; i < u.size(); ++i) {
    const double bound = direction[i] > 0 ? upper_[i] : lower_[i];
    if (direction[i] == 0 || !std::isfinite(bound)) continue;
    if (std::abs(bound - u[i]) <= 4 * epsilon * std::max(std::abs(bound), std::abs(origin[i]))) u[i] = bound;
  }
  return u;
}

double ScaledObjective::longest_step(const VectorXd& origin, const VectorXd& direction) const {
  double step = infinity;
  for (Index i = 0; i < origin.size(); ++i) {
    if (direction[i] == 0) continue;
    const double room = direction[i] > 0 ? upper_[i] - origin[i] : lower_[i] - origin[i];
    step = std::min(step, room / direction[i]);
  }
  return step;
}

}  // namespace perilune::optimize
