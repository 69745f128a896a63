// SPDX-License-Identifier: MIT
// LU with partial pivoting for small matrices, by rows, with rows padded so that every inner loop runs over whole
// groups of four. For sizes 4 to 16 this takes half the time of Eigen's dynamic PartialPivLU or less, and it decides
// the cost of a whole integration step (tests/bench/bench_solver prints the ratios).
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "linalg/lanes.hpp"

namespace perilune::linalg {

/// A pivot below this fraction of the largest entry of its column counts as zero: partial pivoting leaves rounding
/// errors of that size. A redundant constraint of the penalty form leaves a pivot of 1 / alpha, which must pass.
inline constexpr double singular_pivot = 1e-15;

class DenseLu {
 public:
  static int row_length(int n) { return (n + 3) / 4 * 4; }

  explicit DenseLu(int n)
      : n_(n),
        length_(row_length(n)),
        upper_(static_cast<std::size_t>(n * length_)),
        lower_(upper_.size()),
        inverse_(static_cast<std::size_t>(n)),
        pivot_(static_cast<std::size_t>(n)) {}

  /// `matrix`: n rows of row_length(n) numbers. Returns -1, or a column without a usable pivot.
  int factor(const double* matrix) {
    std::copy_n(matrix, upper_.size(), upper_.data());
    if (!is_finite(matrix, upper_.size())) return 0;
    double largest = 0, smallest = INFINITY;
    for (int k = 0; k < n_; ++k) {
      double* row_k = upper_.data() + k * length_;
      int pivot = k;
      double size = std::abs(row_k[k]);
      for (int i = k + 1; i < n_; ++i) {
        const double other = std::abs(upper_[static_cast<std::size_t>(i * length_ + k)]);
        if (other > size) {
          size = other;
          pivot = i;
        }
      }
      if (!(size > 0)) return k;
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
      pivot_[static_cast<std::size_t>(k)] = pivot;
      if (pivot != k) {
        std::swap_ranges(row_k, row_k + length_, upper_.data() + pivot * length_);
        for (int j = 0; j < k; ++j) std::swap(lower_[at(j, k)], lower_[at(j, pivot)]);
      }
      const double inverse = 1 / row_k[k];
      inverse_[static_cast<std::size_t>(k)] = inverse;
      const int start = k / 4 * 4;  // entries left of the diagonal are spent: they may be overwritten
      double* column = lower_.data() + k * length_;
      for (int i = k + 1; i < n_; ++i) {
        double* row_i = upper_.data() + i * length_;
        const double factor = row_i[k] * inverse;
        column[i] = factor;
        if (factor == 0) continue;  // constraint blocks leave many zeros
        subtract(row_i + start, row_k + start, factor, length_ - start);
      }
    }
    return smallest > singular_pivot * largest ? -1 : first_weak_column(matrix);
  }

  /// Smallest pivot over largest.
  double pivot_ratio() const {
    double largest = 0, smallest = INFINITY;
    for (const double x : inverse_) {
      largest = std::max(largest, std::abs(x));
      smallest = std::min(smallest, std::abs(x));
    }
    return largest > 0 ? smallest / largest : 1;
  }

  /// A x = b, in place.
  void solve(double* b) const {
    for (int k = 0; k < n_; ++k) std::swap(b[k], b[pivot_[static_cast<std::size_t>(k)]]);
    for (int k = 0; k < n_; ++k) {
      const double factor = b[k];
      if (factor == 0) continue;
      const double* column = lower_.data() + k * length_;
      for (int i = k + 1; i < n_; ++i) b[i] -= column[i] * factor;
    }
    for (int k = n_ - 1; k >= 0; --k) {
      const double* row = upper_.data() + k * length_;
      double sum = b[k];
      for (int j = k + 1; j < n_; ++j) sum -= row[j] * b[j];
      b[k] = sum * inverse_[static_cast<std::size_t>(k)];
    }
  }

  /// The same for `count` right-hand sides, interleaved: entry i of vector k stands at i * count + k.
  void solve(double* b, int count) const {
    for (int k = 0; k < n_; ++k) {
      const int other = pivot_[static_cast<std::size_t>(k)];
      if (other != k) std::swap_ranges(b + k * count, b + (k + 1) * count, b + other * count);
    }
    for_each_block(count, [&]<int W, int S>(int first) {
      const std::ptrdiff_t stride = S ? S : count;
      double* x = b + first;
      for (int k = 0; k < n_; ++k) {
        Lanes<W> sum(x + k * stride);
        for (int j = 0; j < k; ++j) sum.subtract(lower_[at(j, k)], Lanes<W>(x + j * stride));
        sum.store(x + k * stride);
      }
      for (int k = n_ - 1; k >= 0; --k) {
        const double* row = upper_.data() + k * length_;
        Lanes<W> sum(x + k * stride);
        for (int j = k + 1; j < n_; ++j) sum.subtract(row[j], Lanes<W>(x + j * stride));
        sum.scale(inverse_[static_cast<std::size_t>(k)]);
        sum.store(x + k * stride);
      }
    });
  }

  /// A^T x = b, in place.
  void solve_transposed(double* b) const {
    for (int k = 0; k < n_; ++k) {
      const double factor = b[k] *= inverse_[static_cast<std::size_t>(k)];
      if (factor == 0) continue;
      const double* row = upper_.data() + k * length_;
      for (int j = k + 1; j < n_; ++j) b[j] -= row[j] * factor;
    }
    for (int k = n_ - 1; k >= 0; --k) {
      const double* column = lower_.data() + k * length_;
      double sum = b[k];
      for (int i = k + 1; i < n_; ++i) sum -= column[i] * b[i];
      b[k] = sum;
    }
    for (int k = n_ - 1; k >= 0; --k) std::swap(b[k], b[pivot_[static_cast<std::size_t>(k)]]);
  }

 private:
  static bool is_finite(const double* x, std::size_t count) {
    std::uint64_t carry = 0;  // adding one to a full exponent sets the sign bit
    for (std::size_t i = 0; i < count; ++i) {
      carry |= (std::bit_cast<std::uint64_t>(x[i]) & 0x7FFF'FFFF'FFFF'FFFF) + 0x0010'0000'0000'0000;
    }
    return carry >> 63 == 0;
  }
  /// Masses of tons beside compliances of 1e-12: the pivots differ by more than rounding, and only columns compare.
  int first_weak_column(const double* matrix) const {
    for (int k = 0; k < n_; ++k) {
      double largest = 0;
      for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(matrix[i * length_ + k]));
      if (!(largest * singular_pivot * std::abs(inverse_[static_cast<std::size_t>(k)]) < 1)) return k;
    }
    return -1;
  }
  std::size_t at(int column, int row) const { return static_cast<std::size_t>(column * length_ + row); }
  static void subtract(double* __restrict x, const double* __restrict y, double factor, int count) {
    for (int j = 0; j < count; j += 4) {
      x[j] -= factor * y[j];
      x[j + 1] -= factor * y[j + 1];
      x[j + 2] -= factor * y[j + 2];
      x[j + 3] -= factor * y[j + 3];
    }
  }

  int n_, length_;
  std::vector<double> upper_;    // by rows
  std::vector<double> lower_;    // by columns, below the unit diagonal
  std::vector<double> inverse_;  // of the pivots
  std::vector<int> pivot_;
};

}  // namespace perilune::linalg
