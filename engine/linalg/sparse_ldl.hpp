// SPDX-License-Identifier: MIT
// L D L^T without pivoting of a symmetric sparse matrix with a fixed pattern, in dense blocks. Meant for saddle-point
// matrices [M J^T; J -kappa], the multipliers behind the coordinates, as SmallLdl is, from a size on where its list of
// single operations is too long. It refuses where a pivot is mostly rounding.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "linalg/ldl_plan.hpp"

namespace perilune::linalg {

/// How to eliminate, found for the matrices so far. Immutable; whoever goes on with it gets the same bits.
struct LdlMethod {
  LdlKnowledge knowledge;
  std::vector<int> dormant;  // slots of the entries that do not count yet
  LdlPlan plan;
  bool refines;   // solutions are corrected once by what they leave of the equations
  int round;      // how many others came before it
  double number;  // no other has it
};

class SparseLdl {
 public:
  /// The pattern must be symmetric with a full diagonal; slot(i, j) says where entry (i, j) stands in the value array.
  template <class Slot>
  SparseLdl(const SparsePattern& pattern, Slot&& slot) : n_(pattern.rows()) {
    pattern.for_each([&](int i, int j) {
      if (i >= j) entries_.push_back({i, j, slot(i, j)});
    });
  }

  /// Fronts of one or two numbers, as chains of points have, cost more than KLU's columns do
  /// (tests/bench/bench_solver).
  bool pays() const { return entries_.size() >= 4 * static_cast<std::size_t>(n_); }

  /// False when a pivot is lost to rounding (or not finite), and no other order helps.
  bool factor(const double* values);

  const std::shared_ptr<const LdlMethod>& method() const { return method_; }
  /// Null: nothing is known yet. The last factorization is lost.
  void set_method(std::shared_ptr<const LdlMethod> method);

  /// Smallest pivot over largest.
  double pivot_ratio() const;
  /// The last factorization as numbers, to be used again later.
  const std::vector<double>& numbers() const { return numbers_; }
  /// False when the method has changed since the numbers were taken.
  bool restore(std::span<const double> numbers);

  /// A x = b in place, for `count` right-hand sides, interleaved.
  void solve(double* b, int count);

 private:
  using Front = LdlPlan::Front;

  bool is_known(const double* values) const;
  /// What is known, and which entries are not zero any more.
  LdlKnowledge awakened(const double* values) const;
  /// What the lost pivots say; false when nothing is new.
  bool learn(LdlKnowledge& knowledge) const;
  /// Makes a plan and factors by it.
  bool adopt(LdlKnowledge knowledge, const double* values);
  void make_room();
  /// What a solution leaves of an equation, beside its terms, at most; tried with accelerations of 1 and multipliers
  /// that are as large as the forces of these.
  double largest_error(bool refined);

  /// s of each square, and s times its entries.
  void weigh_squares(const double* values);
  void assemble(const Front& front, const double* values);
  /// Eliminates all unknowns; where pivots are lost, goes on with others to see which more are.
  bool eliminate(const double* values);
  template <int W>
  void solve_block(double* b, std::ptrdiff_t stride);
  /// By place in the order, as the next two.
  template <int W>
  void solve_once(double* y);
  /// y -= A x.
  template <int W>
  void subtract_product(const double* x, double* y) const;

  double* inverse() { return numbers_.data() + method_->plan.factor; }
  const double* inverse() const { return numbers_.data() + method_->plan.factor; }
  double* square_numbers() { return inverse() + n_; }
  double* entries() { return square_numbers() + method_->plan.squares.size() * LdlPlan::Square::most; }
  const double* entries() const { return const_cast<SparseLdl*>(this)->entries(); }

  int n_;
  std::vector<LowerEntry> entries_;
  std::shared_ptr<const LdlMethod> method_;
  std::vector<int> lost_;  // unknowns whose pivots the last elimination lost
  std::vector<double> memory_, local_, work_;
  std::vector<std::pair<double, double>> strength_;  // of each square: of J^T J, of the constraint's row
  // The factor, front by front; inverse pivots in order of elimination; s J of each square; the entries, in the order
  // of the plan's loads, where solutions are refined; and which plan they are of.
  std::vector<double> numbers_;
};

}  // namespace perilune::linalg
