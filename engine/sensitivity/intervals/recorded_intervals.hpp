// SPDX-License-Identifier: MIT
// The discrete adjoint over intervals of a finished motion, of any form and integrator: what is carried across the
// boundaries is read from the steps (intervals/carried.hpp). Motions in phases have such intervals in each phase, all
// of which are solved together: the adjoint at the end of a phase is told by that of its state and its time.
#pragma once
#include <string>
#include <vector>

#include "sensitivity/gradient.hpp"
#include "sensitivity/intervals/carried_numbers.hpp"
#include "sensitivity/intervals/interval_result.hpp"

namespace perilune::sensitivity {

/// The integrals of the objectives without their terminal parts, which the end of the motion adds, and nothing for
/// `homogeneous` more.
Problem problem_of_columns(const Problem& problem, Eigen::Index homogeneous);

/// Intervals of one run. First they are solved for whatever may come to their ends, then once more for what does but
/// for rounding: for the rounding of one sweep. What single columns of a transition gather may be a million times as
/// large as their sum, as with forces of constraints in steps that fulfil positions alone. Only d freedoms of one point
/// are free of that, which is_exact() tells.
class RecordedIntervals {
 public:
  enum class For { Gradients, SecondDerivatives };
  /// Affine in s, the adjoint at its end by objectives: all was found for `base`, or for zero where there is none.
  struct Interval {
    const Carried *before, *after;  // null at the ends of the run
    Eigen::MatrixXd base, s;
    Eigen::MatrixXd whole;  // for second derivatives: the adjoint at its end that s tells
    IntervalResult result;
    bool is_known = false;  // its base is what comes to its end: it has no transition
  };

  /// Of `count` intervals or fewer, as equal in their numbers of steps as they may be.
  RecordedIntervals(const Problem& problem, const Evaluation& run, NodeRecord& nodes, bool has_own_rate,
                    std::size_t count, For what = For::Gradients);
  RecordedIntervals(const RecordedIntervals&) = delete;
  RecordedIntervals& operator=(const RecordedIntervals&) = delete;

  /// What follows the run, before it is solved: its last interval follows this alone.
  void know_end(const AdjointBundle& end);
  /// Jobs for all intervals, or, once they are solved, for those whose ends have come to be known since.
  void add_to(IntervalJobs& jobs);
  /// The results of these, from the front.
  void take(IntervalResults& results);
  bool is_exact() const;
  /// The most numbers that an interval's end is told by, where they are not known.
  Eigen::Index most_numbers() const;
  /// From what follows the run to what comes to its start. Keeps what comes to the ends of the intervals.
  void reverse(AdjointBundle& bundle);

  long linearizations() const { return linearizations_; }

  const RecordedMotion& motion() const { return motion_; }
  /// With what comes to their ends, once they were reversed.
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  IntervalResult solve(const Interval& of, bool follows_all) const;

  RecordedMotion motion_;
  std::vector<Carried> at_;
  std::vector<Interval> intervals_;
  For what_;
  bool is_solved_ = false;
  long linearizations_ = 0;
};

/// An interval is followed for each of these numbers. Beyond so many it takes about as many cores before time is won
/// over one sweep. Not by how many cores there are: the bits are those of any number of threads.
constexpr Eigen::Index most_numbers_of_intervals = 64;
/// A sentence for the results of motions that have more.
std::string remark_of_one_sweep(Eigen::Index numbers);
/// The jobs of all these, which are parts of one motion, together.
void solve(const std::vector<RecordedIntervals*>& parts, const Evaluation& run, const IntervalOptions& options);

/// Simulates from `run`, which `prepare` gave.
Gradient recorded_interval_adjoint(const Problem& problem, Evaluation& run, const std::vector<int>& over,
                                   const IntervalOptions& options);

}  // namespace perilune::sensitivity
