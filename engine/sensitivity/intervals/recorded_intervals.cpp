// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/recorded_intervals.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "error.hpp"
#include "sensitivity/discrete/by_objectives.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Kept kept(const Problem& problem, const Evaluation& run) {
  if (run.has_redundant || problem.system->constrains_velocities()) return Kept::Nothing;
  if (keeps_to_constraints(problem.formulation)) return Kept::Both;
  const formulation::Properties form = formulation::properties(problem.formulation);
  return form.is_index3 && !form.is_regularized ? Kept::Positions : Kept::Nothing;
}

/// The adjoint of the state and the time at the end of a run, 2 n + 1 numbers by objectives.
MatrixXd numbers_of_end(const AdjointBundle& bundle) {
  MatrixXd out(static_cast<Index>(2 * bundle.q.front().size() + 1), static_cast<Index>(bundle.q.size()));
  out << side_by_side(bundle.q), side_by_side(bundle.v),
      Eigen::Map<const Eigen::RowVectorXd>(bundle.times.data(), out.cols());
  return out;
}

void set_end(AdjointBundle& bundle, std::size_t o, const VectorXd& numbers) {
  const auto n = static_cast<Index>(bundle.q[o].size());
  std::copy_n(numbers.data(), n, bundle.q[o].begin());
  std::copy_n(numbers.data() + n, n, bundle.v[o].begin());
  bundle.times[o] = numbers[2 * n];
}

/// Gradients by the parameters, and by the time of the run's start in a last row.
MatrixXd gathered(const RecordedMotion& motion, const AdjointBundle& bundle) {
  const System& system = *motion.problem.system;
  MatrixXd out(system.parameter_count() + 1, static_cast<Index>(bundle.q.size()));
  out.topRows(system.parameter_count()) =
      by_parameters(system, *motion.run.data, bundle.data) + side_by_side(bundle.parameters);
  const int time = system.time_datum();
  for (std::size_t k = 0; k < bundle.q.size(); ++k) {
    const double of_data = time < 0 ? 0 : bundle.data[k][static_cast<std::size_t>(time)];
    out(out.rows() - 1, static_cast<Index>(k)) = bundle.times[k] + of_data;
  }
  return out;
}

}  // namespace

RecordedIntervals::RecordedIntervals(const Problem& problem, const Evaluation& run, NodeRecord& nodes,
                                     bool has_own_rate, std::size_t count, For what)
    : motion_{problem, run, nodes, kept(problem, run)},
      at_(carried(run.solution.steps, boundaries(run.solution.steps, count - 1), has_own_rate)),
      what_(what) {
  for (std::size_t k = 0; k <= at_.size(); ++k) {
    intervals_.emplace_back().before = k > 0 ? &at_[k - 1] : nullptr;
    intervals_.back().after = k < at_.size() ? &at_[k] : nullptr;
  }
}

void RecordedIntervals::know_end(const AdjointBundle& end) {
  intervals_.back().base = numbers_of_end(end);
  intervals_.back().is_known = true;
}

bool RecordedIntervals::is_exact() const {
  const auto is_one_state = [](const Carried& carried) { return carried.blocks.size() == 2; };
  return intervals_.back().is_known && motion_.kept == Kept::Both && std::all_of(at_.begin(), at_.end(), is_one_state);
}

Index RecordedIntervals::most_numbers() const {
  Index most = intervals_.back().is_known ? 0 : 2 * motion_.run.solution.mesh.n + 1;
  if (!at_.empty()) most = std::max(most, CarriedNumbers(motion_, at_.front()).count());
  return most;
}

IntervalResult RecordedIntervals::solve(const Interval& of, bool follows_all) const {
  const Problem& problem = motion_.problem;
  const std::size_t objectives = problem.objectives.size();
  std::optional<CarriedNumbers> last;
  if (of.after) last.emplace(motion_, *of.after);
  const Index numbers = last ? last->count() : 2 * static_cast<Index>(problem.system->coordinate_count()) + 1;
  const Index homogeneous = follows_all ? numbers : 0;
  Problem of_columns = problem_of_columns(problem, homogeneous);
  if (!last) {
    of_columns.stop = problem.stop;
    std::copy(problem.objectives.begin(), problem.objectives.end(), of_columns.objectives.begin());
  }
  AdjointBundle bundle(of_columns);
  const auto motion = formulation::make_motion(problem.system, motion_.run.data, problem.formulation);
  Backward backward(of_columns, motion_.run, *motion, bundle);
  if (last) backward.begin(*of.after);
  const auto set = [&](std::size_t column, const VectorXd& s) {
    if (last) {
      last->set(backward, column, s);
    } else {
      set_end(bundle, column, s);
    }
  };
  for (std::size_t o = 0; of.base.size() > 0 && o < objectives; ++o) set(o, of.base.col(static_cast<Index>(o)));
  for (Index i = 0; i < homogeneous; ++i) {
    set(objectives + static_cast<std::size_t>(i), VectorXd::Unit(homogeneous, i));
  }
  const std::size_t steps = motion_.run.solution.steps.steps.size();
  backward.sweep(of.before ? of.before->step : 0, last ? of.after->step : steps, motion_.nodes);

  IntervalResult out;
  if (of.before) {
    backward.hand_over(motion_.nodes, *of.before);
    const CarriedNumbers first(motion_, *of.before);
    const auto columns = static_cast<Index>(of_columns.objectives.size());
    MatrixXd reduced(first.count(), columns);
    for (Index k = 0; k < columns; ++k) {
      const auto o = static_cast<std::size_t>(k);
      if (what_ == For::SecondDerivatives) {
        const VectorXd whole = first.whole(backward, o);
        if (k == 0) out.whole.resize(whole.size(), columns);
        out.whole.col(k) = whole;
      }
      reduced.col(k) = first.take(backward, o, bundle.data[o].data());
    }
    if (!backward.is_clear()) throw Error("an interval of the adjoint leaves something that its steps do not read");
    out.particular = reduced.leftCols(static_cast<Index>(objectives));
    out.transition = reduced.rightCols(homogeneous);
  } else {
    backward.finish(motion_.nodes);
    out.first = side_by_side(bundle.q);
    out.second = side_by_side(bundle.v);
  }
  out.linearizations = backward.linearizations();
  const MatrixXd all = gathered(motion_, bundle);
  out.of_particular = all.leftCols(static_cast<Index>(objectives));
  out.of_homogeneous = all.rightCols(homogeneous);
  return out;
}

void RecordedIntervals::add_to(IntervalJobs& jobs) {
  for (Interval& interval : intervals_) {
    if (is_solved_ && interval.is_known) continue;
    if (is_solved_) interval.base = interval.s;
    const std::size_t last = interval.after ? interval.after->step : motion_.run.solution.steps.steps.size();
    const bool follows_all = !is_solved_ && !interval.is_known;
    jobs.add(last - (interval.before ? interval.before->step : 0),
             [this, &interval, follows_all] { return solve(interval, follows_all); });
  }
}

void RecordedIntervals::take(IntervalResults& results) {
  for (Interval& interval : intervals_) {
    if (is_solved_ && interval.is_known) continue;
    IntervalResult found = std::move(results.front());
    results.pop_front();
    linearizations_ += found.linearizations;
    if (!is_solved_) {
      interval.result = std::move(found);
      continue;
    }
    interval.result.particular = std::move(found.particular);
    interval.result.of_particular = std::move(found.of_particular);
    interval.result.whole.leftCols(found.whole.cols()) = found.whole;
    if (interval.before) continue;
    interval.result.first.leftCols(found.first.cols()) = found.first;
    interval.result.second.leftCols(found.second.cols()) = found.second;
  }
  is_solved_ = true;
}

void RecordedIntervals::reverse(AdjointBundle& bundle) {
  const std::size_t objectives = motion_.problem.objectives.size();
  const auto columns = static_cast<Index>(objectives);
  intervals_.back().s = numbers_of_end(bundle);
  MatrixXd sum = MatrixXd::Zero(motion_.problem.system->parameter_count() + 1, columns);
  MatrixXd first, second;
  for (std::size_t k = intervals_.size(); k-- > 0;) {
    Interval& here = intervals_[k];
    const IntervalResult& result = here.result;
    // What has come to its end since it was solved.
    const MatrixXd change = here.base.size() > 0 ? MatrixXd(here.s - here.base) : here.s;
    const auto with = [&](const MatrixXd& particular, const MatrixXd& homogeneous) {
      return here.is_known ? particular : MatrixXd(particular + homogeneous * change);
    };
    const auto of_both = [&](const MatrixXd& all) {
      return with(all.leftCols(columns), all.rightCols(all.cols() - columns));
    };
    sum += with(result.of_particular, result.of_homogeneous);
    if (k > 0) {
      intervals_[k - 1].s = with(result.particular, result.transition);
      if (what_ == For::SecondDerivatives) intervals_[k - 1].whole = of_both(result.whole);
    } else {
      first = of_both(result.first);
      second = of_both(result.second);
    }
  }
  for (std::size_t o = 0; o < objectives; ++o) {
    const auto k = static_cast<Index>(o);
    bundle.q[o].assign(first.col(k).begin(), first.col(k).end());
    bundle.v[o].assign(second.col(k).begin(), second.col(k).end());
    for (std::size_t p = 0; p < bundle.parameters[o].size(); ++p) {
      bundle.parameters[o][p] += sum(static_cast<Index>(p), k);
    }
    bundle.times[o] = sum(sum.rows() - 1, k);
  }
}

std::string remark_of_one_sweep(Index numbers) {
  return "intervals are not solved apart here: each would be followed for " + std::to_string(numbers) +
         " numbers that its end is told by, more than " + std::to_string(most_numbers_of_intervals) +
         ", which takes longer than one sweep; the gradient is that of one sweep";
}

void solve(const std::vector<RecordedIntervals*>& parts, const Evaluation& run, const IntervalOptions& options) {
  IntervalJobs jobs(options);
  for (RecordedIntervals* part : parts) part->add_to(jobs);
  IntervalResults results = jobs.finish(run);
  for (RecordedIntervals* part : parts) part->take(results);
}

Gradient recorded_interval_adjoint(const Problem& problem, Evaluation& run, const std::vector<int>& over,
                                   const IntervalOptions& options) {
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  NodeRecord nodes(*motion);
  simulate(problem, *motion, nullptr, {&nodes}, run);
  require_complete(run.solution);
  require_steps(options.intervals, run.solution.steps.steps.size(), options.method);
  RecordedIntervals intervals(problem, run, nodes, motion->has_own_rate(), static_cast<std::size_t>(options.intervals));
  AdjointBundle bundle(problem);
  intervals.know_end(bundle);
  if (const Index numbers = intervals.most_numbers(); numbers > most_numbers_of_intervals) {
    run.warnings.push_back(remark_of_one_sweep(numbers));
    return reverse_by_objectives(problem, run, *motion, nodes, bundle, over, options.threads);
  }
  solve({&intervals}, run, options);
  if (!intervals.is_exact()) {
    AdjointBundle trial = bundle;
    intervals.reverse(trial);
    solve({&intervals}, run, options);
  }
  intervals.reverse(bundle);
  Gradient out = bundle.finish(problem, run, over);
  out.linearizations = intervals.linearizations();
  return out;
}

}  // namespace perilune::sensitivity
