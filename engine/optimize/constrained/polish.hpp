// SPDX-License-Identifier: MIT
// The last digits of a constrained minimum, which values do not show any more but gradients do.
#pragma once
#include <functional>
#include <optional>

#include "optimize/constrained/scaled_problem.hpp"

namespace perilune::optimize {

/// Second derivatives of the Lagrangian along the directions that active constraints and bounds leave.
struct ReducedHessian {
  double least = 0, most = 0;  ///< eigenvalues, per scales of the variables and the objective
  bool is_minimum() const { return least > 0; }
};

/// Newton's method on the first-order conditions with the active constraints of `point` held, its second derivatives by
/// central differences of gradients: two evaluations for every direction that is left. `point` becomes better by its
/// KKT residual and stays feasible, or as it is. Empty where more directions are left than evaluations, or none.
std::optional<ReducedHessian> polish(ScaledConstrained& problem, double kkt, JudgedPoint& point);

}  // namespace perilune::optimize
