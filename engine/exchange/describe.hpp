// SPDX-License-Identifier: MIT
// What there is to tell of a plant that has started, by the names of its model.
#pragma once
#include <vector>

#include "exchange/interface.hpp"
#include "exchange/plant.hpp"
#include "model/named_signals.hpp"

namespace perilune::exchange {

/// Which parameters a host may change while a plant moves: forces, masses and outputs read them, constraints and the
/// start do not, and no phase sets them. One entry each.
std::vector<char> tunable_parameters(const model::Model& model, const Plant& plant);

/// `inputs`: numbers of parameters; `outputs`: those of the plant. Token, identifier and program are left empty. Throws
/// Error where an input reaches constraints or the start, or phases set it.
Interface interface_of(const model::Model& model, const Plant& plant, const std::vector<int>& inputs,
                       const std::vector<model::ShownSignal>& outputs);

}  // namespace perilune::exchange
