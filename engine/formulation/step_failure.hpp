// What is said when an implicit step cannot be solved. All throw NumericalError.
#pragma once

namespace perilune::formulation {

[[noreturn]] void fail_singular_step(double t);
/// `correction`: the last one of the accelerations; h: the length of the step.
[[noreturn]] void fail_newton(double t, double h, int iterations, double correction);

}  // namespace perilune::formulation
