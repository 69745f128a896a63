// SPDX-License-Identifier: MIT
#include "linalg/row_rank.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "error.hpp"

namespace perilune::linalg {

namespace {

/// A pivot may be this much smaller than the largest entry of its row.
constexpr double pivot_threshold = 0.1;

struct PivotRow {
  int row, column;
  double pivot, scale;  // scale: 1 / length of the given row
  std::vector<std::pair<int, double>> rest;
  std::vector<std::pair<int, double>> multipliers;  // of earlier pivot rows that were subtracted
};

class Elimination {
 public:
  Elimination(const SparsePattern& pattern, const double* values, const std::vector<double>& column_scale)
      : pattern_(pattern),
        values_(values),
        column_scale_(column_scale),
        last_row_(static_cast<std::size_t>(pattern.columns()), -1),
        pivot_of_column_(last_row_),
        work_(last_row_.size(), 0.0),
        is_filled_(last_row_.size(), 0) {
    pattern.for_each([&](int i, int j) { last_row_[static_cast<std::size_t>(j)] = i; });
  }

  RowRank run(double tolerance, const std::vector<int>& at_last) {
    RowRank out;
    for (int row = 0; row < pattern_.rows(); ++row) {
      check_interrupt();
      if (!std::binary_search(at_last.begin(), at_last.end(), row)) eliminate(row, tolerance, out);
    }
    for (const int row : at_last) eliminate(row, tolerance, out);
    std::sort(out.independent.begin(), out.independent.end());
    return out;
  }

 private:
  double load(int row) {
    const std::vector<int>&start = pattern_.row_start(), &column = pattern_.column();
    filled_.clear();
    double square = 0;
    for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
      const auto j = static_cast<std::size_t>(column[static_cast<std::size_t>(k)]);
      const double x = values_[k] * column_scale_[j];
      square += x * x;
      if (x != 0) add(static_cast<int>(j), x);
    }
    const double scale = square > 0 ? 1 / std::sqrt(square) : 1;
    for (int j : filled_) work_[static_cast<std::size_t>(j)] *= scale;
    return scale;
  }

  void add(int column, double x) {
    const auto j = static_cast<std::size_t>(column);
    if (!is_filled_[j]) {
      is_filled_[j] = 1;
      filled_.push_back(column);
      if (pivot_of_column_[j] >= 0) pending_.insert(pivot_of_column_[j]);
    }
    work_[j] += x;
  }

  void eliminate(int row, double tolerance, RowRank& out) {
    PivotRow now{row, -1, 0, load(row), {}, {}};
    while (!pending_.empty()) {
      const int k = *pending_.begin();
      pending_.erase(pending_.begin());
      const PivotRow& earlier = done_[static_cast<std::size_t>(k)];
      const double factor = work_[static_cast<std::size_t>(earlier.column)] / earlier.pivot;
      work_[static_cast<std::size_t>(earlier.column)] = 0;
      if (factor == 0) continue;
      now.multipliers.emplace_back(k, factor);
      for (const auto& [column, value] : earlier.rest) add(column, -factor * value);
    }
    double largest = 0;
    for (int j : filled_) largest = std::max(largest, std::abs(work_[static_cast<std::size_t>(j)]));
    if (largest > tolerance) {
      keep(std::move(now), largest, tolerance, out);
    } else {
      out.dependent.push_back({row, combination(now)});
    }
    for (int j : filled_) {
      work_[static_cast<std::size_t>(j)] = 0;
      is_filled_[static_cast<std::size_t>(j)] = 0;
    }
  }

  void keep(PivotRow now, double largest, double tolerance, RowRank& out) {
    for (int j : filled_) {
      const auto i = static_cast<std::size_t>(j);
      if (std::abs(work_[i]) < pivot_threshold * largest) continue;
      if (now.column < 0 || last_row_[i] < last_row_[static_cast<std::size_t>(now.column)]) now.column = j;
    }
    now.pivot = work_[static_cast<std::size_t>(now.column)];
    for (int j : filled_) {
      const double x = work_[static_cast<std::size_t>(j)];
      // Rounding errors would fill the rows to come.
      if (j != now.column && std::abs(x) > 1e-3 * tolerance * largest) now.rest.emplace_back(j, x);
    }
    out.independent.push_back(now.row);
    out.strongest = std::max(out.strongest, largest);
    if (out.weakest_row < 0 || largest < out.weakest) {
      out.weakest = largest;
      out.weakest_row = now.row;
    }
    pivot_of_column_[static_cast<std::size_t>(now.column)] = static_cast<int>(done_.size());
    done_.push_back(std::move(now));
  }

  /// The row as a combination of the rows given: the multipliers of pivot rows, traced back through their own.
  std::vector<std::pair<int, double>> combination(const PivotRow& dependent) const {
    std::vector<double> factor(done_.size(), 0.0);
    for (const auto& [k, x] : dependent.multipliers) factor[static_cast<std::size_t>(k)] += x;
    std::vector<std::pair<int, double>> out;
    for (std::size_t k = done_.size(); k-- > 0;) {
      if (factor[k] == 0) continue;
      for (const auto& [earlier, x] : done_[k].multipliers) factor[static_cast<std::size_t>(earlier)] -= factor[k] * x;
      out.emplace_back(done_[k].row, factor[k] * done_[k].scale / dependent.scale);
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  const SparsePattern& pattern_;
  const double* values_;
  const std::vector<double>& column_scale_;
  std::vector<int> last_row_, pivot_of_column_;
  std::vector<double> work_;  // the row at hand
  std::vector<char> is_filled_;
  std::vector<int> filled_;
  std::set<int> pending_;  // pivots whose columns the row at hand still contains
  std::vector<PivotRow> done_;
};

}  // namespace

RowRank row_rank(const SparsePattern& pattern, const double* values, const std::vector<double>& column_scale,
                 double tolerance, const std::vector<int>& at_last) {
  return Elimination(pattern, values, column_scale).run(tolerance, at_last);
}

}  // namespace perilune::linalg
