// SPDX-License-Identifier: MIT
// What the units of parameters say of the expressions that they are in.
#pragma once
#include <array>
#include <optional>

#include "model/model.hpp"

namespace perilune::lua {

/// Powers of kg, m, s, A, K, as in model::UnitInSi. Known of parameters that have a unit, and of their sums, products,
/// quotients and powers. A number may have any: what one multiplies is not known, but for the parameter's own unit.
std::optional<std::array<double, 5>> dimension_of(const model::Model& model, expr::NodeId node);

}  // namespace perilune::lua
