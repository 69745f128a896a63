#include "formulation/step_failure.hpp"

#include <cstdio>

#include "error.hpp"

namespace perilune::formulation {

void fail_singular_step(double t) {
  char text[120];
  std::snprintf(text, sizeof text, "at t = %.6g s: the matrix of the implicit step is singular; try a smaller step", t);
  throw NumericalError(text);
}

void fail_newton(double t, double h, int iterations, double correction) {
  char text[160];
  std::snprintf(text, sizeof text,
                "at t = %.6g s: Newton's method did not converge in %d iterations (last correction %.3g, step "
                "%.3g s); try a smaller step",
                t, iterations, correction, h);
  throw NumericalError(text);
}

}  // namespace perilune::formulation
