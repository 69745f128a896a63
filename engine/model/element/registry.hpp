// SPDX-License-Identifier: MIT
// All element types by name, e.g. "distance/point-point/2" (what / places / dimension).
#pragma once
#include <string>
#include <vector>

#include "model/element/kernel.hpp"

namespace perilune::model {

/// Throws Error for an unknown type.
const Kernel& kernel_of(const std::string& type);
std::vector<std::string> registered_types();

}  // namespace perilune::model
