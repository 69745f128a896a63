// SPDX-License-Identifier: MIT
#include "model/joint/coincidence.hpp"

#include "model/element/constraint_kernel.hpp"
#include "model/element/families.hpp"

namespace perilune::model {

void register_coincidences(KernelMap& all) { register_pairs<ConstraintKernel, Coincidence>(all, "coincidence"); }

}  // namespace perilune::model
