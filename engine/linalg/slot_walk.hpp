// SPDX-License-Identifier: MIT
// Positions of many entries of a pattern, asked for row by row.
#pragma once
#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

/// As SparsePattern::slot. Coordinates of a body stand side by side, so that the next entry asked for is mostly the
/// one behind the last: then there is nothing to search.
class SlotWalk {
 public:
  explicit SlotWalk(const SparsePattern& pattern) : pattern_(&pattern) {}

  int operator()(int row, int column) {
    if (row != row_) {
      row_ = row;
      next_ = pattern_->row_start()[static_cast<std::size_t>(row)];
      end_ = pattern_->row_start()[static_cast<std::size_t>(row) + 1];
    }
    if (next_ >= end_ || pattern_->column()[static_cast<std::size_t>(next_)] != column) {
      next_ = pattern_->slot(row, column);
    }
    return next_++;
  }

 private:
  const SparsePattern* pattern_;
  int row_ = -1, next_ = 0, end_ = 0;
};

}  // namespace perilune::linalg
