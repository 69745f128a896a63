// SPDX-License-Identifier: MIT
// L D L^T without pivoting of a small symmetric matrix with a fixed sparsity, as a straight list of operations made
// once. Meant for saddle-point matrices [M J^T; J -kappa] with M positive definite, each constraint after its
// coordinates, where it exists and is stable; it refuses when a pivot says otherwise. Twice as fast as a dense
// factorization of the same matrix, which decides the cost of an integration step (tests/bench/bench_solver prints the
// ratios).
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "linalg/lanes.hpp"
#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

class SmallLdl {
 public:
  /// The pattern must be symmetric with a full diagonal; slot(i, j) says where entry (i, j) stands in the value array.
  template <class Slot>
  SmallLdl(const SparsePattern& pattern, Slot&& slot) : n_(pattern.rows()) {
    pattern.for_each([&](int i, int j) {
      if (i >= j) entries_.push_back({i, j, slot(i, j), i == j});
    });
  }

  /// False when a pivot is too small to go on without pivoting (or not finite).
  bool factor(const double* values) {
    // Element blocks couple coordinates that their mass leaves apart: entries count from when they are first non-zero.
    bool is_known = !first_operation_.empty();
    for (int slot : dormant_) is_known = is_known && values[slot] == 0;
    if (!is_known) list_operations(values);
    std::fill(work_.begin(), work_.end(), 0.0);
    for (const Load& l : load_) work_[static_cast<std::size_t>(l.to)] = values[l.from];
    return eliminate();
  }

  /// Smallest pivot over largest.
  double pivot_ratio() const {
    double largest = 0, smallest = INFINITY;
    for (int k = 0; k < n_; ++k) {
      const double size = std::abs(factor_[static_cast<std::size_t>(k)]);
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
    }
    return largest > 0 ? smallest / largest : 1;
  }
  /// How often the operations were listed.
  double listings() const { return listings_; }
  /// The last factorization as numbers, to be used again later.
  const std::vector<double>& numbers() const { return factor_; }
  /// False when the operations were listed anew since the numbers were taken.
  bool restore(std::span<const double> numbers) {
    if (numbers.size() != factor_.size() || factor_.empty() || numbers.back() != factor_.back()) return false;
    std::copy(numbers.begin(), numbers.end(), factor_.begin());
    return true;
  }

  /// A x = b in place, for `count` right-hand sides, interleaved.
  void solve(double* b, int count) const {
    for_each_block(count, [&]<int W, int S>(int first) { solve_block<W>(b + first, S ? S : count); });
  }

  /// Whether another one with the same pattern would do the same operations with any matrix that both know.
  bool does_as(const SmallLdl& other) const {
    return n_ == other.n_ && !first_operation_.empty() && dormant_ == other.dormant_ && order_ == other.order_;
  }

 private:
  friend class LdlLanes;
  /// Masses and lengths of one mechanism differ by less than this; what is weaker is left to the pivoting solver.
  static constexpr double weakest_pivot = 1e-8;
  struct Entry {
    int row, column, slot;
    bool counts;
  };
  struct Load {
    int from, to;
  };
  struct RowEntry {
    int number, column;
  };
  struct Operation {
    int target, left, right;
  };

  using Flags = std::vector<std::vector<char>>;

  /// Fewest neighbours first; a constraint (diagonal <= 0) only after all the coordinates that it touches.
  void choose_order(Flags linked, const double* values) {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<char> is_constraint(n, 0), done(n, 0);
    for (const Entry& e : entries_) {
      if (e.row == e.column) is_constraint[static_cast<std::size_t>(e.row)] = !(values[e.slot] > 0);
    }
    const Flags given = linked;
    order_.clear();
    while (order_.size() < n) {
      std::size_t best = n, fewest = n + 1;
      for (std::size_t i = 0; i < n; ++i) {
        std::size_t degree = 0;
        bool must_wait = done[i];
        for (std::size_t j = 0; j < n; ++j) {
          degree += !done[j] && linked[i][j];
          must_wait = must_wait || (is_constraint[i] && !is_constraint[j] && !done[j] && given[i][j]);
        }
        if (must_wait || degree >= fewest) continue;
        fewest = degree;
        best = i;
      }
      done[best] = 1;
      order_.push_back(static_cast<int>(best));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; linked[best][i] && j < n; ++j) linked[i][j] = linked[i][j] || linked[best][j];
      }
    }
  }

  template <int W>
  void solve_block(double* b, std::ptrdiff_t stride) const {
    // Local copies of what does not change: the compiler must assume that writing to b changes members.
    const int n = n_, *order = order_.data(), *column = column_.data(), *row = row_.data();
    const RowEntry *entry = rows_.data(), *end = entry;
    const double *inverse = factor_.data(), *lower = inverse + n;
    // Both sweeps find one unknown at a time, from sums that end with what was found last: the other products need not
    // wait for it.
    for (int k = 0; k < n; ++k) {
      double* at = b + order[k] * stride;
      Lanes<W> x(at);
      for (end += row_length_[static_cast<std::size_t>(k)]; entry != end; ++entry) {
        x.subtract(lower[entry->number], Lanes<W>(b + entry->column * stride));
      }
      x.store(at);
    }
    for (int k = n - 1; k >= 0; --k) {
      double* at = b + order[k] * stride;
      Lanes<W> x(at);
      x.scale(inverse[k]);
      for (int e = column[k + 1] - 1; e >= column[k]; --e) x.subtract(lower[e], Lanes<W>(b + row[e] * stride));
      x.store(at);
    }
  }

  void list_operations(const double* values) {
    dormant_.clear();
    column_.clear();
    row_.clear();
    rows_.clear();
    row_length_.clear();
    load_.clear();
    operations_.clear();
    first_operation_.clear();
    const auto n = static_cast<std::size_t>(n_);
    Flags linked(n, std::vector<char>(n, 0)), filled(linked);
    for (Entry& e : entries_) {
      e.counts = e.counts || values[e.slot] != 0;
      if (!e.counts) dormant_.push_back(e.slot);
      linked[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] = e.counts;
      linked[static_cast<std::size_t>(e.column)][static_cast<std::size_t>(e.row)] = e.counts;
    }
    choose_order(linked, values);
    std::vector<std::size_t> position(n);
    for (std::size_t k = 0; k < n; ++k) position[static_cast<std::size_t>(order_[k])] = k;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) filled[position[i]][position[j]] = linked[i][j];
    }
    std::vector<std::vector<int>> number(n, std::vector<int>(n, -1));  // of entry (i, j), i > j, in the factor
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = k + 1; i < n; ++i) {
        for (std::size_t j = k + 1; filled[i][k] && j <= i; ++j) filled[i][j] = filled[i][j] || filled[j][k];
      }
    }
    int count = n_;  // the diagonal stands first
    for (std::size_t k = 0; k < n; ++k) {
      number[k][k] = static_cast<int>(k);
      column_.push_back(count - n_);
      for (std::size_t i = k + 1; i < n; ++i) {
        if (!filled[i][k]) continue;
        number[i][k] = count++;
        row_.push_back(order_[i]);
      }
    }
    column_.push_back(count - n_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t before = rows_.size();
      for (std::size_t k = 0; k < i; ++k) {
        if (filled[i][k]) rows_.push_back({number[i][k] - n_, order_[k]});
      }
      row_length_.push_back(static_cast<int>(rows_.size() - before));
    }
    for (std::size_t k = 0; k < n; ++k) {
      first_operation_.push_back(static_cast<int>(operations_.size()));
      for (std::size_t i = k + 1; i < n; ++i) {
        for (std::size_t j = k + 1; filled[i][k] && j <= i; ++j) {
          if (filled[j][k]) operations_.push_back({number[i][j], number[i][k] - n_, number[j][k]});
        }
      }
    }
    first_operation_.push_back(static_cast<int>(operations_.size()));
    for (const Entry& e : entries_) {
      if (!e.counts) continue;
      const std::size_t i = position[static_cast<std::size_t>(e.row)], j = position[static_cast<std::size_t>(e.column)];
      load_.push_back({e.slot, number[std::max(i, j)][std::min(i, j)]});
    }
    work_.resize(static_cast<std::size_t>(count));
    factor_.resize(static_cast<std::size_t>(count) + 1);
    factor_.back() = ++listings_;
  }

  bool eliminate() {
    double* w = work_.data();
    double* lower = factor_.data() + n_;
    double largest[2] = {0, 0}, smallest[2] = {INFINITY, INFINITY};  // positive and negative pivots
    for (int k = 0; k < n_; ++k) {
      const double pivot = w[k];
      const int kind = pivot < 0;
      const double size = std::abs(pivot);
      if (!(size > 0)) return false;
      largest[kind] = std::max(largest[kind], size);
      smallest[kind] = std::min(smallest[kind], size);
      const double inverse = 1 / pivot;
      factor_[static_cast<std::size_t>(k)] = inverse;
      for (int e = column_[static_cast<std::size_t>(k)]; e < column_[static_cast<std::size_t>(k) + 1]; ++e) {
        lower[e] = w[n_ + e] * inverse;
      }
      const Operation* end = operations_.data() + first_operation_[static_cast<std::size_t>(k) + 1];
      for (const Operation* o = operations_.data() + first_operation_[static_cast<std::size_t>(k)]; o != end; ++o) {
        w[o->target] -= lower[o->left] * w[o->right];
      }
    }
    return smallest[0] > weakest_pivot * largest[0] && smallest[1] > weakest_pivot * largest[1];
  }

  int n_;
  std::vector<Entry> entries_;     // of the lower triangle
  std::vector<int> dormant_;       // slots of the entries that do not count yet
  std::vector<int> column_, row_;  // of the factor below its diagonal, by columns
  std::vector<RowEntry> rows_;     // the same by rows: number of the entry, and its column
  std::vector<int> row_length_;
  std::vector<Load> load_;
  std::vector<Operation> operations_;
  std::vector<int> first_operation_;
  std::vector<int> order_;  // of elimination
  std::vector<double> work_;
  // Inverse pivots in order of elimination, the factor below its diagonal, and which listing it belongs to.
  std::vector<double> factor_;
  double listings_ = 0;
};

}  // namespace perilune::linalg
