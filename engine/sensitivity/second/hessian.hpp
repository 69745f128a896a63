// SPDX-License-Identifier: MIT
// Second derivatives of objectives: the discrete adjoint differentiated along directions of the parameters (forward
// over reverse), exact to rounding like the gradient itself.
#pragma once
#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

struct HessianProducts {
  std::vector<double> values;                              // of the objectives
  std::vector<std::vector<double>> derivatives;            // [objective][parameter]: the gradient
  std::vector<std::vector<std::vector<double>>> products;  // [direction][objective][parameter]: Hessian times direction
  integrator::Statistics statistics;
  double seconds = 0;       // processor time of all threads
  long linearizations = 0;  // as of Gradient
  std::vector<std::string> warnings;
};

/// Empty when the problem has second derivatives as far as is known before it is run (events of adaptive steps are
/// not), else a sentence that says why not and what has. `parameters`: of all.
std::string objection_to_second_derivatives(const Problem& problem, const std::vector<double>& parameters);

/// `over`: parameter numbers; `directions`: a number for each of these in each, one at least. They share the motion and
/// the linearizations on the way back, so that one costs about two gradients, and more of them less than one each.
/// Threads and processes share the directions; with intervals (behind the motion, DiscreteAdjoint) they share these,
/// and the transitions that the gradient is found by serve all directions. The same bits for any number of threads.
/// Throws Error where the formulation has no second derivatives and for checkpoints, NumericalError when a simulation
/// does not complete.
HessianProducts hessian_products(const Problem& problem, const std::vector<double>& parameters,
                                 const std::vector<int>& over, const std::vector<std::vector<double>>& directions,
                                 const DiscreteAdjoint& method = {});

}  // namespace perilune::sensitivity
