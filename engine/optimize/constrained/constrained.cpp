// SPDX-License-Identifier: MIT
#include "optimize/constrained/constrained.hpp"

#include <nlopt.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "error.hpp"
#include "optimize/constrained/polish.hpp"
#include "optimize/constrained/scaled_problem.hpp"
#include "optimize/lbfgsb.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_restarts = 20;
constexpr double nearly_stationary = 1e-5;

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

nlopt_algorithm algorithm_of(ConstrainedMethod method) {
  switch (method) {
    case ConstrainedMethod::Slsqp:
      return NLOPT_LD_SLSQP;
    case ConstrainedMethod::Mma:
      return NLOPT_LD_MMA;
    case ConstrainedMethod::Ccsaq:
      return NLOPT_LD_CCSAQ;
    case ConstrainedMethod::AugmentedLagrangian:
      return NLOPT_AUGLAG;
  }
  throw Error("This method of constrained optimization is not known.");
}

class ConstrainedSearch {
 public:
  ConstrainedSearch(const ConstrainedProblem& problem, const ConstrainedOptions& options)
      : problem_(problem), options_(options), scaled_(problem, options) {
    for (Index k = 0; k < scaled_.count(); ++k) {
      const Constraint& c = problem.constraints[static_cast<std::size_t>(k)];
      if (c.lower == c.upper) {
        equalities_.push_back(k);
        continue;
      }
      if (std::isfinite(c.upper)) inequalities_.push_back({k, 1});
      if (std::isfinite(c.lower)) inequalities_.push_back({k, -1});
    }
  }

  ConstrainedResult run() {
    best_ = scaled_.begin();
    result_.initial = scaled_.value_of(best_);
    for (Index k = 0; k < scaled_.count(); ++k) {
      if (!best_.jacobian.row(1 + k).isZero(0)) continue;
      result_.unmoved.push_back(problem_.constraints[static_cast<std::size_t>(k)].name);
    }
    try {
      record(best_);
      search();
      if (!stopped_ && !is_done(best_) && scaled_.is_feasible(best_)) polish_best();
    } catch (const Interrupted&) {
      stopped_ = ConstrainedReason::Interrupted;
    }
    finish();
    return std::move(result_);
  }

 private:
  struct Limit {
    Index constraint;
    double sign;  // of what must not be positive: sign (c - limit)
  };

  void search() {
    if (is_done(best_)) return;
    bool sought_feasible = false;
    for (int round = 0; round < most_restarts && !stopped_; ++round) {
      const JudgedPoint before = best_;
      run_nlopt();
      if (stopped_ || is_done(best_)) return;
      if (scaled_.is_better(best_, before) && gained(before)) continue;
      if (scaled_.is_feasible(best_) || sought_feasible) return;
      sought_feasible = true;
      seek_feasible();
      if (!scaled_.is_feasible(best_)) return;
    }
  }

  void polish_best() {
    const double before = best_.kkt;
    hessian_ = polish(scaled_, options_.kkt, best_);
    if (best_.kkt < before) record(best_);
  }

  bool is_done(const JudgedPoint& point) const { return scaled_.is_feasible(point) && point.kkt <= options_.kkt; }

  bool gained(const JudgedPoint& before) const {
    if (!scaled_.is_feasible(best_)) return best_.violation < 0.9 * before.violation;
    if (!scaled_.is_feasible(before)) return true;
    const double gain = before.values[0] - best_.values[0];
    return gain > 100 * problem_.noise * std::abs(before.values[0]) || best_.kkt < 0.5 * before.kkt;
  }

  void run_nlopt() {
    const auto n = static_cast<unsigned>(scaled_.size());
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> search(nlopt_create(algorithm_of(options_.method), n),
                                                                        &nlopt_destroy);
    search_ = search.get();
    found_at_ = scaled_.evaluations();
    nlopt_set_lower_bounds(search_, scaled_.lower().data());
    nlopt_set_upper_bounds(search_, scaled_.upper().data());
    nlopt_set_min_objective(search_, objective, this);
    const std::vector<double> exact(equalities_.size() + inequalities_.size() + 1, 0.0);
    if (!equalities_.empty()) {
      nlopt_add_equality_mconstraint(search_, static_cast<unsigned>(equalities_.size()), equalities, this,
                                     exact.data());
    }
    if (!inequalities_.empty()) {
      nlopt_add_inequality_mconstraint(search_, static_cast<unsigned>(inequalities_.size()), inequalities, this,
                                       exact.data());
    }
    // Only against a method that goes on asking for what it knows: each new point counts as an evaluation of ours.
    constexpr int most_calls = 1'000'000;
    nlopt_set_maxeval(search_, most_calls);
    constexpr double least_step = 1e-15;
    nlopt_set_xtol_rel(search_, least_step);
    if (options_.method == ConstrainedMethod::AugmentedLagrangian) {
      const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> inner(nlopt_create(NLOPT_LD_LBFGS, n),
                                                                         &nlopt_destroy);
      nlopt_set_xtol_rel(inner.get(), 1e-12);
      nlopt_set_ftol_rel(inner.get(), 1e-14);
      nlopt_set_local_optimizer(search_, inner.get());
    }
    VectorXd u = best_.u;
    double least = 0;
    nlopt_optimize(search_, u.data(), &least);  // how it ends is seen in what it evaluated
    search_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  /// Null where the point cannot be evaluated or the search has to end.
  const JudgedPoint* point_at(const double* x) {
    if (failure_ || stopped_) return nullptr;
    try {
      const VectorXd u = Eigen::Map<const VectorXd>(x, scaled_.size());
      const bool is_new = last_asked_.size() != u.size() || last_asked_ != u;
      if (is_new && scaled_.evaluations_left() == 0) {
        stopped_ = ConstrainedReason::EvaluationLimit;
        nlopt_force_stop(search_);
        return nullptr;
      }
      const JudgedPoint& point = scaled_.at(u);
      last_asked_ = u;
      if (!point.is_good) return nullptr;
      if (is_new) consider(point);
      if (is_done(point) || has_lost_its_way()) nlopt_force_stop(search_);
      return &point;
    } catch (...) {  // must not cross the library's frames
      failure_ = std::current_exception();
      nlopt_force_stop(search_);
      return nullptr;
    }
  }

  /// Noise keeps sequential programming going for ever; the others come to better points by way of worse ones.
  bool has_lost_its_way() const {
    const int patience = 50 + 2 * static_cast<int>(scaled_.size());
    return options_.method == ConstrainedMethod::Slsqp && scaled_.evaluations() - found_at_ > patience;
  }

  void consider(const JudgedPoint& point) {
    if (!scaled_.is_better(point, best_)) return;
    best_ = point;
    found_at_ = scaled_.evaluations();
    record(point);
  }

  void record(const JudgedPoint& point) {
    result_.history.push_back(
        {scaled_.evaluations(), scaled_.value_of(point), point.violation, point.kkt, scaled_.unscaled(point.u)});
    if (options_.on_iteration) options_.on_iteration(result_.history.back());
  }

  static double objective(unsigned, const double* x, double* gradient, void* self) {
    auto& search = *static_cast<ConstrainedSearch*>(self);
    const JudgedPoint* point = search.point_at(x);
    if (gradient) Eigen::Map<VectorXd>(gradient, search.scaled_.size()).setZero();
    if (!point) return HUGE_VAL;  // too long a step: the methods shorten it
    if (gradient) Eigen::Map<VectorXd>(gradient, search.scaled_.size()) = point->jacobian.row(0);
    return point->values[0];
  }

  static void equalities(unsigned count, double* out, unsigned n, const double* x, double* slopes, void* self) {
    auto& search = *static_cast<ConstrainedSearch*>(self);
    const JudgedPoint* point = search.point_at(x);
    for (unsigned i = 0; i < count; ++i) {
      const Index k = search.equalities_[i];
      out[i] = point ? point->values[1 + k] - search.scaled_.most(k) : 0;
      if (slopes) search.write_row(point, k, 1, slopes + static_cast<std::size_t>(i) * n);
    }
  }

  static void inequalities(unsigned count, double* out, unsigned n, const double* x, double* slopes, void* self) {
    auto& search = *static_cast<ConstrainedSearch*>(self);
    const JudgedPoint* point = search.point_at(x);
    for (unsigned i = 0; i < count; ++i) {
      const auto [k, sign] = search.inequalities_[i];
      const double limit = sign > 0 ? search.scaled_.most(k) : search.scaled_.least(k);
      out[i] = point ? sign * (point->values[1 + k] - limit) : 0;
      if (slopes) search.write_row(point, k, sign, slopes + static_cast<std::size_t>(i) * n);
    }
  }

  void write_row(const JudgedPoint* point, Index k, double sign, double* slopes) const {
    Eigen::Map<VectorXd> row(slopes, scaled_.size());
    row.setZero();
    if (point) row = sign * point->jacobian.row(1 + k);
  }

  /// Least squares of what is violated, where linearized constraints contradict each other.
  void seek_feasible() {
    Problem violations;
    violations.start = best_.u;
    violations.lower = scaled_.lower();
    violations.upper = scaled_.upper();
    violations.evaluate = [this](const VectorXd& u, VectorXd& gradient) {
      const JudgedPoint& point = scaled_.at(u);
      if (!point.is_good) return std::nan("");
      consider(point);
      double sum = 0;
      gradient.setZero();
      for (Index k = 0; k < scaled_.count(); ++k) {
        const double excess = scaled_.excess(point, k);
        sum += excess * excess / 2;
        gradient += excess * point.jacobian.row(1 + k).transpose();
      }
      return sum;
    };
    Options options;
    options.projected_gradient = 1e-3 * options_.feasibility;
    options.max_evaluations = scaled_.evaluations_left();
    if (options.max_evaluations < 1) {
      stopped_ = ConstrainedReason::EvaluationLimit;
      return;
    }
    const Result found = minimize(violations, options);
    if (found.reason == Reason::Interrupted) throw Interrupted();
    if (scaled_.evaluations_left() > 0) least_violation_ = scaled_.at(found.x);
    if (found.reason == Reason::EvaluationLimit) stopped_ = ConstrainedReason::EvaluationLimit;
  }

  void finish() {
    result_.x = scaled_.unscaled(best_.u);
    result_.value = scaled_.value_of(best_);
    const VectorXd by_variable = scaled_.variable_scale().cwiseInverse() * scaled_.objective_scale();
    result_.gradient = best_.jacobian.row(0).transpose().cwiseProduct(by_variable);
    result_.values = best_.values.tail(scaled_.count()).cwiseProduct(scaled_.constraint_scale());
    result_.multipliers =
        scaled_.objective_scale() * best_.multipliers.constraints.cwiseQuotient(scaled_.constraint_scale());
    result_.bound_multipliers = best_.multipliers.bounds.cwiseProduct(by_variable);
    for (Index i = 0; i < scaled_.size(); ++i) result_.moving.push_back(!best_.jacobian.col(i).isZero(0));
    result_.kkt = best_.kkt;
    result_.violation = best_.violation;
    result_.evaluations = scaled_.evaluations();
    result_.failures = scaled_.failures();
    result_.reason = reason();
    result_.message = message() + saddle();
  }

  ConstrainedReason reason() {
    if (is_done(best_)) return ConstrainedReason::Stationary;
    if (stopped_) return *stopped_;
    if (!scaled_.is_feasible(best_)) {
      return find_contradiction() ? ConstrainedReason::Infeasible : ConstrainedReason::Stalled;
    }
    return best_.kkt <= nearly_stationary ? ConstrainedReason::NoDecrease : ConstrainedReason::Stalled;
  }

  /// Whether nothing near reduces the violation: what is violated then pushes against constraints and bounds.
  bool find_contradiction() {
    if (!least_violation_.is_good) return false;
    VectorXd push = VectorXd::Zero(scaled_.size());
    double size = 0;
    std::vector<Side> sides = scaled_.constraint_sides(least_violation_);
    std::vector<std::string> names;
    for (Index k = 0; k < scaled_.count(); ++k) {
      const double excess = scaled_.excess(least_violation_, k);
      if (std::abs(excess) <= options_.feasibility) continue;
      sides[static_cast<std::size_t>(k)] = Side::Inside;
      push += excess * least_violation_.jacobian.row(1 + k).transpose();
      size += std::abs(excess) * least_violation_.jacobian.row(1 + k).norm();
      names.push_back(problem_.constraints[static_cast<std::size_t>(k)].name);
    }
    const Multipliers against = multipliers_of(push, least_violation_.jacobian.bottomRows(scaled_.count()), sides,
                                               scaled_.bound_sides(least_violation_));
    constexpr double share = 1e-3;
    if (against.rest.norm() > share * size) return false;
    for (Index k = 0; k < scaled_.count(); ++k) {
      const double part = std::abs(against.constraints[k]) * least_violation_.jacobian.row(1 + k).norm();
      if (part > share * size) names.push_back(problem_.constraints[static_cast<std::size_t>(k)].name);
    }
    for (Index i = 0; i < scaled_.size(); ++i) {
      if (std::abs(against.bounds[i]) <= share * size || scaled_.lower()[i] == scaled_.upper()[i]) continue;
      const auto at = static_cast<std::size_t>(i);
      const std::string name = at < problem_.names.size() ? problem_.names[at] : "variable " + std::to_string(i);
      names.push_back((against.bounds[i] > 0 ? "max of " : "min of ") + name);
    }
    result_.contradicting = names;
    return true;
  }

  std::string worst() const {
    Index worst = 0;
    for (Index k = 0; k < scaled_.count(); ++k) {
      if (std::abs(scaled_.excess(best_, k)) > std::abs(scaled_.excess(best_, worst))) worst = k;
    }
    const double excess = scaled_.excess(best_, worst);
    return "\"" + problem_.constraints[static_cast<std::size_t>(worst)].name + "\" by " +
           short_number(std::abs(excess) * scaled_.constraint_scale()[worst]) +
           (excess > 0 ? " above its limit" : " below its limit");
  }

  std::string message() const {
    const std::string effort =
        " after " + std::to_string(result_.evaluations) + " evaluation" + (result_.evaluations == 1 ? "" : "s");
    const std::string state = "the KKT residual is " + short_number(best_.kkt) +
                              (best_.violation > options_.feasibility ? ", and the point violates " + worst() : "");
    switch (result_.reason) {
      case ConstrainedReason::Stationary:
        return "Converged" + effort + ": " + state + ", within the tolerance " + short_number(options_.kkt) + ".";
      case ConstrainedReason::NoDecrease:
        return "Converged" + effort + ": no step improves the point any more by what its noise leaves to be seen; " +
               state + ".";
      case ConstrainedReason::Infeasible: {
        std::string names;
        for (std::size_t k = 0; k < result_.contradicting.size(); ++k) {
          names += (k == 0 ? "" : k + 1 == result_.contradicting.size() ? " and " : ", ") + result_.contradicting[k];
        }
        return "No feasible point was found" + effort + ": near the best one these contradict each other: " + names +
               "; it violates " + worst() + ". Loosen one of them, or start elsewhere.";
      }
      case ConstrainedReason::EvaluationLimit:
        return "Stopped at the limit of" + effort.substr(6) + ": " + state +
               "; raise max_evaluations to continue from the best point.";
      case ConstrainedReason::Interrupted:
        return "Interrupted" + effort + ": the best point so far is kept; " + state + ".";
      case ConstrainedReason::Stalled:
        return "Stalled" + effort + ": no step improves the point, but " + state +
               (scaled_.failures() > 0
                    ? "; " + std::to_string(scaled_.failures()) +
                          " evaluations failed, so that it may lie at the edge of where the model can be simulated."
                    : "; simulations may be too inexact for smaller steps: tighten their tolerances.");
    }
    return "";
  }

  /// A point that only seems to be a minimum.
  std::string saddle() const {
    if (!hessian_ || hessian_->is_minimum()) return "";
    return " The second derivatives say that it is no minimum: along some direction the objective bends down.";
  }

  const ConstrainedProblem& problem_;
  const ConstrainedOptions& options_;
  ScaledConstrained scaled_;
  std::vector<Index> equalities_;
  std::vector<Limit> inequalities_;
  JudgedPoint best_;
  JudgedPoint least_violation_;  // by its squares; without values where that was not sought
  VectorXd last_asked_;
  int found_at_ = 0;  // evaluations when the best point was found, or the method began
  ConstrainedResult result_;
  std::optional<ReducedHessian> hessian_;  // where the last digits were asked for
  std::optional<ConstrainedReason> stopped_;
  std::exception_ptr failure_;
  nlopt_opt search_ = nullptr;
};

}  // namespace

ConstrainedResult minimize(const ConstrainedProblem& problem, const ConstrainedOptions& options) {
  return ConstrainedSearch(problem, options).run();
}

}  // namespace perilune::optimize
