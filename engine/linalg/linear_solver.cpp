// SPDX-License-Identifier: MIT
#include "linalg/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "error.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/frontal.hpp"
#include "linalg/sparse_lu.hpp"
#include "poll.hpp"
#include "profile.hpp"

namespace perilune::linalg {

namespace {

/// Each entry is met where the rows stand one after the other, so that those of each column come from top to bottom.
bool is_symmetric(const SparsePattern& pattern) {
  if (pattern.rows() != pattern.columns()) return false;
  const std::vector<int>&start = pattern.row_start(), &column = pattern.column();
  std::vector<int> next(start.begin(), start.end() - 1);  // in the row of each column's number
  Poll poll;
  for (int i = 0; i < pattern.rows(); ++i) {
    poll();
    for (auto k = static_cast<std::size_t>(start[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(start[static_cast<std::size_t>(i) + 1]); ++k) {
      const auto j = static_cast<std::size_t>(column[k]);
      const int place = next[j]++;
      if (place >= start[j + 1] || column[static_cast<std::size_t>(place)] != i) return false;
    }
  }
  return true;
}

SparsePattern transposed(const SparsePattern& pattern) {
  if (is_symmetric(pattern)) return pattern;
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

MatrixLayout::MatrixLayout(const SparsePattern& pattern, std::vector<char> is_multiplier)
    : pattern_(transposed(pattern)), is_multiplier_(std::move(is_multiplier)) {}

int MatrixLayout::slot(int row, int column) const {
  return is_dense() ? row * DenseLu::row_length(size()) + column : pattern_.slot(column, row);
}

std::size_t MatrixLayout::value_count() const {
  return is_dense() ? static_cast<std::size_t>(size() * DenseLu::row_length(size())) : pattern_.size();
}

struct PivotSequence {
  std::vector<double> values;  // of the matrix that the pivots come from
  EliminationOrder order;      // chosen at an earlier matrix, perhaps
};

LinearSolver::LinearSolver(std::shared_ptr<const MatrixLayout> layout)
    : layout_(std::move(layout)), values_(layout_->value_count()), one_(static_cast<std::size_t>(layout_->size())) {
  if (layout_->is_dense()) {
    dense_ = std::make_unique<DenseLu>(size());
  } else {
    sparse_ = std::make_unique<SparseLu>(layout_->pattern_);
  }
}

void LinearSolver::make_ldl() {
  const auto slot = [this](int i, int j) { return layout_->slot(i, j); };
  if (size() <= symmetric_limit) {
    ldl_ = std::make_unique<SmallLdl>(layout_->pattern_, slot);
  } else {
    blocks_ = std::make_unique<FrontalLdl>(layout_->pattern_, slot);
  }
}

void LinearSolver::make_lu() {
  lu_ = std::make_unique<FrontalLu>(
      transposed(layout_->pattern_), [this](int i, int j) { return layout_->slot(i, j); }, layout_->is_multiplier_);
}

LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

void LinearSolver::expect_few() {
  if (sparse_) sparse_->expects_few = true;
}

bool LinearSolver::factor(bool symmetric) {
  if (!Profile::is_on()) [[likely]]
    return factor_now(symmetric);
  const TimedTask timed(Task::Factorization);
  return factor_now(symmetric);
}

bool LinearSolver::factor_now(bool symmetric) {
  ++factorizations_;
  singular_row_ = -1;
  found_ = Found::ByPivots;
  if (factor_without_pivots(symmetric)) return true;
  if (!dense_) return factor_sparse();
  singular_row_ = dense_->factor(values_.data());
  if (singular_row_ < 0) return true;
  if (!is_finite(values_)) singular_row_ = -1;
  return false;
}

bool LinearSolver::factor_without_pivots(bool symmetric) {
  if (symmetric && !is_unsymmetric_) {
    if (!ldl_ && !blocks_) make_ldl();
    const bool is_done = blocks_ ? blocks_->pays() && blocks_->factor(values_.data()) : ldl_->factor(values_.data());
    if (is_done) found_ = Found::Ldl;
    is_unsymmetric_ = !is_done;
    if (is_done) return true;
  }
  if (dense_ || needs_pivots_ || layout_->is_multiplier_.empty() || !is_finite(values_)) return false;
  if (!lu_) make_lu();
  needs_pivots_ = !lu_->pays() || !lu_->factor(values_.data());
  if (!needs_pivots_) found_ = Found::Lu;
  return !needs_pivots_;
}

std::span<const double> LinearSolver::factor_numbers() const {
  if (found_ != Found::Ldl) return {};
  return blocks_ ? blocks_->numbers() : ldl_->numbers();
}

bool LinearSolver::restore(std::span<const double> numbers) {
  const bool is_back = blocks_ ? blocks_->restore(numbers) : ldl_ && ldl_->restore(numbers);
  found_ = is_back ? Found::Ldl : Found::ByPivots;
  return is_back;
}

bool LinearSolver::factor_sparse() {
  check_interrupt();
  if (!is_finite(values_)) return false;
  SparseLu& s = *sparse_;
  // The pivot sequence of the last full factorization is kept until the growth of the factors says otherwise. KLU's
  // reciprocal growth is 1 at best.
  if (s.numeric) {
    if (klu_refactor(s.column_start.data(), s.row.data(), values_.data(), s.order.get(), s.numeric, &s.common) &&
        s.growth(values_.data()) > s.growth_limit && s.weak_column(values_.data()) < 0) {
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
  s.growth_limit = std::min(1e-3, 0.1 * s.first_growth(values_.data()));
  const bool is_kept = spare.use_count() != 1;  // by somebody else; or there is none yet
  sequence_ = is_kept ? std::make_shared<PivotSequence>() : std::move(spare);
  sequence_->values = values_;
  sequence_->order = s.order;
  return true;
}

double LinearSolver::pivot_ratio() const {
  if (found_ == Found::Lu) return lu_->pivot_ratio();
  if (found_ == Found::Ldl) return blocks_ ? blocks_->pivot_ratio() : ldl_->pivot_ratio();
  if (dense_) return dense_->pivot_ratio();
  return sparse_->common.rcond;
}

Pivoting LinearSolver::pivoting() {
  const bool is_listed = ldl_ && ldl_->listings() > 0 && !is_unsymmetric_;
  if (!is_listed) {
    kept_ldl_.reset();
  } else if (!kept_ldl_ || kept_ldl_->listings() != ldl_->listings()) {
    kept_ldl_ = std::make_shared<const SmallLdl>(*ldl_);
  }
  return {is_unsymmetric_,
          needs_pivots_,
          kept_ldl_,
          blocks_ && !is_unsymmetric_ ? blocks_->method() : nullptr,
          lu_ && !needs_pivots_ ? lu_->method() : nullptr,
          sequence_};
}

void LinearSolver::set_ldl(const Pivoting& kept) {
  found_ = Found::ByPivots;
  is_unsymmetric_ = kept.is_unsymmetric;
  needs_pivots_ = kept.needs_pivots;
  if (lu_ || kept.lu_method) {
    if (!lu_) make_lu();
    lu_->set_method(kept.lu_method);
  }
  if (blocks_ || kept.method) {
    if (!blocks_) make_ldl();
    blocks_->set_method(kept.method);
  } else if (kept.ldl) {
    const bool is_same = ldl_ && kept_ldl_ == kept.ldl && ldl_->listings() == kept.ldl->listings();
    if (!is_same) ldl_ = std::make_unique<SmallLdl>(*kept.ldl);
  } else if (ldl_ && ldl_->listings() > 0) {
    ldl_.reset();
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
  if (!Profile::is_on()) [[likely]]
    return solve_now(b);
  const TimedTask timed(Task::Solution);
  solve_now(b);
}

void LinearSolver::solve_now(double* b) {
  if (found_ == Found::Ldl) {
    blocks_ ? blocks_->solve(b, 1) : ldl_->solve(b, 1);
  } else if (found_ == Found::Lu) {
    lu_->solve(b, 1);
  } else if (dense_) {
    dense_->solve(b);
  } else {
    klu_solve(sparse_->order.get(), sparse_->numeric, size(), 1, b, &sparse_->common);
  }
}

// Several right-hand sides matter for the small systems only; KLU takes them one by one.
void LinearSolver::solve_many(double* b, int count) {
  const TimedTask timed(Task::Solution);
  if (found_ == Found::Ldl) {
    blocks_ ? blocks_->solve(b, count) : ldl_->solve(b, count);
    return;
  }
  if (found_ == Found::Lu) {
    lu_->solve(b, count);
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
  const TimedTask timed(Task::Solution);
  if (found_ == Found::Ldl) {
    blocks_ ? blocks_->solve(b, 1) : ldl_->solve(b, 1);
  } else if (found_ == Found::Lu) {
    lu_->solve_transposed(b, 1);
  } else if (dense_) {
    dense_->solve_transposed(b);
  } else {
    klu_tsolve(sparse_->order.get(), sparse_->numeric, size(), 1, b, &sparse_->common);
  }
}

}  // namespace perilune::linalg
