// SPDX-License-Identifier: MIT
// What objectives read of reactions that redundant constraints share.
#pragma once
#include "simulation/run.hpp"

namespace perilune::simulation {

/// Independent coordinates leave redundant constraints out. What these leave open, lambda + y with Phi_q^T y = 0 at q,
/// must not be felt by any objective: throws NumericalError. A sum that two hinges carry is determined.
void require_determined_objectives(const Problem& problem, const Data& data, double t, const double* q);

}  // namespace perilune::simulation
