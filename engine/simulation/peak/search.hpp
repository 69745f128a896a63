// SPDX-License-Identifier: MIT
// Looking for zeros and peaks of functions of one number.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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

/// Values of a function at the ends of equal parts of a step: at least eight, as many as the step's share of the run
/// asks for, and twice and twice again where the function bends too much between them. Eight alone for a share of 0.
template <class F>
void look(F&& function, double begin, double end, double share, std::vector<double>& times,
          std::vector<double>& values) {
  constexpr std::size_t least = 8, most = 1024;
  constexpr double in_a_run = 4000, at_first = 512, much = 0.25;
  std::size_t count = std::max(least, static_cast<std::size_t>(std::min(in_a_run * share, at_first)));
  for (bool agrees = false; !agrees && count <= most; count *= 2) {
    times.resize(count + 1);
    values.resize(count + 1);
    for (std::size_t j = 0; j <= count; ++j) {
      times[j] = j == count ? end : begin + (end - begin) * (static_cast<double>(j) / static_cast<double>(count));
      values[j] = function(times[j]);
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double range = *high - *low, rounding = 1e-10 * std::max(std::abs(*high), std::abs(*low));
    agrees = true;
    for (std::size_t j = 1; j < count && share > 0 && range > rounding; ++j) {
      agrees = agrees && std::abs(values[j] - (values[j - 1] + values[j + 1]) / 2) <= much * range;
    }
  }
}

}  // namespace perilune::simulation
