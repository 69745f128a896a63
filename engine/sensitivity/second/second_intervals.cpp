// SPDX-License-Identifier: MIT
// Second adjoints over intervals of a motion. Along a direction, the adjoint y at the start of an interval has the
// derivative
//   y'(start) = T y'(end) + T' y(end)
// where T is the transition that the gradient was found by: it is the same for every direction, and for every
// objective. What mesh points keep to makes T read no more of y'(end) than the numbers that tell a first adjoint; the
// second term, which the sweep through the interval finds, wants y(end) itself.
#include <algorithm>

#include "parallel.hpp"
#include "ranks/each.hpp"
#include "sensitivity/intervals/recorded_intervals.hpp"
#include "sensitivity/second/second_adjoints.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Interval = RecordedIntervals::Interval;

/// Of an interval, with the second adjoints at its end that were assumed.
struct SecondResult {
  MatrixXd reduced;  // the numbers of the second adjoints at its start, [direction][objective] by columns
  SecondAdjoints gathered;

  template <class Archive>
  friend void archive_fields(Archive& archive, SecondResult& result) {
    archive(result.reduced, result.gathered);
  }
};

void add(const AdjointBundle& from, AdjointBundle& to) {
  const auto sum = [](const std::vector<std::vector<double>>& part, std::vector<std::vector<double>>& all) {
    for (std::size_t o = 0; o < all.size(); ++o) {
      for (std::size_t k = 0; k < all[o].size(); ++k) all[o][k] += part[o][k];
    }
  };
  sum(from.data, to.data);
  sum(from.parameters, to.parameters);
  sum(from.q, to.q);  // zero but of the first interval
  sum(from.v, to.v);
}

class SecondIntervals {
 public:
  SecondIntervals(const TwiceFollowed& motion, const RecordedIntervals& solved)
      : motion_(motion),
        solved_(solved),
        objectives_(motion.problem.objectives.size()),
        columns_(static_cast<Index>(objectives_ * motion.directions)),
        base_(solved.intervals().size()),
        s_(base_) {}

  /// All intervals, from the second adjoints at their ends that are known so far: zero at first. `threads`: as
  /// second_adjoints.
  void solve(int threads) {
    base_ = s_;
    const std::size_t count = solved_.intervals().size();
    const int here = threads > 0 ? std::min(threads, thread_count()) : thread_count();
    const int all = here * (ranks::may_spread() ? ranks::size() : 1);
    // With one thread there is nothing to share out; else by ones, so that all end together.
    const std::size_t groups = all > 1 ? count : 1;
    const auto title = [&] { return std::to_string(count) + " intervals of " + motion_.title; };
    using Results = std::vector<SecondResult>;
    std::vector<Results> found = ranks::compute_each<Results>(title, groups, [&](std::size_t group) {
      Results out;
      for (std::size_t k = group * count / groups; k < (group + 1) * count / groups; ++k) out.push_back(solve_one(k));
      return out;
    });
    results_.clear();
    for (Results& part : found) std::move(part.begin(), part.end(), std::back_inserter(results_));
    for (const SecondResult& result : results_) linearizations_ += result.gathered.linearizations;
    substitute_back();
  }
  SecondAdjoints take() {
    sum_.linearizations = linearizations_;
    return std::move(sum_);
  }

 private:
  SecondResult solve_one(std::size_t number) const {
    const Interval& of = solved_.intervals()[number];
    const RecordedMotion& recorded = solved_.motion();
    const Problem own = of.after ? problem_of_columns(motion_.problem, 0) : motion_.problem;
    SecondResult out;
    AdjointBundle& first = out.gathered.first;
    std::vector<AdjointBundle>& seconds = out.gathered.seconds;
    first = AdjointBundle(own);
    seconds.assign(motion_.directions, AdjointBundle(own));
    SecondSweep sweep{motion_.tangents, 0, seconds, motion_.products};
    const auto motion = formulation::make_motion(own.system, motion_.run.data, own.formulation);
    Backward backward(own, motion_.run, *motion, first, &sweep);
    const auto each_second = [&](const auto& visit) {
      for (std::size_t k = 0; k < motion_.directions; ++k) {
        for (std::size_t o = 0; o < objectives_; ++o) visit(k, o, static_cast<Index>(k * objectives_ + o));
      }
    };
    if (of.after) {
      const CarriedNumbers last(recorded, *of.after);
      backward.begin(*of.after);
      for (std::size_t o = 0; o < objectives_; ++o) last.set_whole(backward, o, of.whole.col(static_cast<Index>(o)));
      if (base_[number].size() > 0) {
        each_second([&](std::size_t k, std::size_t o, Index column) {
          last.set(backward, backward.ring_of(o, k), base_[number].col(column));
        });
      }
    }
    backward.sweep(of.before ? of.before->step : 0,
                   of.after ? of.after->step : motion_.run.solution.steps.steps.size(), motion_.nodes);
    if (of.before) {
      backward.hand_over(motion_.nodes, *of.before);
      const CarriedNumbers start(recorded, *of.before);
      out.reduced.resize(start.count(), columns_);
      each_second([&](std::size_t k, std::size_t o, Index column) {
        out.reduced.col(column) = start.take(backward, backward.ring_of(o, k), seconds[k].data[o].data());
      });
    } else {
      backward.finish(motion_.nodes);
    }
    out.gathered.linearizations = backward.linearizations();
    return out;
  }

  void substitute_back() {
    sum_ = SecondAdjoints{AdjointBundle(motion_.problem), {}, 0, {}};
    sum_.seconds.assign(motion_.directions, AdjointBundle(motion_.problem));
    for (std::size_t j = results_.size(); j-- > 0;) {
      const Interval& of = solved_.intervals()[j];
      const SecondResult& result = results_[j];
      add(result.gathered.first, sum_.first);
      for (std::size_t k = 0; k < motion_.directions; ++k) add(result.gathered.seconds[k], sum_.seconds[k]);
      if (j > 0) s_[j - 1] = result.reduced;
      if (of.is_known) continue;  // nothing comes to the end of the motion
      const MatrixXd change = base_[j].size() > 0 ? MatrixXd(s_[j] - base_[j]) : s_[j];
      const auto add_columns = [&](const MatrixXd& homogeneous, Index rows, const auto& part_of) {
        const MatrixXd by_change = homogeneous * change;
        for (std::size_t k = 0; k < motion_.directions; ++k) {
          for (std::size_t o = 0; o < objectives_; ++o) {
            std::vector<double>& to = part_of(sum_.seconds[k])[o];
            const auto column = static_cast<Index>(k * objectives_ + o);
            for (Index i = 0; i < rows; ++i) to[static_cast<std::size_t>(i)] += by_change(i, column);
          }
        }
      };
      const auto parameters = static_cast<Index>(motion_.problem.system->parameter_count());
      add_columns(of.result.of_homogeneous, parameters, [](AdjointBundle& b) -> auto& { return b.parameters; });
      if (j > 0) {
        s_[j - 1] += of.result.transition * change;
        continue;
      }
      const Index n = of.result.first.rows(), homogeneous = change.rows();
      add_columns(of.result.first.rightCols(homogeneous), n, [](AdjointBundle& b) -> auto& { return b.q; });
      add_columns(of.result.second.rightCols(homogeneous), n, [](AdjointBundle& b) -> auto& { return b.v; });
    }
  }

  const TwiceFollowed& motion_;
  const RecordedIntervals& solved_;
  std::size_t objectives_;
  Index columns_;
  std::vector<MatrixXd> base_, s_;  // at the ends of the intervals: assumed, and found
  std::vector<SecondResult> results_;
  SecondAdjoints sum_;
  long linearizations_ = 0;
};

}  // namespace

SecondAdjoints second_adjoints_over_intervals(const TwiceFollowed& motion, const DiscreteAdjoint& method,
                                              bool has_own_rate) {
  const IntervalOptions options{.intervals = method.intervals,
                                .records = true,
                                .threads = method.threads,
                                .method = "second derivatives over intervals"};
  require_steps(options.intervals, motion.run.solution.steps.steps.size(), options.method);
  RecordedIntervals intervals(motion.problem, motion.run, motion.nodes, has_own_rate,
                              static_cast<std::size_t>(method.intervals), RecordedIntervals::For::SecondDerivatives);
  const AdjointBundle end(motion.problem);
  intervals.know_end(end);
  if (const Index numbers = intervals.most_numbers(); numbers > most_numbers_of_intervals) {
    SecondAdjoints out = second_adjoints(motion, method.threads);
    out.warning = remark_of_one_sweep(numbers);
    return out;
  }
  SecondIntervals seconds(motion, intervals);
  const auto find_firsts = [&] {
    sensitivity::solve({&intervals}, motion.run, options);
    AdjointBundle bundle = end;
    intervals.reverse(bundle);
  };
  find_firsts();
  if (!intervals.is_exact()) find_firsts();
  seconds.solve(method.threads);
  if (!intervals.is_exact()) seconds.solve(method.threads);
  SecondAdjoints out = seconds.take();
  out.linearizations += intervals.linearizations();
  return out;
}

}  // namespace perilune::sensitivity
