// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/recorded_intervals.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "error.hpp"
#include "sensitivity/discrete/backward.hpp"
#include "sensitivity/independent_coordinates/partition.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// What mesh points keep to exactly, so that their freedoms tell their adjoints.
enum class Kept { Nothing, Positions, Both };

Kept kept(const Problem& problem, const Evaluation& run) {
  if (run.has_redundant || problem.system->constrains_velocities()) return Kept::Nothing;
  if (keeps_to_constraints(problem.formulation)) return Kept::Both;
  const formulation::Properties form = formulation::properties(problem.formulation);
  return form.is_index3 && !form.is_regularized ? Kept::Positions : Kept::Nothing;
}

/// A finished motion, which all intervals read.
struct RecordedMotion {
  const Problem& problem;
  const Evaluation& run;
  NodeRecord& nodes;
  Kept kept;
};

/// The numbers that tell the adjoint of what is carried across a boundary: those of its blocks, but fewer for mesh
/// points that keep to the constraints. Blocks of one kind are told by their differences up to the highest: the steps
/// of multistep methods weigh points before them with large weights of both signs, whose rounding would be that of the
/// motion's own changes and not of the changes from point to point.
class CarriedNumbers {
 public:
  CarriedNumbers(const RecordedMotion& motion, const Carried& carried) {
    const auto n = static_cast<Index>(motion.problem.system->coordinate_count()),
               m = static_cast<Index>(motion.problem.system->constraint_count());
    const std::vector<Carried::Block>& blocks = carried.blocks;
    for (std::size_t k = blocks.size(); k-- > 0;) {
      const bool is_state = k > 0 && blocks[k].what == What::Velocity && blocks[k - 1].what == What::Position &&
                            blocks[k].node == blocks[k - 1].node;
      const bool is_mesh = blocks[k].mesh_point > 0;
      if (motion.kept == Kept::Both && is_state && is_mesh) {
        points_.emplace_back(motion, blocks[k - 1], blocks[k]);
        --k;
      } else if (motion.kept != Kept::Nothing && blocks[k].what == What::Position && is_mesh) {
        points_.emplace_back(motion, blocks[k], std::nullopt);
      } else {
        History& history = histories_[blocks[k].what];
        history.size = blocks[k].what == What::Multiplier ? m : n;
        history.blocks.push_back(blocks[k]);
      }
    }
    for (const Point& point : points_) count_ += point.size();
    for (const auto& [what, of] : histories_) count_ += of.size * static_cast<Index>(of.blocks.size());
  }
  Index count() const { return count_; }

  /// Gives them to a column.
  void set(Backward& backward, std::size_t o, const VectorXd& numbers) const {
    Index at = 0;
    for (const Point& point : points_) {
      const Index d = point.partition.freedoms();
      for (Index first = 0; first < point.size(); first += d) {
        const VectorXd y = point.partition.spread(numbers.segment(at + first, d));
        std::copy(y.begin(), y.end(), backward.numbers_of(o, first == 0 ? point.q : *point.v));
      }
      at += point.size();
    }
    for (const auto& [what, of] : histories_) {
      for (std::size_t k = 0; k < of.blocks.size(); ++k, at += of.size) {
        for (std::size_t j = 0; j <= k; ++j) {
          double* y = backward.numbers_of(o, of.blocks[j]);
          for (Index i = 0; i < of.size; ++i) y[i] += weight(k, j) * numbers[at + i];
        }
      }
    }
    backward.wake(o);
  }

  /// Takes them from a column; what falls upon the data that the constraints read is added.
  VectorXd take(Backward& backward, std::size_t o, double* data) const {
    VectorXd out = VectorXd::Zero(count_);
    Index at = 0;
    for (const Point& point : points_) {
      const VectorXd none = VectorXd::Zero(static_cast<Index>(point.partition.coordinates()));
      double *q = backward.numbers_of(o, point.q), *v = point.v ? backward.numbers_of(o, *point.v) : nullptr;
      out.segment(at, point.size()) = point.partition.reduce(q, v ? v : none.data(), data).head(point.size());
      std::fill_n(q, none.size(), 0.0);
      if (v) std::fill_n(v, none.size(), 0.0);
      at += point.size();
    }
    for (const auto& [what, of] : histories_) {
      for (std::size_t j = 0; j < of.blocks.size(); ++j) {
        double* numbers = backward.numbers_of(o, of.blocks[j]);
        const Eigen::Map<const VectorXd> y(numbers, of.size);
        for (std::size_t k = 0; k <= j; ++k) {
          out.segment(at + static_cast<Index>(k) * of.size, of.size) += weight(j, k) * y;
        }
        std::fill_n(numbers, of.size, 0.0);
      }
      at += of.size * static_cast<Index>(of.blocks.size());
    }
    return out;
  }

 private:
  using What = Carried::What;
  struct History {
    Index size = 0;
    std::vector<Carried::Block> blocks;  // from the last node to the first
  };
  struct Point {
    Point(const RecordedMotion& motion, const Carried::Block& of_q, const std::optional<Carried::Block>& of_v)
        : q(of_q), v(of_v), linearized(motion.problem, motion.run), partition(linearized) {
      linearized.hold(motion.run.solution.steps.steps[q.mesh_point - 1].sides);
      linearized.at_mesh(q.mesh_point);
      partition.choose();
    }
    Index size() const { return (v ? 2 : 1) * partition.freedoms(); }
    Carried::Block q;
    std::optional<Carried::Block> v;
    LinearizedMotion linearized;
    Partition partition;
  };
  /// Of node j in the k-th backward difference, and the other way round: this matrix is its own inverse.
  static double weight(std::size_t k, std::size_t j) {
    double out = 1;
    for (std::size_t i = 0; i < j; ++i) out *= -static_cast<double>(k - i) / static_cast<double>(i + 1);
    return out;
  }

  std::deque<Point> points_;  // does not move them: partitions refer to their neighbours
  std::map<What, History> histories_;
  Index count_ = 0;
};

/// The boundaries of an interval, null at the ends of the motion.
struct Ends {
  const Carried *before, *after;
};

/// `known`: the adjoints that come from behind it, by objectives: no others are followed then. Null: all may come.
IntervalResult solve_interval(const RecordedMotion& of, const Ends& ends, const MatrixXd* known) {
  const Problem& problem = of.problem;
  const std::size_t objectives = problem.objectives.size();
  std::optional<CarriedNumbers> last;
  if (ends.after) last.emplace(of, *ends.after);
  const Index homogeneous = last && !known ? last->count() : 0;
  const Problem of_columns = last ? problem_of_columns(problem, homogeneous) : problem;
  AdjointBundle bundle(of_columns);
  const auto motion = formulation::make_motion(problem.system, of.run.data, problem.formulation);
  Backward backward(of_columns, of.run, *motion, bundle);
  if (last) {
    backward.begin(*ends.after);
    for (std::size_t o = 0; known && o < objectives; ++o) last->set(backward, o, known->col(static_cast<Index>(o)));
    for (Index i = 0; i < homogeneous; ++i) {
      last->set(backward, objectives + static_cast<std::size_t>(i), VectorXd::Unit(homogeneous, i));
    }
  }
  const std::size_t steps = of.run.solution.steps.steps.size();
  backward.sweep(ends.before ? ends.before->step : 0, last ? ends.after->step : steps, of.nodes);

  IntervalResult out;
  if (ends.before) {
    backward.hand_over(of.nodes, *ends.before);
    const CarriedNumbers first(of, *ends.before);
    const auto columns = static_cast<Index>(of_columns.objectives.size());
    MatrixXd reduced(first.count(), columns);
    for (Index k = 0; k < columns; ++k) {
      const auto o = static_cast<std::size_t>(k);
      reduced.col(k) = first.take(backward, o, bundle.data[o].data());
    }
    if (!backward.is_clear()) throw Error("an interval of the adjoint leaves something that its steps do not read");
    out.particular = reduced.leftCols(static_cast<Index>(objectives));
    out.transition = reduced.rightCols(homogeneous);
  } else {
    backward.finish(of.nodes);
    out.first = side_by_side(bundle.q);
    out.second = side_by_side(bundle.v);
  }
  const MatrixXd gathered = by_parameters(*problem.system, *of.run.data, bundle.data) + side_by_side(bundle.parameters);
  out.of_particular = gathered.leftCols(static_cast<Index>(objectives));
  out.of_homogeneous = gathered.rightCols(homogeneous);
  return out;
}

/// Intervals once more, with the adjoints that come to their ends but for rounding: for the rounding of one sweep. What
/// single columns of a transition gather may be a million times as large as their sum, as with forces of constraints in
/// steps that fulfil positions alone. Only d freedoms of one point are free of that. The last interval had nothing
/// behind it.
IntervalResults solve_again(const RecordedMotion& whole, const std::vector<Ends>& intervals,
                            const std::vector<MatrixXd>& s, const IntervalOptions& options) {
  IntervalJobs jobs(options);
  for (std::size_t k = 0; k + 1 < intervals.size(); ++k) {
    const std::size_t steps = intervals[k].after->step - (k > 0 ? intervals[k].before->step : 0);
    jobs.add(steps, [&whole, ends = intervals[k], known = &s[k]] { return solve_interval(whole, ends, known); });
  }
  return jobs.finish(whole.run);
}

/// From the last interval to the first: what comes to the end of each, for every objective.
std::vector<MatrixXd> substitute(const IntervalResults& results, Index objectives) {
  std::vector<MatrixXd> s(results.size());
  s.back().resize(0, objectives);
  for (std::size_t k = results.size() - 1; k > 0; --k) {
    s[k - 1] = results[k].particular;
    if (s[k].size() > 0) s[k - 1] += results[k].transition * s[k];
  }
  return s;
}

}  // namespace

Gradient recorded_interval_adjoint(const Problem& problem, Evaluation& run, const std::vector<int>& over,
                                   const IntervalOptions& options) {
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  NodeRecord nodes(*motion);
  simulate(problem, *motion, nullptr, {&nodes}, run);
  require_complete(run.solution);
  const integrator::Steps& steps = run.solution.steps;
  const std::size_t size = steps.steps.size();
  require_steps(options.intervals, size, options.method);
  const std::vector<Carried> at =
      carried(steps, boundaries(steps, static_cast<std::size_t>(options.intervals - 1)), motion->has_own_rate());
  const RecordedMotion whole{problem, run, nodes, kept(problem, run)};
  std::vector<Ends> intervals;
  IntervalJobs jobs(options);
  for (std::size_t k = 0; k <= at.size(); ++k) {
    const Ends ends{k > 0 ? &at[k - 1] : nullptr, k < at.size() ? &at[k] : nullptr};
    intervals.push_back(ends);
    jobs.add((ends.after ? ends.after->step : size) - (ends.before ? ends.before->step : 0),
             [&whole, ends] { return solve_interval(whole, ends, nullptr); });
  }
  IntervalResults results = jobs.finish(run);

  std::vector<MatrixXd> s = substitute(results, static_cast<Index>(problem.objectives.size()));
  const auto is_one_state = [](const Carried& carried) { return carried.blocks.size() == 2; };
  if (whole.kept != Kept::Both || !std::all_of(at.begin(), at.end(), is_one_state)) {
    IntervalResults again = solve_again(whole, intervals, s, options);
    for (std::size_t k = 0; k < again.size(); ++k) {
      results[k].particular = std::move(again[k].particular);
      results[k].of_particular = std::move(again[k].of_particular);
    }
    if (!again.empty()) {
      results[0].first.leftCols(s[0].cols()) = again[0].first;
      results[0].second.leftCols(s[0].cols()) = again[0].second;
    }
    // What is left to come are the differences.
    for (std::size_t k = 1; k < results.size(); ++k) results[k].particular -= s[k - 1];
    s = substitute(results, s.back().cols());
  }

  AdjointBundle bundle(problem);
  const IntervalResult& first = results.front();
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    const auto col = static_cast<Index>(o);
    const auto with = [&](const MatrixXd& particular, const MatrixXd& homogeneous, std::size_t k) {
      VectorXd out = particular.col(col);
      if (s[k].size() > 0) out += homogeneous * s[k].col(col);
      return out;
    };
    for (std::size_t k = results.size(); k-- > 0;) {
      const VectorXd gathered = with(results[k].of_particular, results[k].of_homogeneous, k);
      for (Index p = 0; p < gathered.size(); ++p) bundle.parameters[o][static_cast<std::size_t>(p)] += gathered[p];
    }
    const Index columns = s.front().rows();
    const VectorXd q = with(first.first, first.first.rightCols(columns), 0),
                   v = with(first.second, first.second.rightCols(columns), 0);
    bundle.q[o].assign(q.begin(), q.end());
    bundle.v[o].assign(v.begin(), v.end());
  }
  return bundle.finish(problem, run, over);
}

}  // namespace perilune::sensitivity
