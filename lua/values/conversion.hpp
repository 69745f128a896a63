// SPDX-License-Identifier: MIT
// Parameters with a unit that a script converts to SI units, which their expressions are in already.
#pragma once
#include <optional>
#include <string>

#include "model/model.hpp"

namespace perilune::lua {

struct SecondConversion {
  std::string problem;
  bool is_certain = false;  // a thousandth of a length may be meant, pi / 180 of an angle hardly
};

std::optional<SecondConversion> second_conversion(const model::Model& model, expr::NodeId node);

}  // namespace perilune::lua
