// SPDX-License-Identifier: MIT
#include "integrator/method/differences.hpp"

namespace perilune::integrator {

namespace {

void add(Combination& to, double weight, const Combination& from) {
  for (std::size_t k = 0; k < to.value.size(); ++k) to.value[k] += weight * from.value[k];
  to.slope += weight * from.slope;
}

}  // namespace

Differences::Differences(std::span<const double> x, bool with_slope)
    : size_(static_cast<int>(x.size()) + (with_slope ? 1 : 0)) {
  const std::size_t points = x.size(), size = static_cast<std::size_t>(size_);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t point = i < points ? i : points - 1;
    x_[i] = x[point];
    differences_[i].value[point] = 1;
  }
  for (std::size_t level = 1; level < size; ++level) {
    for (std::size_t i = size - 1; i >= level; --i) {
      Combination& f = differences_[i];
      if (with_slope && level == 1 && i + 1 == size) {  // of a point with itself
        f = {};
        f.slope = 1;
        continue;
      }
      const double scale = 1 / (x_[i] - x_[i - level]);
      Combination next;
      add(next, scale, f);
      add(next, -scale, differences_[i - 1]);
      f = next;
    }
  }
}

std::pair<Combination, Combination> Differences::evaluate(double at) const {
  Combination value, slope;
  double product = 1, product_slope = 0;  // of (at - x_0) (at - x_1) ...
  for (std::size_t j = 0; j < static_cast<std::size_t>(size_); ++j) {
    add(value, product, differences_[j]);
    add(slope, product_slope, differences_[j]);
    product_slope = product_slope * (at - x_[j]) + product;
    product *= at - x_[j];
  }
  return {value, slope};
}

}  // namespace perilune::integrator
