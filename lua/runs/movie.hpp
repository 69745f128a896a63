// SPDX-License-Identifier: MIT
// run:movie.
#pragma once
#include "schema/schema.hpp"

namespace perilune::lua {

Function movie_entry();

}  // namespace perilune::lua
