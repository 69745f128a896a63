// SPDX-License-Identifier: MIT
#include "model/joint/distance.hpp"

#include "model/element/constraint_kernel.hpp"
#include "model/element/families.hpp"

namespace perilune::model {

void register_distances(KernelMap& all) { register_pairs<ConstraintKernel, Distance>(all, "distance"); }

}  // namespace perilune::model
