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

/// `over`: parameter numbers; `direction`: a number for each. Costs about two gradients, whatever their number. Throws
/// Error where the formulation has no second derivatives, NumericalError when a simulation does not complete.
HessianProduct hessian_product(const Problem& problem, const std::vector<double>& parameters,
                               const std::vector<int>& over, const std::vector<double>& direction);

}  // namespace perilune::sensitivity
