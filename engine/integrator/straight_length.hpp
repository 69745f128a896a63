// SPDX-License-Identifier: MIT
// How far a function of a step's length may be followed by differences.
#pragma once
#include <cmath>

namespace perilune::integrator {

/// Up to a length, so much that f, which is nearly zero at 0, is nearly straight over the tenth of it to both sides: a
/// law that is held beyond its switch may turn into something else soon after, as friction that goes on where slip has
/// changed its direction, and a function that goes up and down many times within a step looks straight by chance where
/// it is sampled at one distance alone.
/// A slope that is much smaller than `slope_beside` is one of rounding.
template <class F>
double straight_length(const F& f, double length, double slope_beside = 0) {
  constexpr int most = 20;
  double before = 0;  // slope over the length before
  int agreed = 0;
  for (int i = 0; i < most; ++i, length *= 0.25) {
    const double by = 0.1 * length, up = f(by), down = f(-by), slope = (up - down) / by;
    if (std::abs(up) + std::abs(down) <= 1e-6 * by * std::abs(slope_beside)) return length;
    const bool is_straight = std::abs(up + down) <= 0.1 * std::abs(up - down);
    agreed = is_straight ? agreed > 0 && std::abs(slope - before) <= 0.1 * std::abs(slope) ? agreed + 1 : 1 : 0;
    if (agreed == 3) return 16 * length;
    before = slope;
  }
  return length;
}

/// How much of a length forward differences reach over.
constexpr double forward_part = 1e-5;

/// The same for forward differences.
template <class F>
double straight_ahead(const F& f, double length) {
  constexpr int most = 8;
  for (int i = 0; i < most; ++i, length *= 0.25) {
    const double near = f(forward_part * length), far = f(2 * forward_part * length);
    if (std::abs(far - 2 * near) <= 1e-3 * std::abs(far)) break;
  }
  return length;
}

}  // namespace perilune::integrator
