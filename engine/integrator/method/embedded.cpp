// SPDX-License-Identifier: MIT
// Adaptive Runge-Kutta methods with an embedded error estimate.
#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "integrator/stepping.hpp"
#include "integrator/terms.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::integrator {

namespace {

class EmbeddedEstimator {
 public:
  EmbeddedEstimator(const March& march, const Tableau& tableau, const RungeKuttaPlan& plan)
      : tableau_(tableau),
        plan_(plan),
        n_(static_cast<std::size_t>(march.motion().n())),
        z_(2 * n_ + static_cast<std::size_t>(march.motion().system().data_count())),
        x_(n_ + static_cast<std::size_t>(march.motion().m())),
        extra_(x_.size()) {
    filter_.v_from_a[0] = filter_.q_from_u[0] = tableau.error_filter;
  }

  double operator()(March& march, const Tolerances& tolerances) {
    Terms of_q(n_, z_.data()), of_v(n_, z_.data() + n_);
    const auto add = [&](int node, double weight) {
      if (weight == 0) return;
      of_q.add(march.h() * weight, march.node(node).u);
      of_v.add(march.h() * weight, march.node(node).a);
    };
    add(-1, tableau_.error_start);
    for (std::size_t i = 0; i < tableau_.error.size(); ++i) add(plan_.stage_node[i], tableau_.error[i]);
    of_q.finish();
    of_v.finish();
    // Where nothing is free, the proposals do not count: what drivers do would pass the filter as no error at all.
    const formulation::Choice choice = march.motion().choice();
    if (tableau_.error_filter != 0 && !(choice && choice->empty())) filter(march);
    // Where steps end with a point, their own accelerations do not converge, nor do errors of velocities made of them;
    // but for forms that ask for velocities too, which have rates of their own.
    if (plan_.ends_with_point && !march.motion().has_own_rate())
      std::fill_n(z_.begin() + static_cast<std::ptrdiff_t>(n_), n_, 0.0);
    return error_norm(march, tolerances, z_.data(), z_.data() + n_);
  }

 private:
  /// (I - h gamma J)^-1 is what an implicit step with the weight gamma does to perturbed proposals.
  void filter(March& march) {
    std::fill(z_.begin() + static_cast<std::ptrdiff_t>(2 * n_), z_.end(), 0.0);  // the data do not change
    scale(filter_, march.h(), scaled_);
    const Node start[] = {march.node(-1)};
    march.motion().linearize_group(scaled_, start);
    formulation::TangentNode y{z_.data(), x_.data(), z_.data() + n_, nullptr};
    if (march.motion().has_own_rate()) y = {z_.data(), x_.data(), extra_.data(), extra_.data() + n_};
    const formulation::TangentNode group[] = {y};
    march.motion().tangent_group(scaled_, 1, group);
  }

  const Tableau& tableau_;
  const RungeKuttaPlan& plan_;
  std::size_t n_;
  std::vector<double> z_, x_, extra_;
  Coupling filter_{1}, scaled_{1};
};

/// Whether the step just attempted is as long as an explicit method is stable: its last two stages, both at its end,
/// tell the fastest rate of decay (Hairer & Wanner, Solving Ordinary Differential Equations II, section IV.2).
bool is_at_stability_limit(const March& march, const Tableau& tableau, const RungeKuttaPlan& plan) {
  const auto last = static_cast<std::size_t>(tableau.stages) - 1;
  if (!tableau.is_explicit() || tableau.c[last - 1] != 1) return false;
  const Node &x = march.node(plan.stage_node[last - 1]), &y = march.node(plan.stage_node[last]);
  const auto distance = [n = march.motion().n()](const double* a, const double* b) {
    return (Eigen::Map<const Eigen::VectorXd>(a, n) - Eigen::Map<const Eigen::VectorXd>(b, n)).squaredNorm();
  };
  const double states = distance(y.q, x.q) + distance(y.v, x.v), rates = distance(y.u, x.u) + distance(y.a, x.a);
  return march.h() * march.h() * rates > tableau.nearly_unstable * tableau.nearly_unstable * states;
}

}  // namespace

void run_embedded(Run& run, const Tableau& tableau, const RungeKuttaPlan& plan, const Tolerances& tolerances,
                  double newton_tolerance) {
  StepControl control(run, tolerances, tableau.error_order);
  EmbeddedEstimator estimate(run.march(), tableau, plan);
  const Plan& steps = *run.solution().steps.plans.back();
  while (!control.is_done()) {
    double error = std::numeric_limits<double>::infinity();
    std::string failure;
    try {
      run.march().attempt(steps, control.h(), newton_tolerance);
      error = std::max(estimate(run.march(), tolerances), integral_error(run, tolerances, plan.quadrature_error));
    } catch (const NumericalError& e) {  // a stage left the domain of the equations
      failure = e.what();
    }
    const bool is_limited = is_at_stability_limit(run.march(), tableau, plan);
    if (control.decide(error, failure) && is_limited) ++run.solution().statistics.stability_limited;
  }
}

}  // namespace perilune::integrator
