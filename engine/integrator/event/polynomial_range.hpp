// SPDX-License-Identifier: MIT
// What a polynomial is within on a stretch.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

#include "expr/enclosure.hpp"

namespace perilune::integrator {

/// c[0] + c[1] x + ... about another origin: `to` becomes 0.
template <std::size_t size>
void recentre(std::array<double, size>& c, double to) {
  for (std::size_t k = 0; k + 1 < size; ++k) {
    for (std::size_t j = size - 1; j-- > k;) c[j] += to * c[j + 1];
  }
}

template <std::size_t size>
std::array<double, size - 1> slope_of(const std::array<double, size>& c) {
  std::array<double, size - 1> out{};
  for (std::size_t k = 0; k + 1 < size; ++k) out[k] = static_cast<double>(k + 1) * c[k + 1];
  return out;
}

/// Bounds for x from -half to half.
template <std::size_t size>
expr::Interval range(const std::array<double, size>& c, double half) {
  expr::Interval out{c[0], c[0]};
  double power = 1;
  for (std::size_t k = 1; k < size; ++k) {
    power *= half;
    const double term = c[k] * power;
    if (k % 2 != 0) {
      out.low -= std::abs(term);
      out.high += std::abs(term);
    } else {
      (term < 0 ? out.low : out.high) += term;
    }
  }
  return out;
}

}  // namespace perilune::integrator
