// SPDX-License-Identifier: MIT
// Second derivatives of objectives: the discrete adjoint differentiated along a direction of the parameters
// (forward over reverse), exact to rounding like the gradient itself.
#pragma once
#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

struct HessianProduct {
  std::vector<double> values;                              // of the objectives
  std::vector<std::vector<double>> derivatives, products;  // [objective][parameter]: gradient, Hessian times direction
  integrator::Statistics statistics;
  double seconds = 0;  // processor time
  std::vector<std::string> warnings;
};

/// Empty when the problem has second derivatives as far as is known before it is run (events of adaptive steps are
/// not), else a sentence that says why not and what has. `parameters`: of all.
std::string objection_to_second_derivatives(const Problem& problem, const std::vector<double>& parameters);

/// `over`: parameter numbers; `direction`: a number for each. Costs about two gradients, whatever their number. Throws
/// Error where the formulation has no second derivatives, NumericalError when a simulation does not complete.
HessianProduct hessian_product(const Problem& problem, const std::vector<double>& parameters,
                               const std::vector<int>& over, const std::vector<double>& direction);

}  // namespace perilune::sensitivity
