// SPDX-License-Identifier: MIT
// Bounds of expressions over a stretch of time: a scalar that tapes evaluate with. Rounding is not followed: who asks
// for the sign of a function bounds it well away from there.
#pragma once
#include "expr/graph.hpp"

namespace perilune::expr {

/// All numbers from low to high; nothing is known of a result that may be no number.
struct Interval {
  double low = 0, high = 0;
  static Interval everything();
  bool is_exactly(double x) const { return low == x && high == x; }
  bool contains(double x) const { return low <= x && x <= high; }
};

Interval operator+(const Interval& x, const Interval& y);
Interval operator-(const Interval& x, const Interval& y);
Interval operator*(const Interval& x, const Interval& y);
Interval operator/(const Interval& x, const Interval& y);
/// The least that contains both.
Interval hull(const Interval& x, const Interval& y);

/// What a function of time is within, and its time derivative.
struct Enclosure {
  Interval value, slope;
  Enclosure() = default;
  Enclosure(double constant) : value{constant, constant} {}  // NOLINT: constants mix freely
  Enclosure(const Interval& values, const Interval& slopes) : value(values), slope(slopes) {}
};

Enclosure operator+(const Enclosure& x, const Enclosure& y);
Enclosure operator-(const Enclosure& x, const Enclosure& y);
Enclosure operator-(const Enclosure& x);
Enclosure operator*(const Enclosure& x, const Enclosure& y);
Enclosure operator/(const Enclosure& x, const Enclosure& y);
/// As the template of operations.hpp.
Enclosure apply(Op op, const Enclosure& a, const Enclosure& b, const Enclosure& c, double value, const Tables* tables);

}  // namespace perilune::expr
