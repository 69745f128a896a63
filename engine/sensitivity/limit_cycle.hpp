// SPDX-License-Identifier: MIT
// Periodic motions as fixed points of their return map P: parameters x that the start is made of, and the terminal
// objectives that they come back as. The eigenvalues of dP/dx tell how deviations from the motion grow from one return
// to the next: it is stable where all of them are below 1 in modulus. Other parameters p move the cycle,
//   x(p) = P(x(p), p),  dx/dp = (I - P_x)^-1 P_p,
// and with it what an objective psi(x, p) is of it:
//   dpsi/dp = psi_p + mu^T P_p,  (I - P_x)^T mu = psi_x^T
#pragma once
#include <complex>
#include <vector>

#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

struct LimitCycle {
  std::vector<double> x;                          // P(x) = x
  std::vector<double> jacobian;                   // dP/dx at x, row-major
  std::vector<std::complex<double>> eigenvalues;  // the largest modulus first
  double residual = 0;                            // largest |P(x) - x|, relative to max(1, |x|)
  int iterations = 0;                             // of Newton's method
};

/// By Newton's method from the values of `over` in `parameters`; objective i of the problem is what parameter over[i]
/// comes back as. Throws NumericalError when it does not converge to 1e-10, or what `gradient` throws at the start.
LimitCycle find_limit_cycle(const Problem& problem, const std::vector<double>& parameters,
                            const std::vector<int>& over);

/// Derivatives of objectives of a limit cycle by parameters that it follows; `parameters` are those of one. The first
/// objectives of the problem are what the parameters `x` come back as; values and derivatives are those of the others.
/// `over`: none of x. One call of `gradient` is all it takes. Throws NumericalError where an eigenvalue of the return
/// map is 1, so that the cycle is not the only one nearby.
Gradient limit_cycle_gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& x,
                              const std::vector<int>& over, const Method& method);

}  // namespace perilune::sensitivity
