// SPDX-License-Identifier: MIT
// Recursions along a tree of bodies in the plane whose loops are closed.
#pragma once
#include <memory>

#include "formulation/tree/planar_tree.hpp"
#include "formulation/tree/recursion.hpp"

namespace perilune::formulation {

std::unique_ptr<Recursion> planar_loops(const std::shared_ptr<const system::System>& system,
                                        const std::shared_ptr<const system::Data>& data, const PlanarTree& tree);

}  // namespace perilune::formulation
