// SPDX-License-Identifier: MIT
// Rosenbrock methods and the plans of their steps.
#pragma once
#include "integrator/plan.hpp"

namespace perilune::integrator {

class Run;
struct Tolerances;

/// Stiffly accurate methods: the increments of the last stage are the difference to the embedded method.
struct RosenbrockMethod {
  formulation::RosenbrockScheme scheme;
  std::vector<double> end;  // weights of the increments at the end of the step
  int error_order = 0;      // the estimate is proportional to h^(error_order + 1)
};
/// RODAS3 (Sandu et al. 1997), order 3(2).
const RosenbrockMethod& rodas3();
/// RODAS (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.10), order 4(3).
const RosenbrockMethod& rodas4();
const RosenbrockMethod& rosenbrock_method(int order);

/// The nodes of a step: the increments of its stages, its middle, its end. The integrals follow from Simpson's rule,
/// of order 4: at the middle the positions of the polynomial of degree 4 that fits positions and velocities at both
/// ends and the accelerations at the start, with its derivative, errors O(h^5) and O(h^4) there.
Plan rosenbrock_plan(const RosenbrockMethod& method, bool projects);

void run_rosenbrock_adaptive(Run& run, const Plan& plan, const RosenbrockMethod& method, const Tolerances& tolerances);

}  // namespace perilune::integrator
