// SPDX-License-Identifier: MIT
// Curves thinned for display.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace perilune::output {

/// Stands for a gap among the indices which decimate() returns.
inline constexpr std::size_t kGap = std::numeric_limits<std::size_t>::max();

/// The indices of the samples to draw, in order: at most about `limit` of them. Every stretch of samples keeps its
/// extremes (of x too, where x runs back and forth), and the first and the last sample stay. A sample which is not
/// finite in x or y becomes a gap, however many samples are left out around it.
std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, std::size_t limit);

}  // namespace perilune::output
