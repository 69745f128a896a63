// SPDX-License-Identifier: MIT
#include "model/force/spring.hpp"

#include "model/element/families.hpp"
#include "model/element/force_kernel.hpp"

namespace perilune::model {

void register_springs(KernelMap& all) { register_pairs<ForceKernel, Spring>(all, "spring"); }

}  // namespace perilune::model
