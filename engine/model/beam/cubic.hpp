// SPDX-License-Identifier: MIT
// The cubic between two ends with given positions and slopes.
#pragma once
#include <array>

namespace perilune::model {

/// The share of position, slope times length, position, slope times length at the ends in the position at x, from 0 to
/// 1, and its first and second derivative by x.
template <class T>
std::array<T, 4> cubic(const T& x) {
  const T square = x * x, cube = square * x;
  return {1.0 - 3.0 * square + 2.0 * cube, x - 2.0 * square + cube, 3.0 * square - 2.0 * cube, cube - square};
}
template <class T>
std::array<T, 4> cubic_slope(const T& x) {
  const T square = x * x;
  return {6.0 * (square - x), 1.0 - 4.0 * x + 3.0 * square, 6.0 * (x - square), 3.0 * square - 2.0 * x};
}
template <class T>
std::array<T, 4> cubic_bend(const T& x) {
  return {12.0 * x - 6.0, 6.0 * x - 4.0, 6.0 - 12.0 * x, 6.0 * x - 2.0};
}

}  // namespace perilune::model
