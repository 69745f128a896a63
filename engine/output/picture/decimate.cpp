// SPDX-License-Identifier: MIT
#include "output/picture/decimate.hpp"

#include <algorithm>
#include <cmath>

namespace perilune::output {

std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, std::size_t limit) {
  const std::size_t n = std::min(x.size(), y.size());
  const auto drawable = [&](std::size_t i) { return std::isfinite(x[i]) && std::isfinite(y[i]); };
  std::vector<std::size_t> kept;
  const auto keep = [&](std::size_t i) {
    if (drawable(i)) {
      kept.push_back(i);
    } else if (!kept.empty() && kept.back() != kGap) {
      kept.push_back(kGap);
    }
  };

  if (n <= limit) {
    for (std::size_t i = 0; i < n; ++i) keep(i);
  } else {
    const bool monotonic = std::is_sorted(x.begin(), x.end()) || std::is_sorted(x.rbegin(), x.rend());
    const std::size_t buckets = std::max<std::size_t>(1, limit / (monotonic ? 2 : 4));
    std::vector<std::size_t> chosen;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      const std::size_t begin = n * bucket / buckets, end = n * (bucket + 1) / buckets;
      chosen.clear();
      std::size_t lowest = kGap, highest = kGap, leftmost = kGap, rightmost = kGap, first_gap = kGap, last_gap = kGap;
      for (std::size_t i = begin; i < end; ++i) {
        if (!drawable(i)) {
          if (first_gap == kGap) first_gap = i;
          last_gap = i;
          continue;
        }
        if (lowest == kGap || y[i] < y[lowest]) lowest = i;
        if (highest == kGap || y[i] > y[highest]) highest = i;
        if (monotonic) continue;
        if (leftmost == kGap || x[i] < x[leftmost]) leftmost = i;
        if (rightmost == kGap || x[i] > x[rightmost]) rightmost = i;
      }
      for (const std::size_t i : {lowest, highest, leftmost, rightmost, first_gap, last_gap}) {
        if (i != kGap) chosen.push_back(i);
      }
      if (bucket == 0) chosen.push_back(0);
      if (bucket + 1 == buckets) chosen.push_back(n - 1);
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
      for (const std::size_t i : chosen) keep(i);
    }
  }
  while (!kept.empty() && kept.back() == kGap) kept.pop_back();
  return kept;
}

}  // namespace perilune::output
