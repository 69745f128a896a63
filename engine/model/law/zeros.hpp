// SPDX-License-Identifier: MIT
// Whether a quotient of a law makes sense beyond a condition: what it divides by, where that changes its side.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Whether `divisor` is other than zero where `function` is zero. Both are expressions of the motion; zeros are looked
/// for at random motions of any scale, always the same, with parameters as they are now. False as well where too few
/// are found. That motions of a special kind, or other parameters, bring both zeros together is not seen: a quotient is
/// infinite there, and so no law, while what roots are of may well be zero at a condition.
bool differs_at_zeros(const Model& model, NodeId function, NodeId divisor);

}  // namespace perilune::model
