// SPDX-License-Identifier: MIT
// Robust design by first-order propagation: parameters scatter independently about their values, and what is minimized
// is the cost and some of its standard deviations.
//   sigma^2 = sum of (dpsi/dp_i sigma_i)^2,  d sigma / d rho = H D g / sigma,  with D = diag(sigma_i^2)
// The second derivatives are one product with the Hessian, whatever the number of parameters that scatter.
#pragma once
#include <string>
#include <vector>

#include "studies/experiments.hpp"

namespace perilune::lua {

struct Tolerances {
  std::vector<int> parameters;     // numbers
  std::vector<double> deviations;  // their standard deviations, positive
  double factor = 3;               // how many standard deviations of the cost are added to it

  bool empty() const { return parameters.empty(); }
};

/// The schema's field.
Field tolerances_field();
/// Without the field, none. The factor is the field "deviations".
Tolerances read_tolerances(Args& args, lua_State* L);

/// As gradient_of, where objective 0 is psi + factor sigma. At sigma = 0 it has the derivatives of psi. Throws as
/// hessian_products does.
sensitivity::Gradient robust_gradient(const NamedRun& run, const std::vector<double>& rho,
                                      const std::vector<int>& asked, const sensitivity::Method& method,
                                      const Tolerances& tolerances);

/// How a cost scatters where the parameters do, by normal distributions: the standard deviation by its slope and by its
/// curvature (whose squares add up for a cost without higher derivatives), and the mean's shift.
struct Scatter {
  double first_order = 0, second_order = 0, shift = 0;

  /// Empty where the first order describes it, else a sentence.
  std::string objection() const;
};

/// Sets the fields "nominal", "deviation", "second_order_deviation", "second_order_shift" and "tolerances" (the share
/// of the variance by parameter) of the table on top of the stack, and "by_tolerance", the same as text: for the cost
/// of the run at rho, with a product with the Hessian for each parameter that scatters. `sign`: -1 where the cost is
/// the negative of what the user maximizes.
Scatter set_tolerances(lua_State* L, const model::Model& engine, const NamedRun& run, const std::vector<double>& rho,
                       const Tolerances& tolerances, double sign);

}  // namespace perilune::lua
