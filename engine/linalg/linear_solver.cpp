// SPDX-License-Identifier: MIT
#include "linalg/linear_solver.hpp"

#include <amd.h>
#include <klu.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "error.hpp"
#include "linalg/dense_lu.hpp"
#include "poll.hpp"

namespace perilune::linalg {

namespace {

SparsePattern transposed(const SparsePattern& pattern) {
  Entries entries;
  Poll poll;
  pattern.for_each([&](int i, int j) {
    poll();
    entries.emplace(j, i);
  });
  return {pattern.columns(), pattern.rows(), entries};
}

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

MatrixLayout::MatrixLayout(const SparsePattern& pattern) : pattern_(transposed(pattern)) {}

int MatrixLayout::slot(int row, int column) const {
  return is_dense() ? row * DenseLu::row_length(size()) + column : pattern_.slot(column, row);
}

std::size_t MatrixLayout::value_count() const {
  return is_dense() ? static_cast<std::size_t>(size() * DenseLu::row_length(size())) : pattern_.size();
}

/// An order of elimination. KLU only reads it, so that solvers share it.
using EliminationOrder = std::shared_ptr<klu_symbolic>;

struct PivotSequence {
  std::vector<double> values;  // of the matrix that the pivots come from
  EliminationOrder order;      // chosen at an earlier matrix, perhaps
};

struct LinearSolver::Sparse {
  klu_common common{};
  EliminationOrder order;
  klu_numeric* numeric = nullptr;
  std::vector<int> column_start, row;
  double growth_limit = 0;  // of factorizations on kept pivots

  explicit Sparse(const SparsePattern& by_column) : column_start(by_column.row_start()), row(by_column.column()) {
    klu_defaults(&common);
    common.tol = 0.1;  // the default of 0.001 loses up to three digits per pivot and saves no entries here
  }
  int size() const { return static_cast<int>(column_start.size()) - 1; }
  /// Everything but a singular matrix that KLU may complain about.
  void check_memory() const {
    if (common.status >= KLU_OK) return;
    throw NumericalError("the factors of a matrix with " + std::to_string(size()) +
                         " rows need more memory than there is");
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
  std::vector<int> waiting_order(const double* values, double& foreseen) {
    const auto n = static_cast<std::size_t>(size());
    std::vector<int> by_degree(n), waiting;
    double info[AMD_INFO];
    if (amd_order(size(), column_start.data(), row.data(), by_degree.data(), nullptr, info) < AMD_OK) {
      common.status = KLU_OUT_OF_MEMORY;
      check_memory();
    }
    foreseen = 2 * (info[AMD_LNZ] + size());
    std::vector<int> missing(n, 0);                // how many others an unknown waits for
    std::vector<std::vector<int>> waiting_for(n);  // who waits for an unknown
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
        if (values[e] == 0 || row[e] == static_cast<int>(j)) continue;
        waiting_for[static_cast<std::size_t>(row[e])].push_back(static_cast<int>(j));
        ++missing[j];
      }
      missing[j] = (missing[j] + 1) / 2;
    }
    std::vector<char> has_come(n, 0), is_placed(n, 0);
    auto place = [&](int j) {
      waiting.push_back(j);
      is_placed[static_cast<std::size_t>(j)] = 1;
    };
    std::size_t told = 0;  // placed unknowns of which those that wait know
    for (const int next : by_degree) {
      has_come[static_cast<std::size_t>(next)] = 1;
      if (missing[static_cast<std::size_t>(next)] <= 0) place(next);
      for (; told < waiting.size(); ++told) {
        for (const int j : waiting_for[static_cast<std::size_t>(waiting[told])]) {
          if (--missing[static_cast<std::size_t>(j)] == 0 && has_come[static_cast<std::size_t>(j)]) place(j);
        }
      }
    }
    for (const int j : by_degree) {  // what waits for each other
      if (!is_placed[static_cast<std::size_t>(j)]) place(j);
    }
    return waiting;
  }
  /// What a factorization on kept pivots costs.
  double operations() {
    klu_flops(order.get(), numeric, &common);
    return common.flops;
  }
  double entries() const { return static_cast<double>(numeric->lnz) + numeric->unz; }
  /// Up to this size every order is tried: the set-up is short whatever it brings.
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
    if (size() <= small || entries() > 2 * foreseen) try_order(1, values);
    if (size() <= small) try_order(0, values);
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
  ~Sparse() { forget_numbers(); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
};

LinearSolver::LinearSolver(std::shared_ptr<const MatrixLayout> layout)
    : layout_(std::move(layout)), values_(layout_->value_count()), one_(static_cast<std::size_t>(layout_->size())) {
  if (layout_->is_dense()) {
    dense_ = std::make_unique<DenseLu>(size());
  } else {
    sparse_ = std::make_unique<Sparse>(layout_->pattern_);
  }
  if (size() <= symmetric_limit) {
    ldl_ = std::make_unique<SmallLdl>(layout_->pattern_, [this](int i, int j) { return layout_->slot(i, j); });
  }
}

LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

bool LinearSolver::factor(bool symmetric) {
  ++factorizations_;
  singular_row_ = -1;
  is_ldl_ = false;
  if (symmetric && ldl_) {
    is_ldl_ = ldl_->factor(values_.data());
    if (is_ldl_) return true;
    ldl_.reset();
  }
  if (!dense_) return factor_sparse();
  singular_row_ = dense_->factor(values_.data());
  if (singular_row_ < 0) return true;
  if (!is_finite(values_)) singular_row_ = -1;
  return false;
}

bool LinearSolver::restore(std::span<const double> numbers) {
  is_ldl_ = ldl_ && ldl_->restore(numbers);
  return is_ldl_;
}

bool LinearSolver::factor_sparse() {
  check_interrupt();
  if (!is_finite(values_)) return false;
  Sparse& s = *sparse_;
  // The pivot sequence of the last full factorization is kept until the growth of the factors says otherwise. KLU's
  // reciprocal growth is 1 at best.
  if (s.numeric) {
    if (klu_refactor(s.column_start.data(), s.row.data(), values_.data(), s.order.get(), s.numeric, &s.common) &&
        klu_rgrowth(s.column_start.data(), s.row.data(), values_.data(), s.order.get(), s.numeric, &s.common) &&
        s.common.rgrowth > s.growth_limit && s.weak_column(values_.data()) < 0) {
      return true;
    }
    s.forget_numbers();
  }
  auto spare = std::move(sequence_);
  if (!s.factor(values_.data())) {
    s.check_memory();
    singular_row_ = s.stopped_at();
    s.forget();  // who goes on from here by way of pivoting() and who does not do the same
    return false;
  }
  singular_row_ = s.weak_column(values_.data());
  if (singular_row_ >= 0) {
    s.forget();
    return false;
  }
  klu_rgrowth(s.column_start.data(), s.row.data(), values_.data(), s.order.get(), s.numeric, &s.common);
  s.growth_limit = std::min(1e-3, 0.1 * s.common.rgrowth);
  const bool is_kept = spare.use_count() != 1;  // by somebody else; or there is none yet
  sequence_ = is_kept ? std::make_shared<PivotSequence>() : std::move(spare);
  sequence_->values = values_;
  sequence_->order = s.order;
  return true;
}

double LinearSolver::pivot_ratio() const {
  if (is_ldl_) return ldl_->pivot_ratio();
  if (dense_) return dense_->pivot_ratio();
  return sparse_->common.rcond;
}

Pivoting LinearSolver::pivoting() {
  const bool is_listed = ldl_ && ldl_->listings() > 0;
  if (!is_listed) {
    kept_ldl_.reset();
  } else if (!kept_ldl_ || kept_ldl_->listings() != ldl_->listings()) {
    kept_ldl_ = std::make_shared<const SmallLdl>(*ldl_);
  }
  return {size() <= symmetric_limit && !ldl_, kept_ldl_, sequence_};
}

void LinearSolver::set_ldl(const Pivoting& kept) {
  is_ldl_ = false;
  if (kept.is_unsymmetric) {
    ldl_.reset();
  } else if (kept.ldl) {
    const bool is_same = ldl_ && kept_ldl_ == kept.ldl && ldl_->listings() == kept.ldl->listings();
    if (!is_same) ldl_ = std::make_unique<SmallLdl>(*kept.ldl);
  } else if (size() <= symmetric_limit && (!ldl_ || ldl_->listings() > 0)) {
    ldl_ = std::make_unique<SmallLdl>(layout_->pattern_, [this](int i, int j) { return layout_->slot(i, j); });
  }
  kept_ldl_ = kept.ldl;
}

void LinearSolver::set_pivoting(const Pivoting& kept) {
  set_ldl(kept);
  if (!sparse_ || sequence_ == kept.sequence) return;
  sparse_->forget();
  sequence_.reset();
  if (!kept.sequence) return;
  sparse_->order = kept.sequence->order;
  values_ = kept.sequence->values;
  factor_sparse();
  sequence_ = kept.sequence;
}

void LinearSolver::solve(double* b) {
  if (is_ldl_) {
    ldl_->solve(b, 1);
  } else if (dense_) {
    dense_->solve(b);
  } else {
    klu_solve(sparse_->order.get(), sparse_->numeric, size(), 1, b, &sparse_->common);
  }
}

// Several right-hand sides matter for the small systems only; the sparse ones take them one by one.
void LinearSolver::solve_many(double* b, int count) {
  if (is_ldl_) {
    ldl_->solve(b, count);
    return;
  }
  if (dense_) {
    dense_->solve(b, count);
    return;
  }
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < one_.size(); ++i)
      one_[i] = b[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)];
    solve(one_.data());
    for (std::size_t i = 0; i < one_.size(); ++i)
      b[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(k)] = one_[i];
  }
}

void LinearSolver::solve_transposed(double* b) {
  if (is_ldl_) {
    ldl_->solve(b, 1);
  } else if (dense_) {
    dense_->solve_transposed(b);
  } else {
    klu_tsolve(sparse_->order.get(), sparse_->numeric, size(), 1, b, &sparse_->common);
  }
}

}  // namespace perilune::linalg
