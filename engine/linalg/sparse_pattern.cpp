#include "linalg/sparse_pattern.hpp"

#include <algorithm>

#include "linalg/lanes.hpp"

namespace perilune::linalg {

SparsePattern::SparsePattern(int rows, int columns, const std::set<std::pair<int, int>>& entries) : columns_(columns) {
  column_.reserve(entries.size());
  int row = 0;
  for (const auto& [r, c] : entries) {
    for (; row < r; ++row) row_start_.push_back(static_cast<int>(column_.size()));
    column_.push_back(c);
  }
  for (; row < rows; ++row) row_start_.push_back(static_cast<int>(column_.size()));
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

void SparsePattern::subtract_product(const double* values, const double* x, double* y, int count) const {
  const int n = rows();
  for_each_block(count, [&]<int W, int S>(int first) {
    // Local copies of what does not change: the compiler must assume that writing to y changes members.
    const int stride = S ? S : count, *row_end = row_start_.data() + 1, *column = column_.data();
    const int* start = column;
    const double *value = values, *from = x + first;
    double* to = y + first;
    for (int i = 0; i < n; ++i, to += stride) {
      Lanes<W> sum(to);
      auto subtract_next = [&] { sum.subtract(*value++, Lanes<W>(from + *column++ * stride)); };
      const int* end = start + row_end[i];
      while (end - column >= 4) {
        subtract_next();
        subtract_next();
        subtract_next();
        subtract_next();
      }
      while (column != end) subtract_next();
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

}  // namespace perilune::linalg
