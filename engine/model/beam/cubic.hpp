// SPDX-License-Identifier: MIT
// Where a share of a beam lies, and the cubic between the ends of an element.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace perilune::model {

struct BeamSpot {
  std::size_t element;
  double x;  // share of its length, from 0 to 1
};

/// At the share, from 0 to 1, of the whole length; where two elements meet, in the first of them.
inline BeamSpot spot_at(double share, std::size_t elements) {
  const double all = share * static_cast<double>(elements);
  const double element = std::clamp(std::ceil(all) - 1, 0.0, static_cast<double>(elements) - 1);
  return {static_cast<std::size_t>(element), all - element};
}

/// The share of position, slope times length, position, slope times length at the ends in the position at x, and its
/// first and second derivative by x.
inline std::array<double, 4> cubic(double x) {
  return {1 - 3 * x * x + 2 * x * x * x, x - 2 * x * x + x * x * x, 3 * x * x - 2 * x * x * x, x * x * x - x * x};
}
inline std::array<double, 4> cubic_slope(double x) {
  return {6 * (x * x - x), 1 - 4 * x + 3 * x * x, 6 * (x - x * x), 3 * x * x - 2 * x};
}
inline std::array<double, 4> cubic_bend(double x) { return {12 * x - 6, 6 * x - 4, 6 - 12 * x, 6 * x - 2}; }

}  // namespace perilune::model
