// SPDX-License-Identifier: MIT
#include "optimize/constrained/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "optimize/sentences.hpp"
#include "optimize/variables.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void check_constraints(const ConstrainedProblem& problem, const ConstrainedOptions& options) {
  if (!problem.evaluate) throw Error("The optimization problem has no function to evaluate; set evaluate.");
  if (!(options.kkt >= 0) || !(options.feasibility > 0))
    throw Error("The tolerances of the optimizer must be positive; set kkt and feasibility.");
  if (!(options.step > 0 && options.step < 1))
    throw Error("The last step of the optimizer must be between 0 and 1; set step.");
  if (options.max_evaluations < 1) throw Error("The optimizer needs at least one evaluation; raise max_evaluations.");
  Index equalities = 0, movable = 0;
  for (const Constraint& c : problem.constraints) {
    if (std::isnan(c.lower) || std::isnan(c.upper) || c.lower > c.upper)
      throw Error("The constraint \"" + c.name + "\" has no value between its limits; correct min and max.");
    if (std::isinf(c.lower) && std::isinf(c.upper))
      throw Error("The constraint \"" + c.name + "\" has no limit; give max, min or equals.");
    if (!(c.scale >= 0) || std::isinf(c.scale))
      throw Error("The scale of the constraint \"" + c.name + "\" must be positive and finite.");
    equalities += c.lower == c.upper;
  }
  for (Index i = 0; i < problem.start.size(); ++i) movable += problem.lower[i] < problem.upper[i];
  if (equalities > movable)
    throw Error("There are " + plural(equalities, "equality constraint") + " for " + plural(movable, "variable") +
                " that can move; free more parameters, or give limits in place of equals.");
  if (equalities > 0 && (options.method == ConstrainedMethod::Mma || options.method == ConstrainedMethod::Ccsaq))
    throw Error("The methods of moving asymptotes, mma and ccsaq, take no equality constraints; take slsqp.");
}

}  // namespace

ScaledConstrained::ScaledConstrained(const ConstrainedProblem& problem, const ConstrainedOptions& options)
    : problem_(problem), options_(options) {
  check_variables(problem.start, problem.lower, problem.upper);
  check_constraints(problem, options);
  scale_ = variable_scales(problem.start, problem.lower, problem.upper);
  lower_ = problem.lower.cwiseQuotient(scale_);
  upper_ = problem.upper.cwiseQuotient(scale_);
  constraint_scale_ = VectorXd::Ones(count());
}

double ScaledConstrained::least(Index k) const {
  return problem_.constraints[static_cast<std::size_t>(k)].lower / constraint_scale_[k];
}

double ScaledConstrained::most(Index k) const {
  return problem_.constraints[static_cast<std::size_t>(k)].upper / constraint_scale_[k];
}

double ScaledConstrained::excess(const JudgedPoint& point, Index k) const {
  const double c = point.values[1 + k];
  return c > most(k) ? c - most(k) : c < least(k) ? c - least(k) : 0;
}

VectorXd ScaledConstrained::unscaled(const VectorXd& u) const {
  return u.cwiseProduct(scale_).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
}

const JudgedPoint& ScaledConstrained::begin() {
  evaluate(problem_.start.cwiseQuotient(scale_));
  if (!last_.is_good) {
    for (Index k = 0; k < std::min(count(), last_.values.size() - 1); ++k) {
      if (std::isfinite(last_.values[1 + k])) continue;
      throw NumericalError("The constraint \"" + problem_.constraints[static_cast<std::size_t>(k)].name +
                           "\" is not a finite number at the start of the optimization; choose another start.");
    }
    throw NumericalError(
        "The problem cannot be evaluated at the start of the optimization: a value, or its gradient, "
        "is not finite or its simulation fails there; choose another start." +
        (last_failure_.empty() ? "" : "\nthe failure: " + last_failure_));
  }
  find_scales();
  judge();
  return last_;
}

/// The functions as large as what the variables do to them at the start, so that the methods' curvature begins right.
void ScaledConstrained::find_scales() {
  const auto size_of = [&](Index row) { return last_.jacobian.row(row).lpNorm<Eigen::Infinity>(); };
  objective_scale_ = size_of(0) > 0 ? size_of(0) : std::max(std::abs(last_.values[0]), 1.0);
  // Without gradients the values at the start are all that is known.
  const bool has_gradients = takes_gradients(options_.method);
  if (!has_gradients && last_.values[0] != 0) objective_scale_ = std::abs(last_.values[0]);
  for (Index k = 0; k < count(); ++k) {
    const Constraint& c = problem_.constraints[static_cast<std::size_t>(k)];
    double size = c.scale;
    if (size == 0) {
      size = size_of(1 + k);
      for (const double limit : {c.lower, c.upper}) size = std::max(size, std::isfinite(limit) ? std::abs(limit) : 0);
      if (size == 0 && !has_gradients) size = std::abs(last_.values[1 + k]);
    }
    constraint_scale_[k] = size > 0 ? size : 1;
    last_.values[1 + k] /= constraint_scale_[k];
    last_.jacobian.row(1 + k) /= constraint_scale_[k];
  }
  last_.values[0] /= objective_scale_;
  last_.jacobian.row(0) /= objective_scale_;
  start_gradient_ = size_of(0);
}

const JudgedPoint& ScaledConstrained::at(const VectorXd& u) {
  const VectorXd wanted = u.cwiseMax(lower_).cwiseMin(upper_);
  if (last_.u.size() == wanted.size() && last_.u == wanted) return last_;
  evaluate(wanted);
  if (last_.is_good) judge();
  return last_;
}

void ScaledConstrained::evaluate(const VectorXd& u) {
  last_ = {};
  last_.u = u.cwiseMax(lower_).cwiseMin(upper_);
  VectorXd values = VectorXd::Zero(1 + count());
  const bool has_gradients = takes_gradients(options_.method);
  MatrixXd jacobian = has_gradients ? MatrixXd::Zero(1 + count(), size()) : MatrixXd();
  const VectorXd x = unscaled(last_.u);
  if (!x.allFinite()) return;
  ++evaluations_;
  try {
    problem_.evaluate(x, values, jacobian);
  } catch (const NumericalError& failure) {
    ++failures_;
    last_failure_ = failure.what();
    return;
  }
  last_.is_good = values.allFinite() && jacobian.allFinite();
  failures_ += !last_.is_good;
  if (!has_gradients) jacobian = MatrixXd::Zero(1 + count(), size());
  last_.values = values;
  last_.jacobian = jacobian * scale_.asDiagonal();
  for (Index i = 0; i < size(); ++i) {
    if (lower_[i] == upper_[i]) last_.jacobian.col(i).setZero();
  }
  last_.values[0] /= objective_scale_;
  last_.jacobian.row(0) /= objective_scale_;
  last_.values.tail(count()).array() /= constraint_scale_.array();
  for (Index k = 0; k < count(); ++k) last_.jacobian.row(1 + k) /= constraint_scale_[k];
}

std::vector<Side> ScaledConstrained::constraint_sides(const JudgedPoint& point) const {
  const double near = 10 * options_.feasibility;
  std::vector<Side> sides;
  for (Index k = 0; k < count(); ++k) {
    const double c = point.values[1 + k];
    sides.push_back(least(k) == most(k)    ? Side::Fixed
                    : c >= most(k) - near  ? Side::AtUpper
                    : c <= least(k) + near ? Side::AtLower
                                           : Side::Inside);
  }
  return sides;
}

std::vector<Side> ScaledConstrained::bound_sides(const JudgedPoint& point) const {
  std::vector<Side> sides;
  for (Index i = 0; i < size(); ++i) {
    const double near = 1e-9 * std::max(1.0, std::abs(point.u[i]));
    sides.push_back(lower_[i] == upper_[i]           ? Side::Fixed
                    : point.u[i] >= upper_[i] - near ? Side::AtUpper
                    : point.u[i] <= lower_[i] + near ? Side::AtLower
                                                     : Side::Inside);
  }
  return sides;
}

void ScaledConstrained::judge() {
  last_.violation = 0;
  for (Index k = 0; k < count(); ++k) last_.violation = std::max(last_.violation, std::abs(excess(last_, k)));
  if (!takes_gradients(options_.method)) {
    last_.kkt = std::nan("");
    return;
  }
  const VectorXd gradient = last_.jacobian.row(0);
  last_.multipliers =
      multipliers_of(gradient, last_.jacobian.bottomRows(count()), constraint_sides(last_), bound_sides(last_));
  const double size = std::max(gradient.lpNorm<Eigen::Infinity>(), start_gradient_);
  last_.kkt = size > 0 ? last_.multipliers.rest.lpNorm<Eigen::Infinity>() / size : 0;
}

bool ScaledConstrained::is_better(const JudgedPoint& a, const JudgedPoint& b) const {
  if (!is_feasible(a) || !is_feasible(b)) return a.violation < b.violation;
  const double noise = problem_.noise * std::max(std::abs(a.values[0]), std::abs(b.values[0]));
  if (std::abs(a.values[0] - b.values[0]) > noise) return a.values[0] < b.values[0];
  return a.kkt < b.kkt;
}

}  // namespace perilune::optimize
