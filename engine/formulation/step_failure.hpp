// SPDX-License-Identifier: MIT
// What is said when a step cannot be made as long as it is.
#pragma once
#include "error.hpp"

namespace perilune::formulation {

/// A shorter step may succeed where this was thrown.
class StepFailure : public NumericalError {
 public:
  using NumericalError::NumericalError;
};

[[noreturn]] void fail_singular_step(double t);
/// `correction`: the last one of the accelerations; h: the length of the step.
[[noreturn]] void fail_newton(double t, double h, int iterations, double correction);

}  // namespace perilune::formulation
