// SPDX-License-Identifier: MIT
// What rolls without slip and what a cam moves, beside tires.
#pragma once
#include "schema/schema.hpp"

namespace perilune::lua {

Constructor rolling_entry();
Constructor cam_entry();

}  // namespace perilune::lua
