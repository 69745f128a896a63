// SPDX-License-Identifier: MIT
// What a joint is, in words and declared numbers: its ends, its axis, and where its angle and displacement are zero.
#pragma once
#include <string>

#include "model/model.hpp"

namespace perilune::lua {

/// "from ground to arm at (0, 0) m; angle 0.3 rad as declared, 0 where its x axis on b lies along that on a, (1, 0)"; empty where
/// no joint has this name. Numbers are those of the parameters' present values, directions those of space as declared.
std::string joint_text(const model::Model& model, const std::string& name);

}  // namespace perilune::lua
