// SPDX-License-Identifier: MIT
// The optimizer of m:optimize, and what it asks of the motion.
#pragma once
#include "studies/minimization.hpp"

namespace perilune::lua {

/// The field "optimizer", or the usual one: one that goes with the limits, the experiments and the tolerances, or
/// Error.
Optimizer read_optimizer(Args& args, lua_State* L, const Minimization& task);

/// Where the optimizer or tolerances need second derivatives of the cost: takes a formulation that has them unless the
/// script chose one. Error where there are none.
void ensure_second_derivatives(const Args& args, const Optimizer& optimizer, Minimization& task, bool has_formulation);

}  // namespace perilune::lua
