// SPDX-License-Identifier: MIT
// What tests ask of arrays of numbers.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "extrapolation.hpp"

inline double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// Largest absolute value.
inline double largest(const std::vector<double>& x) {
  double worst = 0;
  for (double value : x) worst = std::max(worst, std::abs(value));
  return worst;
}

inline double largest_difference(std::vector<double> x, const std::vector<double>& y) {
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return largest(x);
}

/// d f(h) / dh at 0 of a function with an array of numbers as value, from central differences with steps h, h/2 and
/// h/4, extrapolated twice: error O(h^6).
template <class F>
std::vector<double> slope(F&& f, double h) {
  auto central = [&](double step) {
    std::vector<double> up = f(step);
    const std::vector<double> down = f(-step);
    for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * step);
    return up;
  };
  return perilune::extrapolated(central, h, 2);
}
