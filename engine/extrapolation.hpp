// SPDX-License-Identifier: MIT
// Richardson's extrapolation of central differences.
#pragma once
#include <cmath>
#include <vector>

namespace perilune {

/// A derivative from `central(h)`, a vector of divided central differences of step h: those of h, h / 2, ...,
/// h / 2^levels combined so that the error terms h^2, h^4, ..., h^(2 levels) drop out.
template <typename Central>
std::vector<double> extrapolated(const Central& central, double h, int levels) {
  std::vector<std::vector<double>> row;  // of the extrapolation table
  for (int level = 0; level <= levels; ++level) {
    std::vector<std::vector<double>> next{central(std::ldexp(h, -level))};
    double factor = 4;
    for (const std::vector<double>& previous : row) {
      std::vector<double> better(next.back());
      for (std::size_t k = 0; k < better.size(); ++k) better[k] = (factor * better[k] - previous[k]) / (factor - 1);
      next.push_back(std::move(better));
      factor *= 4;
    }
    row = std::move(next);
  }
  return row.back();
}

}  // namespace perilune
