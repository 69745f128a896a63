// SPDX-License-Identifier: MIT
// What a model prints.
#pragma once
#include <string>

#include "values/object.hpp"

namespace perilune::lua {

/// Counts, and the names of what was declared, by kind: cheap for models of any size.
std::string model_text(const ModelData& model);

/// Degrees of freedom at the assembled position; the topology in a line; the bodies and points as a tree that grows
/// from the ground over the joints in the order of their declaration; the joints that close loops; what acts;
/// parameters. Large models have model_text instead.
std::string model_tree(const ModelPtr& model);

}  // namespace perilune::lua
