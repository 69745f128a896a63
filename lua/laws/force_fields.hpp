// SPDX-License-Identifier: MIT
// What the schema says of the fields of forces and friction laws.
#pragma once
#include "model/force/force_kinds.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

inline Range range_of(model::Bound bound) {
  switch (bound) {
    case model::Bound::NonNegative:
      return Range::NonNegative;
    case model::Bound::Positive:
      return Range::Positive;
    case model::Bound::Finite:
      break;
  }
  return Range::Finite;
}

}  // namespace perilune::lua
