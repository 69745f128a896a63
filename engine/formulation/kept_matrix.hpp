// SPDX-License-Identifier: MIT
// Matrices of implicit steps that serve for later steps, too: when Newton's method goes on with the one it has, and
// when it makes another. Whatever it does, it ends where the residuals are zero within its tolerance.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "formulation/node.hpp"

namespace perilune::formulation {

/// The matrix of an implicit step, before anything is made of it.
struct KeptMatrix {
  int size = 0;     // of the group
  double of_v = 0;  // weight of an acceleration in its node's velocity
  std::vector<double> values;

  /// Whether it may serve for a step of this kind; how corrections shrink tells the rest.
  bool suits(const Coupling& coupling) const {
    constexpr double nearly_same = 0.2;
    const double other = coupling.va(0, 0);
    return size == coupling.size && std::abs(other - of_v) <= nearly_same * std::abs(other);
  }
};

/// Keeps a matrix in place of the one before, of which somebody else may know.
inline void keep(std::shared_ptr<KeptMatrix>& kept, const Coupling& coupling, std::span<const double> values) {
  if (!kept || kept.use_count() > 1) kept = std::make_shared<KeptMatrix>();
  kept->size = coupling.size;
  kept->of_v = coupling.va(0, 0);
  kept->values.assign(values.begin(), values.end());
}

/// Groups with no more unknowns than this make their own matrices, which cost little more than the iterations that
/// those of earlier steps take.
inline constexpr std::size_t own_matrix_limit = 48;

/// For how many steps matrices serve. One that fails soon costs more iterations than it saves: then some steps make
/// their own before another one is tried.
class MatrixService {
 public:
  /// At the beginning of a step: whether the matrix of an earlier one is worth a try.
  bool is_worth_trying() {
    if (waits_ == 0) return true;
    --waits_;
    return false;
  }
  /// It served for a whole step.
  void serve() {
    if (++steps_ > enough) pause_ = 0;
  }
  /// It did not, in a group of this size, whose matrix costs the more the larger it is.
  void fail(int size) {
    if (steps_ >= (size > 1 ? 1 : enough)) return;
    waits_ = pause_ = std::min(longest, std::max(1, 2 * pause_));
  }
  void renew() { steps_ = 0; }
  bool operator==(const MatrixService&) const = default;

 private:
  static constexpr int enough = 2, longest = 8;  // steps
  int steps_ = 0, pause_ = 0, waits_ = 0;
};

/// Of the iterations of one step. A matrix made here leaves little of what a correction changes, wherever that is; one
/// of an earlier step may leave the most of a part that is small beside others, which shows in the second ratio of
/// corrections.
class MatrixUse {
 public:
  /// `keeps`: a matrix costs many residuals, and is kept while corrections shrink quickly. `serves`: that of an earlier
  /// step is there.
  MatrixUse(bool keeps, bool serves) : keeps_(keeps), has_matrix_(serves), is_earlier_(serves) {}

  bool has_matrix() const { return has_matrix_; }
  /// That of an earlier step is all that this one has needed so far. Its corrections are to be measured by all
  /// unknowns.
  bool is_earlier() const { return is_earlier_; }
  /// What is to be done with a correction of this size by a matrix that was there: nothing was as good, or the same is
  /// to be tried with a matrix made here, or at the first guess, from which an earlier matrix led astray.
  enum class Verdict { Good, Renew, Astray };
  template <class IsRounding>
  Verdict judge(double correction, IsRounding&& is_rounding) {
    left_ = correction / before_;
    if (left_ <= quick || (!is_earlier_ && left_ > slow && is_rounding())) return Verdict::Good;
    has_matrix_ = false;
    if (!is_earlier_ || left_ <= slow || (corrections_ > 1 && std::isfinite(left_))) return Verdict::Renew;
    is_earlier_ = false;
    before_ = std::numeric_limits<double>::infinity();
    return Verdict::Astray;
  }
  /// A matrix is made here.
  void renew() {
    if (is_earlier_) before_ = std::numeric_limits<double>::infinity();
    has_matrix_ = keeps_;
    is_earlier_ = false;
    left_ = 0;
  }
  /// Whether the correction just made is the last: Newton's corrections are far larger than what they leave; those by a
  /// matrix that was kept are not, and of one of an earlier step two ratios have to be known unless they are tiny.
  bool is_last(double correction, double allowed) const {
    if (!is_earlier_) return correction <= allowed && left_ * correction <= 0.01 * allowed;
    constexpr double tiny[] = {1e-6, 1e-3};  // of the first correction, of the second
    if (corrections_ < 2) return correction <= tiny[corrections_] * allowed;
    return std::max(left_, quick) * correction <= 0.01 * allowed;
  }
  double before() const { return before_; }
  void go_on(double correction) {
    before_ = correction;
    ++corrections_;
  }

 private:
  static constexpr double quick = 0.05, slow = 0.5;
  bool keeps_, has_matrix_, is_earlier_;
  int corrections_ = 0;                                      // before this one
  double left_ = 0;                                          // of the error, by the last correction
  double before_ = std::numeric_limits<double>::infinity();  // the correction before
};

}  // namespace perilune::formulation
