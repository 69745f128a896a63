// SPDX-License-Identifier: MIT
#include "optimize/constrained/constrained.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "error.hpp"
#include "optimize/constrained/contradiction.hpp"
#include "optimize/constrained/ending_under_limits.hpp"
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
constexpr double simplex_size = 0.1;  // of scaled variables: how far a method without gradients looks at first

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
    case ConstrainedMethod::Cobyla:
      return NLOPT_LN_COBYLA;
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
    highest_ = best_.values[0];
    for (Index k = 0; has_gradients() && k < scaled_.count(); ++k) {
      if (!best_.jacobian.row(1 + k).isZero(0)) continue;
      result_.unmoved.push_back(problem_.constraints[static_cast<std::size_t>(k)].name);
    }
    try {
      record(best_);
      search();
      if (has_gradients() && !stopped_ && !is_done(best_) && scaled_.is_feasible(best_)) polish_best();
    } catch (const Interrupted&) {
      stopped_ = ConstrainedReason::Interrupted;
    }
    finish();
    return std::move(result_);
  }

 private:
  bool has_gradients() const { return takes_gradients(options_.method); }

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
      if (!has_gradients()) {
        // Small simplices may be flat: what a new one of the first size does not better is a minimum.
        if (has_found_alike(before)) return;
        continue;
      }
      if (scaled_.is_better(best_, before) && gained(before)) continue;
      if (scaled_.is_feasible(best_) || sought_feasible) return;
      sought_feasible = true;
      seek_feasible();
      if (!scaled_.is_feasible(best_)) return;
    }
  }

  /// Without gradients: whether a search went no farther than its last steps, and gained no more than noise.
  bool has_found_alike(const JudgedPoint& before) const {
    if (scaled_.is_feasible(before) != scaled_.is_feasible(best_)) return false;
    if ((best_.u - before.u).lpNorm<Eigen::Infinity>() <= 10 * options_.step * simplex_size) return true;
    return scaled_.is_feasible(best_) &&
           before.values[0] - best_.values[0] <= problem_.noise * std::abs(before.values[0]);
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
    nlopt_set_xtol_rel(search_, has_gradients() ? least_step : options_.step);
    if (!has_gradients()) nlopt_set_initial_step1(search_, simplex_size);
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
      highest_ = std::max(highest_, point.values[0]);
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
    if (!point) return search.has_gradients() ? HUGE_VAL : search.beyond_highest();  // too long a step: it is shortened
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

  /// Linear models go through finite values.
  double beyond_highest() const { return highest_ + std::max(1.0, highest_ - best_.values[0]); }

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
    result_.values = best_.values.tail(scaled_.count()).cwiseProduct(scaled_.constraint_scale());
    result_.gradient = VectorXd::Constant(scaled_.size(), std::nan(""));
    result_.bound_multipliers = result_.gradient;
    result_.multipliers = VectorXd::Constant(scaled_.count(), std::nan(""));
    result_.moving.assign(static_cast<std::size_t>(scaled_.size()), 1);
    if (has_gradients()) finish_derivatives();
    result_.kkt = best_.kkt;
    result_.violation = best_.violation;
    result_.reason = reason();
    result_.evaluations = scaled_.evaluations();
    result_.failures = scaled_.failures();
    result_.message = sentence_of(problem_, result_, scaled_, options_, best_, hessian_);
  }

  void finish_derivatives() {
    const VectorXd by_variable = scaled_.variable_scale().cwiseInverse() * scaled_.objective_scale();
    result_.gradient = best_.jacobian.row(0).transpose().cwiseProduct(by_variable);
    result_.multipliers =
        scaled_.objective_scale() * best_.multipliers.constraints.cwiseQuotient(scaled_.constraint_scale());
    result_.bound_multipliers = best_.multipliers.bounds.cwiseProduct(by_variable);
    for (Index i = 0; i < scaled_.size(); ++i)
      result_.moving[static_cast<std::size_t>(i)] = !best_.jacobian.col(i).isZero(0);
  }

  ConstrainedReason reason() {
    if (is_done(best_)) return ConstrainedReason::Stationary;
    if (stopped_) return *stopped_;
    if (!scaled_.is_feasible(best_)) {
      return find_contradiction() ? ConstrainedReason::Infeasible : ConstrainedReason::Stalled;
    }
    if (!has_gradients()) return ConstrainedReason::SmallSteps;
    if (best_.kkt <= nearly_stationary || is_flat_beside_its_surroundings()) return ConstrainedReason::NoDecrease;
    return ConstrainedReason::Stalled;
  }

  /// A search that starts where another has ended: what is left of the gradient is as large as it was at the start, and
  /// is rounding beside what it is elsewhere.
  bool is_flat_beside_its_surroundings() {
    constexpr double away = 0.1;
    VectorXd u = best_.u;
    for (Index i = 0; i < u.size(); ++i) {
      const double far = away * std::max(1.0, std::abs(u[i]));
      u[i] += u[i] + far <= scaled_.upper()[i] ? far : -far;
    }
    const double left = best_.multipliers.rest.lpNorm<Eigen::Infinity>();
    const JudgedPoint& there = scaled_.at(u);
    if (!there.is_good) return false;
    result_.kkt_nearby = left / there.jacobian.row(0).lpNorm<Eigen::Infinity>();
    return result_.kkt_nearby <= nearly_stationary;
  }

  /// Whether nothing near reduces the violation. Without gradients it is only not known how.
  bool find_contradiction() {
    if (!has_gradients()) return scaled_.evaluations() > 1;
    result_.contradicting = contradiction(problem_, scaled_, options_.feasibility, least_violation_);
    return !result_.contradicting.empty();
  }

  const ConstrainedProblem& problem_;
  const ConstrainedOptions& options_;
  ScaledConstrained scaled_;
  std::vector<Index> equalities_;
  std::vector<Limit> inequalities_;
  JudgedPoint best_;
  JudgedPoint least_violation_;  // by its squares; without values where that was not sought
  VectorXd last_asked_;
  double highest_ = 0;  // objective so far
  int found_at_ = 0;    // evaluations when the best point was found, or the method began
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
