// SPDX-License-Identifier: MIT
// Whether two models move alike.
#pragma once
#include "fingerprint.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// What its motions depend on but the values of parameters: equal for models whose coordinates, elements, laws and
/// switches were declared in the same order with the same formulas and numbers. Names and places in the script, and
/// what else is in the graph, change nothing.
std::uint64_t fingerprint(const Model& model);

}  // namespace perilune::model
