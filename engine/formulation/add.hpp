// SPDX-License-Identifier: MIT
// out += weight * from, the only vector operation that steps with equations of their own need.
#pragma once
#include <cstddef>

namespace perilune::formulation {

inline void add(double* out, double weight, const double* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) out[k] += weight * from[k];
}

}  // namespace perilune::formulation
