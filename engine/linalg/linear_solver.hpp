// SPDX-License-Identifier: MIT
// One interface to square linear systems with a fixed pattern: dense LU for small ones, without pivoting where the
// matrix is known to allow it, KLU for the others.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "linalg/dense_lu.hpp"
#include "linalg/small_ldl.hpp"
#include "linalg/sparse_pattern.hpp"

namespace perilune::linalg {

/// Up to this size the dense factorization is faster (tests/bench/bench_solver prints the ratio).
inline constexpr int dense_limit = 16;
/// Up to this size a symmetric matrix is factored by single operations; beyond, in blocks: the set-up, which grows with
/// the cube of the size, begins to show.
inline constexpr int symmetric_limit = 48;

/// Where the entries of a matrix stand in a LinearSolver's value array. Immutable, shared between threads.
class MatrixLayout {
 public:
  /// `is_multiplier`: of matrices that mostly need no pivoting if multipliers are eliminated behind what they hold.
  explicit MatrixLayout(const SparsePattern& pattern, std::vector<char> is_multiplier = {});
  int size() const { return pattern_.rows(); }
  bool is_dense() const { return size() <= dense_limit; }
  /// Position of entry (row, column) in the value array.
  int slot(int row, int column) const;
  std::size_t value_count() const;

 private:
  friend class LinearSolver;
  SparsePattern pattern_;  // of the transpose, so that its rows are the columns that KLU wants
  std::vector<char> is_multiplier_;
};

/// The matrix that a sparse factorization found its pivots in, and its order of elimination.
struct PivotSequence;

struct SparseLu;
template <bool symmetric>
class Frontal;
struct FrontalMethod;

/// What a solver keeps from one matrix to the next. It decides about the last bits of what follows. Cheap to copy.
struct Pivoting {
  bool is_unsymmetric = false;                     // the symmetric factorization had to refuse
  bool needs_pivots = false;                       // and so had that of others without pivoting
  std::shared_ptr<const SmallLdl> ldl;             // null: no operations are listed yet
  std::shared_ptr<const FrontalMethod> method;     // of larger ones, likewise
  std::shared_ptr<const FrontalMethod> lu_method;  // and of those that are not symmetric
  std::shared_ptr<PivotSequence> sequence;         // what KLU's pivots come from, if there are any
  bool operator==(const Pivoting&) const = default;
};

/// The factorization of one matrix at a time. One per thread.
class LinearSolver {
 public:
  explicit LinearSolver(std::shared_ptr<const MatrixLayout> layout);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  int size() const { return layout_->size(); }
  const MatrixLayout& layout() const { return *layout_; }
  std::shared_ptr<const MatrixLayout> shared_layout() const { return layout_; }
  /// The matrix to be factored, by MatrixLayout::slot. factor() leaves it intact.
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  std::size_t value_count() const { return values_.size(); }

  /// There will be a few matrices alone: their order of elimination is not searched for long.
  void expect_few();
  /// False when the matrix is singular to working precision or has non-finite entries. A matrix that is `symmetric`
  /// (values and pattern) is tried without pivoting first.
  bool factor(bool symmetric = false);
  /// Solves A x = b in place. factor() must have succeeded.
  void solve(double* b);
  /// The same for `count` right-hand sides, interleaved: entry i of vector k stands at i * count + k.
  void solve_many(double* b, int count);
  /// Solves A^T x = b in place.
  void solve_transposed(double* b);
  /// The last factorization as a few numbers that restore() brings back, for whoever visits the same points again.
  /// Empty when it is not that cheap.
  std::span<const double> factor_numbers() const;
  /// Only with numbers of this solver, and after no factorization in between that had to pivot.
  bool restore(std::span<const double> numbers);
  Pivoting pivoting();
  /// Goes on as a solver of the same layout did from there. The last factorization is lost.
  void set_pivoting(const Pivoting& kept);
  /// Unknown (column of the matrix) without a usable pivot in the last failed factor(), or -1 where that is not known.
  int singular_row() const { return singular_row_; }
  long factorization_count() const { return factorizations_; }
  /// What the next matrix that is symmetric will be factored by, once there was one; null where it is not by single
  /// operations without pivoting.
  SmallLdl* symmetric_method() const { return is_unsymmetric_ ? nullptr : ldl_.get(); }
  /// That method was given the factorization of another matrix just now; values() knows nothing of it.
  void take_symmetric() {
    ++factorizations_;
    singular_row_ = -1;
    found_ = Found::Ldl;
  }
  /// Smallest pivot over largest of the last factorization, in (0, 1].
  double pivot_ratio() const;

 private:
  enum class Found { ByPivots, Ldl, Lu };  // what stands in the last factorization

  // What a profile times, apart from how: small systems would feel more than one comparison.
  bool factor_now(bool symmetric);
  void solve_now(double* b);
  bool factor_sparse();
  bool factor_without_pivots(bool symmetric);
  void make_ldl();
  void make_lu();
  void set_ldl(const Pivoting& kept);

  std::shared_ptr<const MatrixLayout> layout_;
  std::vector<double> values_, one_;
  std::unique_ptr<DenseLu> dense_;
  // One of these two for symmetric matrices, from the first on; unused once it had to refuse: such a system will ask
  // for pivoting again.
  std::unique_ptr<SmallLdl> ldl_;
  std::unique_ptr<Frontal<true>> blocks_;
  std::unique_ptr<Frontal<false>> lu_;  // likewise for others, where the layout knows multipliers
  bool is_unsymmetric_ = false;         // the symmetric one has refused
  bool needs_pivots_ = false;           // the other one has
  Found found_ = Found::ByPivots;
  std::shared_ptr<const SmallLdl> kept_ldl_;  // for whoever asked for the pivoting
  std::unique_ptr<SparseLu> sparse_;
  std::shared_ptr<PivotSequence> sequence_;  // what sparse_ was factored from with pivoting
  int singular_row_ = -1;
  long factorizations_ = 0;
};

}  // namespace perilune::linalg
