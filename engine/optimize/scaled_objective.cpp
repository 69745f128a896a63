// SPDX-License-Identifier: MIT
#include "optimize/scaled_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// In scaled variables. An objective that falls without end must not take the search to where numbers overflow.
constexpr double out_of_sight = 1e30;

std::string variable(Index i) { return "The optimization variable with index " + std::to_string(i) + " (from 0) "; }

void check(const Problem& problem) {
  const Index n = problem.start.size();
  if (!problem.evaluate) throw Error("The optimization problem has no function to evaluate; set Problem::evaluate.");
  if (n == 0) throw Error("The optimization problem has no variables; give at least one.");
  if (problem.lower.size() != n || problem.upper.size() != n)
    throw Error("The optimization problem has " + std::to_string(n) + " start values but " +
                std::to_string(problem.lower.size()) + " lower and " + std::to_string(problem.upper.size()) +
                " upper bounds; give one of each per variable.");
  for (Index i = 0; i < n; ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    if (!std::isfinite(problem.start[i]))
      throw Error(variable(i) + "starts at a value that is not a finite number; give a finite start.");
    if (std::isnan(lower) || std::isnan(upper))
      throw Error(variable(i) + "has a bound that is not a number; use an infinite bound where there is none.");
    if (lower > upper)
      throw Error(variable(i) + "has the lower bound " + std::to_string(lower) + " above its upper bound " +
                  std::to_string(upper) + "; exchange or correct them.");
    if (lower == infinity || upper == -infinity)
      throw Error(variable(i) + "has no finite value between its bounds; correct the infinite bound.");
  }
}

// The width of the bounds says how far a variable may move, unless it is so wide that it was only meant as "any value";
// then the magnitude of the start says more.
double scale_of(double start, double lower, double upper) {
  const double width = upper - lower, magnitude = std::abs(start);
  const bool bounded = std::isfinite(width) && width > 0;
  double scale = 1;
  if (bounded && width <= 1e3 * std::max(magnitude, 1.0))
    scale = width;
  else if (magnitude > 1e-12)
    scale = magnitude;
  else if (bounded)
    scale = width;
  return std::exp2(std::round(std::log2(std::clamp(scale, 1e-100, 1e100))));
}

}  // namespace

ScaledObjective::ScaledObjective(const Problem& problem, int max_evaluations)
    : problem_(problem), max_evaluations_(max_evaluations), lowest_(infinity) {
  check(problem);
  const Index n = problem.start.size();
  scale_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double start = std::clamp(problem.start[i], problem.lower[i], problem.upper[i]);
    scale_[i] = scale_of(start, problem.lower[i], problem.upper[i]);
  }
  lower_ = problem.lower.cwiseQuotient(scale_);
  upper_ = problem.upper.cwiseQuotient(scale_);
}

VectorXd ScaledObjective::start() const { return project(problem_.start.cwiseQuotient(scale_)); }

VectorXd ScaledObjective::unscaled(const VectorXd& u) const {
  return u.cwiseProduct(scale_).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
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
