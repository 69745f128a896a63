// SPDX-License-Identifier: MIT
// The plan of a variational step (formulation/absolute/variational_step.hpp). Its rule for integrals is that of the
// discrete Lagrangian: one point between the ends of the step (Ebrahimi 2019, (18)).
#pragma once
#include <string>

#include "integrator/plan.hpp"
#include "system/system.hpp"

namespace perilune::integrator {

Plan variational_plan(double alpha);
/// Empty when the system has a discrete Lagrangian of this kind, else a sentence that says why not and what helps.
std::string objection_to_variational(const system::System& system, double alpha);

}  // namespace perilune::integrator
