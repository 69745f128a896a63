// SPDX-License-Identifier: MIT
#include "sensitivity/stabilized/piecewise_adjoint.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "parallel.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/stabilized/shooting_interval.hpp"
#include "sensitivity/stabilized/stabilized_ends.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// Cuts the motion into intervals as it goes on. The boundaries are the mesh points at or behind equal parts of the
/// time from start to end.
class Intervals final : public integrator::StepListener {
 public:
  using Take = std::function<void(Evaluation part)>;

  Intervals(const Problem& problem, const Evaluation& run, int count, Take take)
      : problem_(problem), run_(run), count_(count), take_(std::move(take)) {}

  void start(const integrator::March& march) override {
    open(march, march.last());
  }
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March&, std::size_t) override {}
  void accept(const integrator::March& march) override {
    has_event_ = has_event_ || march.h() == 0;
    if (has_event_) return;  // nobody will ask for the rest
    ++steps_;
    const formulation::Node& end = march.node(march.plan().end);
    append(march, end);
    const double share = (end.t - problem_.start) / (problem_.end - problem_.start);
    if (share * count_ < passed_ + 1 - 1e-9) return;
    passed_ = static_cast<int>(share * count_ + 1e-9);
    close();
    open(march, end);
  }
  /// What is left when the motion has ended before its end time.
  void finish() {
    if (part_.solution.mesh.size() > 1) close();
  }
  long steps() const { return steps_; }

 private:
  void open(const integrator::March& march, const formulation::Node& at) {
    part_ = Evaluation();
    part_.data = run_.data;
    part_.initial = run_.initial;
    part_.solution.mesh = integrator::Mesh(march.motion().n(), march.motion().m());
    append(march, at);
  }
  void append(const integrator::March& march, const formulation::Node& x) {
    part_.solution.mesh.append(x.t, x.q, x.v, x.a, x.lambda);
    sides_ = march.motion().sides();
  }
  void close() {
    integrator::Steps::Step step{};
    step.end = part_.solution.mesh.t.back();
    step.sides = sides_;
    part_.solution.steps.steps.push_back(std::move(step));
    take_(std::move(part_));
    part_ = Evaluation();
  }

  const Problem& problem_;
  const Evaluation& run_;
  int count_;
  Take take_;
  Evaluation part_;
  formulation::Sides sides_;
  int passed_ = 0;  // equal parts of the time
  long steps_ = 0;
  bool has_event_ = false;
};

/// Refuses what the equations along the motion do not follow.
void check_motion(const Problem& problem, const Evaluation& run, const PiecewiseAdjoint& method, long steps) {
  if (const std::string jump = jump_along(problem, run); !jump.empty()) throw NumericalError(jump);
  if (!run.solution.events.empty()) {
    const integrator::Event& event = run.solution.events.front();
    throw NumericalError(at_time(event.t) + "\"" + event.name +
                         "\" changes its side, which the piecewise adjoint does not follow; mbs.continuous_adjoint {} "
                         "and mbs.adjoint {} do");
  }
  if (method.intervals > steps) {
    throw NumericalError("the motion has " + std::to_string(steps) + " steps, too few for the " +
                         std::to_string(method.intervals) + " intervals of the piecewise adjoint: shorter steps, or " +
                         "intervals = " + std::to_string(std::max(1L, steps / 4)));
  }
}

/// From the end of the motion to its start: s of the last interval is known there, the others follow.
Gradient assemble(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                  const std::deque<IntervalResult>& results, const ChooseCoordinates& choose) {
  const auto objectives = static_cast<Index>(problem.objectives.size());
  const std::vector<double>& times = run.solution.mesh.t;
  LinearizedMotion motion(problem, run);
  const auto n = static_cast<Index>(motion.n());
  AdjointBundle bundle(problem, run, motion.dynamics());
  motion.enter(times.back(), true);
  motion.at(times.back());
  AdjointColumns ends{MatrixXd(n, objectives), MatrixXd(n, objectives), {}};
  StabilizedEnds equations(problem, motion, bundle);
  equations.begin(ends);
  Partition partition(motion);
  choose(partition, results.size(), true);
  const Index d = partition.freedoms();
  MatrixXd s(2 * d, objectives);
  for (Index o = 0; o < objectives; ++o) s.col(o) << partition.pick(ends.mu.col(o)), partition.pick(ends.rate.col(o));
  for (std::size_t j = results.size(); j-- > 0;) {
    const IntervalResult& interval = results[j];
    const MatrixXd gathered = interval.of_particular + interval.of_homogeneous * s;
    for (Index o = 0; o < objectives; ++o) {
      std::vector<double>& to = bundle.parameters[static_cast<std::size_t>(o)];
      for (Index k = 0; k < gathered.rows(); ++k) to[static_cast<std::size_t>(k)] += gathered(k, o);
    }
    if (j > 0) s = interval.transition * s + interval.particular;
  }
  const IntervalResult& first = results.front();
  ends.mu = first.mu.leftCols(objectives) + first.mu.rightCols(2 * d) * s;
  ends.rate = first.rate.leftCols(objectives) + first.rate.rightCols(2 * d) * s;
  motion.enter(times.front(), false);
  motion.at(times.front());
  equations.end(ends);
  return bundle.finish(problem, run, over);
}

}  // namespace

void choose_best(Partition& partition, std::size_t /*number*/, bool /*from_after*/) { partition.choose(); }

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method, const ChooseCoordinates& choose) {
  constexpr int usual_intervals = 40;  // as in the source
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  std::deque<IntervalResult> results;  // does not move them
  std::vector<std::function<void()>> jobs;
  JobQueue queue;
  const auto take = [&](Evaluation part) {
    results.emplace_back();
    std::function<void()> job = [&, &result = results.back(), number = results.size(),
                                 own = std::make_shared<const Evaluation>(std::move(part))] {
      result = solve_interval(problem, *own, number, choose);
    };
    if (method.pipeline) {
      queue.add(std::move(job));
    } else {
      jobs.push_back(std::move(job));
    }
  };
  Intervals intervals(problem, run, method.intervals > 0 ? method.intervals : usual_intervals, take);
  simulate(problem, *motion, nullptr, {&intervals}, run);
  require_complete(run.solution);
  check_motion(problem, run, method, intervals.steps());
  intervals.finish();
  run_jobs(jobs.size(), [&](std::size_t k) { std::exchange(jobs[k], nullptr)(); });
  queue.finish();
  return assemble(problem, run, over, results, choose);
}

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method) {
  return piecewise_adjoint(problem, parameters, over, method, choose_best);
}

}  // namespace perilune::sensitivity
