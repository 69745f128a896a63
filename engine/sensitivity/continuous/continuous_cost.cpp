// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/continuous_cost.hpp"

namespace perilune::sensitivity {

CostGradient::CostGradient(const System& system)
    : of(system),
      v_rate(of.a.size()),
      a_rate(of.a.size()),
      lambda_rate(of.lambda.size()),
      a_second(of.a.size()),
      lambda_second(of.lambda.size()) {}

CostIntegrands::CostIntegrands(const Problem& problem, CostTerms terms)
    : problem_(problem),
      terms_(terms),
      found_(problem.objectives.size(), Found{CostGradient(*problem.system)}),
      work_(problem),
      of_v_(static_cast<std::size_t>(problem.system->coordinate_count())),
      of_a_(of_v_.size()),
      of_lambda_(static_cast<std::size_t>(problem.system->constraint_count())) {
  w_rate_.resize(of_a_.size() + of_lambda_.size());
  z_.resize(2 * of_a_.size() + static_cast<std::size_t>(problem.system->data_count()));
  for (const auto& objective : problem.objectives) {
    curve_work_.push_back(objective->integral ? objective->integral->make_curve_work()
                                              : std::vector<expr::Taylor2<double>>());
  }
}

const CostGradient& CostIntegrands::at(std::size_t objective, LinearizedMotion& motion, bool with_rates) {
  Found& found = found_[objective];
  CostGradient& gradient = found.gradient;
  if (found.visit == motion.visit() && (found.has_rates || !with_rates)) return gradient;
  found.visit = motion.visit();
  found.has_rates = with_rates;
  gradient.of.clear();
  for (auto* x :
       {&gradient.v_rate, &gradient.a_rate, &gradient.lambda_rate, &gradient.a_second, &gradient.lambda_second}) {
    std::fill(x->begin(), x->end(), 0.0);
  }
  const auto& integral = problem_.objectives[objective]->integral;
  if (!integral) return gradient;
  gradient.of.add(*integral, work_.integral[objective], motion.point(), 1);
  if (with_rates) add_plain_rates(objective, motion, gradient);
  const bool has_more = integral->reads(expr::Quantity::Acceleration) || integral->reads(expr::Quantity::Multiplier);
  if (terms_ == CostTerms::Eliminated && has_more) eliminate(motion, with_rates, gradient);
  return gradient;
}

void CostIntegrands::add_plain_rates(std::size_t objective, LinearizedMotion& motion, CostGradient& gradient) {
  const system::MotionPoint& at = motion.point();
  const Measure& integral = *problem_.objectives[objective]->integral;
  const double* first = motion.rates();
  // Eliminated terms have no second rates of a and lambda: what stands for them then is without effect.
  const bool has_second = terms_ == CostTerms::Plain &&
                          (integral.reads(expr::Quantity::Acceleration) || integral.reads(expr::Quantity::Multiplier));
  const double* second = has_second ? motion.second_rates() : first;
  const system::MotionPoint rate{1, at.v, at.a, first, first + motion.n(), nullptr},
      acceleration{0, at.a, first, second, second + motion.n(), nullptr};
  integral.visit_gradient_along(at, rate, acceleration, curve_work_[objective], 0,
                                [&](expr::Quantity quantity, int index, const expr::Taylor2<double>& slope) {
                                  const auto i = static_cast<std::size_t>(index);
                                  if (quantity == expr::Quantity::Velocity) gradient.v_rate[i] += slope.d;
                                  if (quantity == expr::Quantity::Acceleration) {
                                    gradient.a_rate[i] += slope.d;
                                    gradient.a_second[i] += slope.dd;
                                  }
                                  if (quantity == expr::Quantity::Multiplier) {
                                    gradient.lambda_rate[i] += slope.d;
                                    gradient.lambda_second[i] += slope.dd;
                                  }
                                });
}

void CostIntegrands::eliminate(LinearizedMotion& motion, bool with_rates, CostGradient& gradient) {
  // With R_x^T w = (g_a, g_lambda) for x = (a, lambda): G_y = g_y - R_y^T w for y = q, v, d, and the rate of G_v is
  // g_v' - (R_v')^T w - R_v^T w'.
  const std::size_t n = motion.n(), m = motion.m();
  Dynamics& dynamics = motion.dynamics();
  Seeds& g = gradient.of;
  w_.assign(g.a.begin(), g.a.end());
  w_.insert(w_.end(), g.lambda.begin(), g.lambda.end());
  dynamics.solve_transposed(w_.data());
  dynamics.subtract_partials_transposed(w_.data(), g.z.data());
  std::fill(g.a.begin(), g.a.end(), 0.0);
  std::fill(g.lambda.begin(), g.lambda.end(), 0.0);
  if (!with_rates) return;
  for (auto* x : {&of_v_, &of_a_, &of_lambda_}) std::fill(x->begin(), x->end(), 0.0);
  const system::PointGradient moving{.v = of_v_.data(), .a = of_a_.data(), .lambda = of_lambda_.data()};
  motion.add_rates_transposed(w_.data(), moving);
  for (std::size_t k = 0; k < n; ++k) gradient.v_rate[k] -= of_v_[k];
  for (std::size_t k = 0; k < n; ++k) w_rate_[k] = gradient.a_rate[k] - of_a_[k];
  for (std::size_t k = 0; k < m; ++k) w_rate_[n + k] = gradient.lambda_rate[k] - of_lambda_[k];
  dynamics.solve_transposed(w_rate_.data());
  std::fill(z_.begin(), z_.end(), 0.0);
  dynamics.subtract_partials_transposed(w_rate_.data(), z_.data());
  for (std::size_t k = 0; k < n; ++k) gradient.v_rate[k] += z_[n + k];
  for (auto* x : {&gradient.a_rate, &gradient.lambda_rate, &gradient.a_second, &gradient.lambda_second}) {
    std::fill(x->begin(), x->end(), 0.0);
  }
}

}  // namespace perilune::sensitivity
