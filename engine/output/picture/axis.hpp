// SPDX-License-Identifier: MIT
// Scales of plots: ranges, round tick values and their labels.
#pragma once
#include <limits>
#include <string>
#include <vector>

namespace perilune::output {

/// The smallest interval that contains the finite values it was shown.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  /// Ignores what is not finite.
  void include(double value);
  bool empty() const { return low > high; }
};

/// A labelled tick. The label reads text^power; the power is empty but for decades of a logarithmic axis.
struct Tick {
  double value;
  std::string text, power;
};

/// A scale with ticks at 1, 2 or 5 times a power of ten. The labels of a linear axis show
/// (value - offset) / 10^exponent, so that they stay short for huge, tiny and nearly equal values.
struct Axis {
  double low, high;  ///< the ends, as log10 of the value when the axis is logarithmic
  bool log = false;
  std::vector<Tick> ticks = {};
  std::vector<double> minor = {};  ///< unlabelled grid lines
  int exponent = 0;
  std::string offset = {};  ///< as text; empty for no offset

  /// 0 at the low end, 1 at the high end.
  double fraction(double value) const;
};

/// A linear axis with at most about `max_ticks` ticks; `padding` is the share of the range added at each end. A range
/// without extent (or only rounding noise) is widened around its value; an empty one becomes 0 to 1, and ends beyond
/// 8e307, where widths would overflow, are cut there.
Axis linear_axis(Range range, int max_ticks, double padding);

/// A logarithmic axis; only positive values may have been included in the range. Its ends are cut at 1e-300
/// and 1e300.
Axis log_axis(Range range, int max_ticks, double padding);

}  // namespace perilune::output
