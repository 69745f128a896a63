// SPDX-License-Identifier: MIT
// What rolls without slip, beside tires.
#pragma once
#include "schema/schema.hpp"

namespace perilune::lua {

Constructor rolling_entry();

}  // namespace perilune::lua
