// SPDX-License-Identifier: MIT
// Zeros of functions of one number.
#pragma once
#include <cmath>

namespace perilune::simulation {

/// Where a function changes its sign between two times, to the last digits.
template <class F>
double sign_change(double low, double at_low, double high, double at_high, F&& function) {
  constexpr int most = 200;
  for (int i = 0; i < most; ++i) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;
    double t = i % 3 == 2 ? middle : low + (high - low) * (at_low / (at_low - at_high));
    if (!(low < t && t < high)) t = middle;
    const double at = function(t);
    if (at == 0) return t;
    if ((at > 0) == (at_low > 0)) {
      low = t;
      at_low = at;
    } else {
      high = t;
      at_high = at;
    }
  }
  return std::abs(at_low) < std::abs(at_high) ? low : high;
}

}  // namespace perilune::simulation
