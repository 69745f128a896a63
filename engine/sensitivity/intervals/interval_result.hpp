// SPDX-License-Identifier: MIT
// What adjoints over intervals of a motion come to, and how they become one gradient (Schaffer 2005, sections 5.2 to
// 5.4). On each interval the adjoint, in 2 d numbers that tell it, is
//   y(start) = transition s + particular,  s = y(end),
// and the gradient that it gathers is affine in s, too. So all intervals are solved apart from each other, and the s
// are found once the motion is at its end.
#pragma once
#include <Eigen/Core>
#include <deque>
#include <functional>
#include <memory>

#include "sensitivity/intervals/interval_cutter.hpp"

namespace perilune::sensitivity {

struct IntervalResult {
  // At the start of the interval: 2 d x 2 d and 2 d x objectives. The first interval has none.
  Eigen::MatrixXd transition, particular;
  // Gradients by the parameters that are gathered on the interval (tau and T_j; Schaffer 2005, eqs. 5.136 and 5.137):
  // parameters x objectives and parameters x 2 d.
  Eigen::MatrixXd of_particular, of_homogeneous;
  // Where second derivatives are to follow: what reduces to particular and transition (CarriedNumbers::whole).
  Eigen::MatrixXd whole;
  long linearizations = 0;
  // Of the first interval: the adjoint at the start of the motion, two halves of n x (objectives + 2 d).
  Eigen::MatrixXd first, second;
};

using IntervalResults = std::deque<IntervalResult>;  // does not move them
long linearizations(const IntervalResults& results);

struct IntervalOptions {
  int intervals = 0;     // as IntervalCutter
  bool pipeline = true;  // solves intervals while the motion goes on
  bool records = false;  // of the nodes
  int threads = 0;       // as JobQueue
  std::string method;    // for sentences: "the piecewise adjoint"
};

// Where the archive looks for it.
template <class Archive>
void archive_fields(Archive& archive, IntervalResult& result) {
  archive(result.transition, result.particular, result.of_particular, result.of_homogeneous, result.first,
          result.second, result.whole, result.linearizations);
}

/// The intervals of one motion as jobs of several threads and processes, which all simulate this motion: the same bits
/// for any number.
class IntervalJobs {
 public:
  explicit IntervalJobs(const IntervalOptions& options);
  ~IntervalJobs();
  IntervalJobs(const IntervalJobs&) = delete;
  IntervalJobs& operator=(const IntervalJobs&) = delete;
  /// The next interval, of so many steps: solved at once by some thread, or by none where it is that of another
  /// process.
  void add(std::size_t steps, std::function<IntervalResult()> solve);
  /// Every process has the results of all. Throws NumericalError where an interval failed in any.
  IntervalResults finish(const Evaluation& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A finished run, and its intervals solved. Without records its mesh may be the two ends alone: the motion is not
/// kept, but for the parts that are not solved yet.
struct SolvedIntervals {
  Evaluation run;
  IntervalResults results;
};

/// `solve(part, number)`: number 1 is the first interval.
using SolveInterval = std::function<IntervalResult(IntervalPart& part, std::size_t number)>;

/// Simulates from what `prepare` gave, and solves the intervals. Of several processes the first alone simulates, where
/// neither records nor the end of the motion are waited for (fed_intervals.hpp).
/// `check` is asked once the motion is complete. Throws as `gradient` does.
SolvedIntervals solve_intervals(const Problem& problem, Evaluation start, const IntervalOptions& options,
                                const SolveInterval& solve, const std::function<void(const Evaluation& run)>& check);

/// Simulates from what `prepare` gave, hands over the parts, and asks `check`. Throws as solve_intervals. Records of
/// parts refer to `motion`.
void cut_motion(const Problem& problem, Motion& motion, Evaluation& run, const IntervalOptions& options,
                const std::function<void(IntervalPart part)>& take,
                const std::function<void(const Evaluation& run)>& check);

/// Throws NumericalError where more intervals are asked for than there are steps.
void require_steps(int intervals, std::size_t steps, const std::string& method);

/// Parameters x columns, of gradients by the data, one for each column.
Eigen::MatrixXd by_parameters(const System& system, const Data& data, const std::vector<std::vector<double>>& gathered);

/// Columns of equal length; at least one.
Eigen::MatrixXd side_by_side(const std::vector<std::vector<double>>& columns);

/// From s of the last interval (2 d x objectives) to that of the first. Adds what the intervals gather to
/// parameters[objective].
void back_substitute(const IntervalResults& results, Eigen::MatrixXd& s, std::vector<std::vector<double>>& parameters);

}  // namespace perilune::sensitivity
