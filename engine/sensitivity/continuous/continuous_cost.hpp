// SPDX-License-Identifier: MIT
// Gradients of the integrands g of the objectives along a motion, and their time derivatives, as the continuous adjoint
// equations want them: plain, with respect to q, v, a and lambda; or eliminated, G_x = g_x + g_a a_x + g_lambda
// lambda_x for x = q, v and the data, with a and lambda as functions of these (Zhu 2014, eqs. 3.64 to 3.66).
#pragma once
#include <vector>

#include "sensitivity/continuous/continuous_motion.hpp"
#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

enum class CostTerms { Plain, Eliminated };

/// Of one integrand at one point. Eliminated terms leave a and lambda, and everything below them, zero.
struct CostGradient {
  Seeds of;                                         // g_q, g_v, g_d stacked; g_a, g_lambda; explicit parameters
  std::vector<double> v_rate, a_rate, lambda_rate;  // first time derivatives
  std::vector<double> a_second, lambda_second;      // second ones
  explicit CostGradient(const System& system);
};

class CostIntegrands {
 public:
  CostIntegrands(const Problem& problem, CostTerms terms);

  /// At the point where the motion stands; with the time derivatives if `with_rates`.
  const CostGradient& at(std::size_t objective, LinearizedMotion& motion, bool with_rates);

 private:
  void add_plain_rates(std::size_t objective, LinearizedMotion& motion, CostGradient& gradient);
  /// From plain to eliminated terms.
  void eliminate(LinearizedMotion& motion, bool with_rates, CostGradient& gradient);

  struct Found {
    CostGradient gradient;
    long visit = 0;  // of the motion
    bool has_rates = false;
  };

  const Problem& problem_;
  CostTerms terms_;
  std::vector<Found> found_;  // per objective, where the motion stood last
  ObjectiveWork work_;
  std::vector<std::vector<expr::Taylor2<double>>> curve_work_;
  std::vector<double> w_, w_rate_, of_v_, of_a_, of_lambda_, z_;
};

}  // namespace perilune::sensitivity
