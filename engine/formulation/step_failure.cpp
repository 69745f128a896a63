// SPDX-License-Identifier: MIT
#include "formulation/step_failure.hpp"

#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::formulation {

void fail_singular_step(double t) { throw StepFailure(at_time(t) + "the matrix of the implicit step is singular"); }

void fail_newton(double t, double h, int iterations, double correction) {
  char text[160];
  std::snprintf(text, sizeof text,
                "Newton's method did not converge in %d iterations (last correction %.3g, step %.3g s)", iterations,
                correction, h);
  throw StepFailure(at_time(t) + text);
}

}  // namespace perilune::formulation
