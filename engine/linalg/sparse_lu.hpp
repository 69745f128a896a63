// SPDX-License-Identifier: MIT
// KLU's factorization of a matrix with a fixed pattern: its order of elimination, its pivots, and how much of its
// digits these cost. For linear_solver.cpp alone.
#pragma once
#include <klu.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/dense_lu.hpp"
#include "linalg/elimination_order.hpp"
#include "linalg/sparse_pattern.hpp"
#include "poll.hpp"

namespace perilune::linalg {

/// An order of elimination. KLU only reads it, so that solvers share it.
using EliminationOrder = std::shared_ptr<klu_symbolic>;

/// The numbers of one matrix at a time; orders the unknowns when it meets the first.
struct SparseLu {
  klu_common common{};
  EliminationOrder order;
  klu_numeric* numeric = nullptr;
  std::vector<int> column_start, row;
  double growth_limit = 0;     // of factorizations on kept pivots
  bool reads_columns = false;  // own_growth() is what klu_rgrowth says
  bool expects_few = false;    // matrices: an order that is better would not pay for the search
  std::vector<double> scale;   // 1 over that of each row

  explicit SparseLu(const SparsePattern& by_column) : column_start(by_column.row_start()), row(by_column.column()) {
    klu_defaults(&common);
    common.tol = 0.1;  // the default of 0.001 loses up to three digits per pivot and saves no entries here
  }
  int size() const { return static_cast<int>(column_start.size()) - 1; }
  /// Everything but a singular matrix that KLU may complain about.
  void check_memory() const {
    if (common.status < KLU_OK) fail_for_memory(size());
  }
  /// Orders the unknowns when it meets the first regular matrix.
  bool factor(double* values) { return order ? factor_in_order(values) : factor_and_order(values); }
  bool factor_in_order(double* values) {
    numeric = klu_factor(column_start.data(), row.data(), values, order.get(), &common);
    return numeric && common.status == KLU_OK;
  }
  /// The column where klu_factor ended, or -1: KLU says `size` where no column was without a pivot.
  int stopped_at() const {
    const bool is_known = common.status == KLU_SINGULAR && common.singular_col >= 0 && common.singular_col < size();
    return is_known ? common.singular_col : -1;
  }
  /// After klu_factor: a column whose pivot is rounding error beside its own entries, or -1. As in DenseLu, only
  /// columns compare.
  int weak_column(const double* values) {
    const auto* pivot = static_cast<const double*>(numeric->Udiag);
    if (klu_rcond(order.get(), numeric, &common) && common.rcond > singular_pivot) return -1;
    for (int k = 0; k < size(); ++k) {
      const int column = order->Q[k];
      double largest = 0;
      for (int e = column_start[static_cast<std::size_t>(column)];
           e < column_start[static_cast<std::size_t>(column) + 1]; ++e) {
        const int place = numeric->Pinv[row[static_cast<std::size_t>(e)]];
        largest = std::max(largest, std::abs(values[e] / numeric->Rs[place]));
      }
      if (!(std::abs(pivot[k]) > singular_pivot * largest)) return column;
    }
    return -1;
  }
  /// An order of elimination for the matrix at hand: that of minimum degree, which knows nothing of pivots, but
  /// unknowns without a diagonal to speak of (multipliers) wait until half of what their columns touch is gone. Then
  /// elimination has given them a diagonal, few rows need to be exchanged, and the factors have about as many entries
  /// as were `foreseen` for none.
  std::vector<int> waiting_order(const double* values, double& foreseen) const {
    const auto n = static_cast<std::size_t>(size());
    const OrderByDegree by_degree(column_start, row);
    foreseen = 2 * (by_degree.entries + size());
    Waiting waiting(n);
    for (std::size_t j = 0; j < n; ++j) {
      double diagonal = 0, largest = 0;
      const auto first = static_cast<std::size_t>(column_start[j]), end = static_cast<std::size_t>(column_start[j + 1]);
      for (std::size_t e = first; e < end; ++e) {
        const double x = std::abs(values[e]);
        if (row[e] == static_cast<int>(j)) diagonal = x;
        largest = std::max(largest, x);
      }
      if (diagonal > 1e-3 * largest) continue;
      for (std::size_t e = first; e < end; ++e) {
        if (values[e] != 0 && row[e] != static_cast<int>(j)) waiting.add(static_cast<int>(j), row[e]);
      }
      waiting.missing[j] = (waiting.missing[j] + 1) / 2;
    }
    return waiting.apply(by_degree.order);
  }
  /// How little the factors have grown: the least over all columns of their largest entry, scaled, over that of U's. 1
  /// at best. After klu_factor with the pivots that it found.
  double first_growth(double* values) {
    klu_rgrowth(column_start.data(), row.data(), values, order.get(), numeric, &common);
    const double own = own_growth(values);
    reads_columns = std::abs(own - common.rgrowth) <= 1e-9 * common.rgrowth;
    return common.rgrowth;
  }
  /// The same after klu_refactor.
  double growth(double* values) {
    if (reads_columns) return own_growth(values);
    klu_rgrowth(column_start.data(), row.data(), values, order.get(), numeric, &common);
    return common.rgrowth;
  }
  /// Written once more since klu_rgrowth divides each entry by its row's scale, which takes 40 % of a factorization.
  /// The columns of U stand in the memory of a block one after the other, row numbers and then entries, both filled up
  /// to whole doubles. Who relies on that compares with klu_rgrowth first.
  double own_growth(const double* values) {
    scale.resize(static_cast<std::size_t>(size()));
    for (int k = 0; k < size(); ++k) scale[static_cast<std::size_t>(k)] = numeric->Rs ? 1 / numeric->Rs[k] : 1;
    const auto* pivot = static_cast<const double*>(numeric->Udiag);
    double least = 1;
    for (int block = 0; block < order->nblocks; ++block) {
      const int first = order->R[block], end = order->R[block + 1];
      if (end - first == 1) continue;
      const auto* columns = static_cast<const double*>(numeric->LUbx[block]);
      for (int k = first; k < end; ++k) {
        double before = 0, after = std::abs(pivot[k]);
        const auto column = static_cast<std::size_t>(order->Q[k]);
        for (int e = column_start[column]; e < column_start[column + 1]; ++e) {
          const int place = numeric->Pinv[row[static_cast<std::size_t>(e)]];
          if (place < first) continue;  // of a block before this one
          before = std::max(before, std::abs(values[e]) * scale[static_cast<std::size_t>(place)]);
        }
        constexpr std::size_t numbers_in_double = sizeof(double) / sizeof(int);
        const auto count = static_cast<std::size_t>(numeric->Ulen[k]);
        const double* entries = columns + numeric->Uip[k] + (count + numbers_in_double - 1) / numbers_in_double;
        for (std::size_t e = 0; e < count; ++e) after = std::max(after, std::abs(entries[e]));
        if (after > 0) least = std::min(least, before / after);
      }
    }
    return least;
  }
  /// What a factorization on kept pivots costs.
  double operations() {
    klu_flops(order.get(), numeric, &common);
    return common.flops;
  }
  double entries() const { return static_cast<double>(numeric->lnz) + numeric->unz; }
  /// Up to this size every order is tried where there are many matrices: the set-up is short whatever it brings.
  static constexpr int small = 400;
  bool factor_and_order(double* values) {
    double foreseen = 0;
    std::vector<int> waiting = waiting_order(values, foreseen);
    order = owned(klu_analyze_given(size(), column_start.data(), row.data(), waiting.data(), waiting.data(), &common));
    check_memory();
    check_interrupt();
    if (!factor_in_order(values)) return false;
    check_interrupt();
    // COLAMD's order is bounded whatever the pivots are, but bad where a few rows are long, like those of a body that
    // carries many others. Minimum degree without waiting is often the best of small ones, and can be hopeless.
    const bool tries_all = size() <= small && !expects_few;
    if (tries_all || entries() > 2 * foreseen) try_order(1, values);
    if (tries_all) try_order(0, values);
    return true;
  }
  /// Takes KLU's own order of this number in place of the one there is, if it costs less.
  void try_order(int number, double* values) {
    const double before = operations();
    const klu_common known_common = common;
    const EliminationOrder known_order = std::move(order);
    klu_numeric* known_numeric = std::exchange(numeric, nullptr);
    common.ordering = number;
    order = owned(klu_analyze(size(), column_start.data(), row.data(), &common));
    if (order && factor_in_order(values) && operations() < before) {
      klu_free_numeric(&known_numeric, &common);
      return;
    }
    forget_numbers();
    order = known_order;
    numeric = known_numeric;
    common = known_common;
  }
  static EliminationOrder owned(klu_symbolic* symbolic) {
    return {symbolic, [](klu_symbolic* s) {
              klu_common statistics;
              klu_defaults(&statistics);
              if (s) klu_free_symbolic(&s, &statistics);
            }};
  }
  void forget_numbers() {
    if (numeric) klu_free_numeric(&numeric, &common);
  }
  void forget() {
    forget_numbers();
    order.reset();
  }
  ~SparseLu() { forget_numbers(); }
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;
};

}  // namespace perilune::linalg
