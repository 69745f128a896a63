// A model in a few lines of text.
#pragma once
#include <string>

#include "object.hpp"

namespace perilune::lua {

std::string model_text(const ModelData& model);

}  // namespace perilune::lua
