// SPDX-License-Identifier: MIT
#include "linalg/sparse_pattern.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/lanes.hpp"
#include "poll.hpp"

namespace perilune::linalg {

SparsePattern::SparsePattern(int rows, int columns, const Entries& entries) : columns_(columns) {
  // By rows, each sorted then.
  std::vector<int> next(static_cast<std::size_t>(rows) + 1, 0);
  Poll poll;
  for (const auto& [row, column] : entries) {
    poll();
    ++next[static_cast<std::size_t>(row) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int> all(static_cast<std::size_t>(next.back()));
  std::vector<int> begin(next);
  for (const auto& [row, column] : entries) {
    poll();
    all[static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++)] = column;
  }
  row_start_.reserve(begin.size());
  for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
    poll();
    const auto first = all.begin() + begin[row], last = all.begin() + begin[row + 1];
    std::sort(first, last);
    column_.insert(column_.end(), first, std::unique(first, last));
    row_start_.push_back(static_cast<int>(column_.size()));
  }
}

int SparsePattern::slot(int row, int column) const {
  const auto begin = column_.begin() + row_start_[static_cast<std::size_t>(row)];
  const auto end = column_.begin() + row_start_[static_cast<std::size_t>(row) + 1];
  return static_cast<int>(std::lower_bound(begin, end, column) - column_.begin());
}

void SparsePattern::multiply(const double* values, const double* x, double* y, double scale) const {
  const int n = rows();
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = row_start_[static_cast<std::size_t>(i)]; k < row_start_[static_cast<std::size_t>(i) + 1]; ++k) {
      sum += values[k] * x[column_[static_cast<std::size_t>(k)]];
    }
    y[i] += scale * sum;
  }
}

// In these products, local copies of what does not change: the compiler must assume that writing to y changes members.

void SparsePattern::subtract_product(const double* values, const double* x, double* y, int count) const {
  for_each_block(count, [&]<int W, int S>(int first) {
    const std::ptrdiff_t stride = S ? S : count, n = rows();
    const int *row_end = row_start_.data() + 1, *column = column_.data();
    const double* from = x + first;
    double* to = y + first;
    for (int i = 0, k = 0; i < n; ++i, to += stride) {
      const int end = row_end[i];
      if (k == end) continue;
      Lanes<W> sum(to);
      for (; k < end; ++k) sum.subtract(values[k], Lanes<W>(from + column[k] * stride));
      sum.store(to);
    }
  });
}

void SparsePattern::negative_product(const double* a, const double* x, double* y, int count) const {
  for_each_block(count, [&]<int W, int S>(int first) {
    const std::ptrdiff_t stride = S ? S : count, n = rows();
    const int *row_end = row_start_.data() + 1, *column = column_.data();
    const double* from = x + first;
    double* to = y + first;
    for (int i = 0, k = 0; i < n; ++i, to += stride) {
      Lanes<W> sum;
      for (const int end = row_end[i]; k < end; ++k) sum.subtract(a[k], Lanes<W>(from + column[k] * stride));
      sum.store(to);
    }
  });
}

void SparsePattern::negative_products(const double* a, const double* x, const double* b, const double* z, double* y,
                                      int count) const {
  for_each_block(count, [&]<int W, int S>(int first) {
    const std::ptrdiff_t stride = S ? S : count, n = rows();
    const int *row_end = row_start_.data() + 1, *column = column_.data();
    const double *from_x = x + first, *from_z = z + first;
    double* to = y + first;
    for (int i = 0, k = 0; i < n; ++i, to += stride) {
      Lanes<W> sum, other;
      for (const int end = row_end[i]; k < end; ++k) {
        const std::ptrdiff_t at = column[k] * stride;
        sum.subtract(a[k], Lanes<W>(from_x + at));
        other.subtract(b[k], Lanes<W>(from_z + at));
      }
      sum.add(other);
      sum.store(to);
    }
  });
}

void SparsePattern::multiply_transposed(const double* values, const double* x, double* y, double scale) const {
  const int n = rows();
  for (int i = 0; i < n; ++i) {
    const double factor = scale * x[i];
    for (int k = row_start_[static_cast<std::size_t>(i)]; k < row_start_[static_cast<std::size_t>(i) + 1]; ++k) {
      y[column_[static_cast<std::size_t>(k)]] += values[k] * factor;
    }
  }
}

SubPattern::SubPattern(const SparsePattern& whole, const Entries& entries)
    : own_(whole.rows(), whole.columns(), entries) {
  own_.for_each([&](int row, int column) { slot_.push_back(whole.slot(row, column)); });
}

void SubPattern::multiply(const double* values, const double* x, double* y, double scale) const {
  const int *start = own_.row_start().data(), *column = own_.column().data(), *slot = slot_.data();
  const int n = own_.rows();
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += values[slot[k]] * x[column[k]];
    y[i] += scale * sum;
  }
}

}  // namespace perilune::linalg
