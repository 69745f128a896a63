// SPDX-License-Identifier: MIT
// Redundant constraints that agree with each other at one value of a parameter alone: where it is another one, nothing
// can be assembled, and there is no derivative.
#pragma once
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// At the start of a run that has redundant constraints: throws NumericalError, naming the constraint and the
/// parameter, where positions that follow one of the parameters `over` hold some constraint no longer to first order,
/// Phi_q q_p + Phi_p != 0, or no velocities v_p do, (Phi')_q q_p + Phi_q v_p + (Phi')_p != 0, of any motion that the
/// mechanism may make there.
void refuse_contradictions(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                           analysis::StartState& start);

}  // namespace perilune::sensitivity
