// SPDX-License-Identifier: MIT
// Whether a root, power or quotient of a law makes sense beyond a condition: what it is of, where that changes its side.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Where an operation is defined: of what is not zero, positive, or within -1 and 1.
enum class Domain { NotZero, Positive, Unit };

/// Whether `argument` is within the domain, and not at its edge, where `function` is zero. Both are expressions of the
/// motion; zeros are looked for at random motions of any scale, always the same, with parameters as they are now. False
/// as well where too few are found.
bool is_within_at_zeros(const Model& model, NodeId function, NodeId argument, Domain domain);

}  // namespace perilune::model
