// SPDX-License-Identifier: MIT
// Recursions along a tree of bodies in space whose loops are closed.
#pragma once
#include <memory>

#include "formulation/tree/joint_tree.hpp"
#include "formulation/tree/recursion.hpp"

namespace perilune::formulation {

std::unique_ptr<Recursion> spatial_loops(const std::shared_ptr<const system::System>& system,
                                         const std::shared_ptr<const system::Data>& data, const JointTree& tree);

}  // namespace perilune::formulation
