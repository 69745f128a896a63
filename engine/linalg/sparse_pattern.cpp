// SPDX-License-Identifier: MIT
#include "linalg/sparse_pattern.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/lanes.hpp"
#include "linalg/slot_walk.hpp"
#include "poll.hpp"

namespace perilune::linalg {

SparsePattern::SparsePattern(int rows, int columns, const Entries& entries) : columns_(columns) {
  // By rows, each sorted then.
  std::vector<int> next(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& [row, column] : entries) ++next[static_cast<std::size_t>(row) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int> all(static_cast<std::size_t>(next.back()));
  std::vector<int> begin(next);
  for (const auto& [row, column] : entries) {
    all[static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++)] = column;
  }
  // Elements of the same bodies name their places again and again, mostly in order: what is sorted is each place once,
  // and only where it has to be.
  std::vector<int> last_row_of(static_cast<std::size_t>(columns), -1);
  std::size_t count = 0;
  Poll poll;
  row_start_.reserve(begin.size());
  for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
    poll();
    const std::size_t first = count;
    bool ascends = true;
    for (auto k = static_cast<std::size_t>(begin[row]); k < static_cast<std::size_t>(begin[row + 1]); ++k) {
      const int column = all[k];
      int& last_row = last_row_of[static_cast<std::size_t>(column)];
      if (last_row == static_cast<int>(row)) continue;
      last_row = static_cast<int>(row);
      ascends = ascends && (count == first || all[count - 1] < column);
      all[count++] = column;
    }
    if (!ascends)
      std::sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(count));
    row_start_.push_back(static_cast<int>(count));
  }
  column_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
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
  SlotWalk slot(whole);
  slot_.reserve(own_.size());
  own_.for_each([&](int row, int column) { slot_.push_back(slot(row, column)); });
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
