// SPDX-License-Identifier: MIT
// All element types by name, e.g. "distance/point-point/2" (what / places / dimension), and all kinds of laws, which
// are elements by an expression of their own.
#pragma once
#include <string>
#include <vector>

#include "model/element/kernel.hpp"

namespace perilune::model {

/// Throws Error for an unknown type.
const Kernel& kernel_of(const std::string& type);
std::vector<std::string> registered_types();

/// "contact", "bump_stop": what may be declared as a law element. The test that walks the registry wants a specimen of
/// each.
std::vector<std::string> registered_laws();
/// Throws std::logic_error unless this is the name of a registered law, or that name in words: "bump stop".
void check_registered_law(const char* what);

}  // namespace perilune::model
