// SPDX-License-Identifier: MIT
// Sums of weighted lists of numbers, four at a time, so that what is added up stays in registers. The terms of each
// number are added in the order in which they come.
#pragma once
#include <array>
#include <cstddef>

namespace perilune::integrator {

class Terms {
 public:
  /// Of n numbers each, to `out`, which is none of them.
  Terms(std::size_t n, double* out) : n_(n), out_(out) {}

  void add(double weight, const double* numbers) {
    if (count_ == most) take();
    weights_[count_] = weight;
    numbers_[count_++] = numbers;
  }
  /// After the last one. Without any, `out` stays as it is.
  void finish() { take(); }

 private:
  static constexpr std::size_t most = 4;

  void take() {
    if (has_begun_) {
      take<false>();
    } else {
      take<true>();
    }
    has_begun_ = has_begun_ || count_ > 0;
    count_ = 0;
  }
  template <bool begins>
  void take() {
    if (count_ == 1) take<begins, 1>();
    if (count_ == 2) take<begins, 2>();
    if (count_ == 3) take<begins, 3>();
    if (count_ == 4) take<begins, 4>();
  }
  template <bool begins, std::size_t count>
  void take() {
    double* __restrict out = out_;
    const std::array<double, most> w = weights_;
    const std::array<const double*, most> x = numbers_;
    for (std::size_t k = 0; k < n_; ++k) {
      double sum = begins ? w[0] * x[0][k] : out[k] + w[0] * x[0][k];
      if constexpr (count > 1) sum += w[1] * x[1][k];
      if constexpr (count > 2) sum += w[2] * x[2][k];
      if constexpr (count > 3) sum += w[3] * x[3][k];
      out[k] = sum;
    }
  }

  std::size_t n_;
  double* out_;
  std::array<double, most> weights_{};
  std::array<const double*, most> numbers_{};
  std::size_t count_ = 0;
  bool has_begun_ = false;
};

}  // namespace perilune::integrator
