// SPDX-License-Identifier: MIT
// Which rows of a sparse matrix depend on rows before them. The rows are eliminated in the order given, so that of
// dependent rows the later ones are named; within a row the pivot is chosen for size and for little fill, which keeps
// chains of thousands of bodies linear in time and memory.
#pragma once
#include <utility>
#include <vector>

#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

struct RowRank {
  struct Dependent {
    int row;
    std::vector<std::pair<int, double>> on;  // row = sum of coefficient * earlier independent row
  };
  std::vector<int> independent;  // rows, ascending
  std::vector<Dependent> dependent;
  int weakest_row = -1;               // independent row with the smallest pivot
  double weakest = 1, strongest = 0;  // smallest and largest pivot of rows of unit length

  int rank() const { return static_cast<int>(independent.size()); }
  /// Smallest over largest pivot of the independent rows, 1 without rows: what is left of full rank.
  double margin() const { return strongest > 0 ? weakest / strongest : 1; }
};

/// Rows are scaled to unit length after `column_scale` has multiplied the columns. A row counts as dependent when no
/// more than `tolerance` of it is left. Rows `at_last`, ascending, count as behind all others.
RowRank row_rank(const SparsePattern& pattern, const double* values, const std::vector<double>& column_scale,
                 double tolerance, const std::vector<int>& at_last = {});

}  // namespace perilune::linalg
