// SPDX-License-Identifier: MIT
// L D U without pivoting of a sparse matrix with a fixed pattern, in dense blocks; of a symmetric one L D L^T, for half
// the work. Meant for saddle-point matrices [M c; j -kappa] and for several of them that are coupled, from a size on
// where lists of single operations (SmallLdl) are too long. It refuses where a pivot is mostly rounding.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "linalg/frontal_plan.hpp"

namespace perilune::linalg {

/// How to eliminate, found for the matrices so far. Immutable; whoever goes on with it gets the same bits.
struct FrontalMethod {
  FrontalKnowledge knowledge;
  std::vector<int> dormant;  // slots of the entries that do not count yet
  FrontalPlan plan;
  int corrections;            // of solutions, by what they leave of the equations
  int round;                  // how many others came before it
  double number;              // no other has it
  std::vector<double> probe;  // a solution to try factorizations with, by place in the order
};

template <bool symmetric>
class Frontal {
 public:
  /// slot(i, j) says where entry (i, j) stands in the value array. The diagonal must be full. A symmetric matrix has a
  /// symmetric pattern, and its multipliers stand behind its coordinates; of others it is said which they are.
  template <class Slot>
  Frontal(const SparsePattern& pattern, Slot&& slot, std::vector<char> is_multiplier = {})
      : n_(pattern.rows()), pattern_{n_, symmetric, {}, std::move(is_multiplier)} {
    pattern.for_each([&](int i, int j) {
      if (!symmetric || i >= j) pattern_.entries.push_back({i, j, slot(i, j)});
    });
  }

  /// Fronts of one or two numbers, as chains of points have, cost more than KLU's columns do
  /// (tests/bench/bench_solver).
  bool pays() const { return pattern_.entries.size() >= (symmetric ? 4 : 7) * static_cast<std::size_t>(n_); }

  /// False when a pivot is lost to rounding (or not finite), and no other order helps.
  bool factor(const double* values);

  const std::shared_ptr<const FrontalMethod>& method() const { return method_; }
  /// Null: nothing is known yet. The last factorization is lost.
  void set_method(std::shared_ptr<const FrontalMethod> method);

  /// Smallest pivot over largest.
  double pivot_ratio() const;
  /// The last factorization as numbers, to be used again later.
  const std::vector<double>& numbers() const { return numbers_; }
  /// False when the method has changed since the numbers were taken.
  bool restore(std::span<const double> numbers);

  /// A x = b in place, for `count` right-hand sides, interleaved.
  void solve(double* b, int count);
  /// The same for A^T.
  void solve_transposed(double* b, int count);

 private:
  using Front = FrontalPlan::Front;
  using Square = FrontalPlan::Square;
  static constexpr std::ptrdiff_t sides = symmetric ? 1 : 2;
  static constexpr double rounding = 1e-14;
  static constexpr double most_left = 1e-12;  // of equations by corrected solutions, beside their terms
  struct Strength {
    double factor[3];  // by FrontalPlan::Extra::Factor
  };

  bool is_known(const double* values) const;
  /// What is known, and which entries are not zero any more.
  FrontalKnowledge awakened(const double* values) const;
  /// What the lost pivots say; false when nothing is new.
  bool learn(FrontalKnowledge& knowledge) const;
  /// Makes a plan and factors by it.
  bool adopt(FrontalKnowledge knowledge, const double* values);
  void make_room();
  /// Symmetric ones keep few numbers, as restore() brings them back: whether they are refined is the method's.
  bool keeps_entries() const { return !symmetric || method_->corrections > 0; }
  int corrections() const { return error_ > rounding ? std::max(method_->corrections, 1) : method_->corrections; }
  /// Accelerations of 1, and multipliers that are as large as the forces of these.
  template <bool transposed>
  std::vector<double> make_probe() const;
  /// What a solution leaves of an equation, beside its terms, at most; tried with the probe.
  template <bool transposed>
  double largest_error(int corrections);

  /// How much of each square is added, and s c and s j.
  void weigh_squares(const double* values);
  void assemble(const Front& front, const double* values);
  /// Eliminates all unknowns; where pivots are lost, goes on with others to see which more are.
  bool eliminate(const double* values);
  /// Of the front's own unknown k. False where there is no number to go on with.
  bool eliminate_one(const Front& front, int k);
  /// What the unknown's pivot is the sum of, in magnitudes.
  double magnitude(const Front& front, int k) const;
  /// Of a constraint: nothing but its compliance is left, and far above the rounding of `size`.
  bool is_compliance(const Front& front, int k, double pivot, double size);
  template <int W, bool transposed>
  void solve_block(double* b, std::ptrdiff_t stride);
  /// By place in the order, as the next two.
  template <int W, bool transposed>
  void solve_once(double* y);
  /// y -= A x.
  template <int W, bool transposed>
  void subtract_product(const double* x, double* y) const;

  double* inverse() { return numbers_.data() + method_->plan.factor; }
  const double* inverse() const { return numbers_.data() + method_->plan.factor; }
  /// s c and s j of each square.
  double* square_numbers() { return inverse() + n_; }
  double* entries() {
    return square_numbers() + sides * static_cast<std::ptrdiff_t>(method_->plan.squares.size()) * Square::most;
  }
  const double* entries() const { return const_cast<Frontal*>(this)->entries(); }

  int n_;
  FrontalPattern pattern_;
  std::shared_ptr<const FrontalMethod> method_;
  std::vector<int> lost_;             // unknowns whose pivots the last elimination lost
  bool leans_on_compliance_ = false;  // some pivot of the last elimination is little else
  double error_ = 0;  // of what the last factorization solves, see largest_error(); of those that are not symmetric
  std::vector<double> memory_, own_, local_, work_;
  std::vector<double> probed_;      // of largest_error()
  std::vector<Strength> strength_;  // of each square
  // The factor, front by front, rows of L^T and then those of U, without pivots; inverse pivots in order of
  // elimination; what the squares add; the entries, in the order of the plan's loads, where solutions are refined; and
  // which plan they are of.
  std::vector<double> numbers_;
};

using FrontalLdl = Frontal<true>;
using FrontalLu = Frontal<false>;

}  // namespace perilune::linalg
