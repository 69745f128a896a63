// SPDX-License-Identifier: MIT
// Compares the gradient with a difference of the objective, before an optimization trusts it.
#pragma once
#include <optional>

#include "optimize/scaled_objective.hpp"

namespace perilune::optimize {

/// Compares along one seeded random direction, into which every variable enters whose bounds leave room for it. Costs
/// two evaluations, or three where `start` is at a bound and the comparison is made just inside. Empty if no variable
/// has room, an evaluation failed, or fewer than four evaluations are left. If the user interrupts, `stopped` is set.
std::optional<GradientCheck> check_gradient(ScaledObjective& objective, const Point& start, bool& stopped);

}  // namespace perilune::optimize
