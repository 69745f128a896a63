// SPDX-License-Identifier: MIT
// A fixed sparsity pattern, by rows, and products with value arrays that follow it.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace perilune::linalg {

/// Places (row, column) of a matrix, in any order and each as often as it comes.
class Entries {
 public:
  void emplace(int row, int column) { places_.emplace_back(row, column); }
  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

 private:
  std::vector<std::pair<int, int>> places_;
};

class SparsePattern {
 public:
  SparsePattern() = default;
  SparsePattern(int rows, int columns, const Entries& entries);

  int rows() const { return static_cast<int>(row_start_.size()) - 1; }
  int columns() const { return columns_; }
  std::size_t size() const { return column_.size(); }
  /// Position of entry (row, column) in a value array; the entry must be in the pattern.
  int slot(int row, int column) const;

  /// Calls visit(row, column) for every entry, in the order of the value arrays.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int i = 0; i < rows(); ++i) {
      for (int k = row_start_[static_cast<std::size_t>(i)]; k < row_start_[static_cast<std::size_t>(i) + 1]; ++k) {
        visit(i, column_[static_cast<std::size_t>(k)]);
      }
    }
  }

  /// y += scale * A x.
  void multiply(const double* values, const double* x, double* y, double scale = 1) const;
  /// y -= A x for `count` vectors at once, interleaved: entry i of vector k stands at i * count + k.
  void subtract_product(const double* values, const double* x, double* y, int count) const;
  /// y = -A x, likewise.
  void negative_product(const double* a, const double* x, double* y, int count) const;
  /// y = -(A x + B z), likewise, for two matrices with this pattern.
  void negative_products(const double* a, const double* x, const double* b, const double* z, double* y,
                         int count) const;
  /// y += scale * A^T x.
  void multiply_transposed(const double* values, const double* x, double* y, double scale = 1) const;

  const std::vector<int>& row_start() const { return row_start_; }
  const std::vector<int>& column() const { return column_; }

 private:
  int columns_ = 0;
  std::vector<int> row_start_{0}, column_;
};

/// Some of a pattern's entries, for products of values that are zero elsewhere.
class SubPattern {
 public:
  SubPattern() = default;
  SubPattern(const SparsePattern& whole, const Entries& entries);

  /// y += scale * A x, where the values are those of the whole pattern.
  void multiply(const double* values, const double* x, double* y, double scale = 1) const;
  /// Places in the value arrays of the whole pattern, ascending.
  const std::vector<int>& slots() const { return slot_; }

 private:
  SparsePattern own_;
  std::vector<int> slot_;
};

}  // namespace perilune::linalg
