// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/interval_result.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"
#include "fingerprint.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/ranks.hpp"
#include "sensitivity/gradient.hpp"
#include "sensitivity/intervals/fed_intervals.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;

/// Which of several processes, which all simulate the same motion, solves which of its intervals.
class IntervalOwners {
 public:
  /// The next interval: by who has least to do so far.
  bool next_is_mine(std::size_t steps) {
    const auto least = std::min_element(steps_.begin(), steps_.end());
    *least += steps;
    owners_.push_back(static_cast<int>(least - steps_.begin()));
    return owners_.back() == ranks::number();
  }
  /// Every process gets what the others have solved.
  /// `failure`: of this process, or empty. Throws NumericalError for that of any.
  void share(const Evaluation& run, IntervalResults& results, const std::string& method, std::string failure) const {
    ranks::Archive<false> own;
    own(failure);
    for (std::size_t k = 0; failure.empty() && k < results.size(); ++k) {
      if (owners_[k] == ranks::number()) own(results[k]);
    }
    const Fingerprint motion = Fingerprint().add(run.data->packed).add(run.values);
    const std::string title = std::to_string(results.size()) + " intervals of " + method + ", motion " + motion.text();
    const std::vector<std::string> all = ranks::gather(title, own.bytes());
    std::vector<ranks::Archive<true>> archives(all.begin(), all.end());
    for (ranks::Archive<true>& archive : archives) {
      archive(failure);
      if (!failure.empty()) throw NumericalError(failure);
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (owners_[k] != ranks::number()) archives[static_cast<std::size_t>(owners_[k])](results[k]);
    }
  }

 private:
  std::vector<std::size_t> steps_ = std::vector<std::size_t>(static_cast<std::size_t>(ranks::size()));
  std::vector<int> owners_;
};

namespace {

/// Of the motion, besides its parts, which have what is needed of it and go when they are solved.
Keep kept(const Problem& problem, const Evaluation& run, const IntervalOptions& options) {
  const bool may_jump = std::any_of(problem.objectives.begin(), problem.objectives.end(), [](const auto& objective) {
    return objective->integral && !objective->switches.empty();
  });
  // What is asked of the whole motion: whether it moves, and whether integrands jump.
  return options.records || run.has_no_freedom || may_jump ? Keep::Mesh : Keep::Ends;
}

}  // namespace

struct IntervalJobs::State {
  IntervalOptions options;
  IntervalResults results;
  bool is_spread = ranks::may_spread();
  IntervalOwners owners;
  JobQueue queue;  // last: its threads write to what stands before

  explicit State(const IntervalOptions& given) : options(given), queue(given.threads) {}
};

IntervalJobs::IntervalJobs(const IntervalOptions& options) : state_(std::make_unique<State>(options)) {}
IntervalJobs::~IntervalJobs() = default;

void IntervalJobs::add(std::size_t steps, std::function<IntervalResult()> solve) {
  IntervalResult& result = state_->results.emplace_back();
  if (state_->is_spread && !state_->owners.next_is_mine(steps)) return;
  state_->queue.add([&result, solve = std::move(solve)] { result = solve(); });
}

IntervalResults IntervalJobs::finish(const Evaluation& run) {
  if (!state_->is_spread) {
    state_->queue.finish();
    return std::move(state_->results);
  }
  std::string failure;
  try {
    state_->queue.finish();
  } catch (const NumericalError& of_interval) {
    failure = of_interval.what();
  }
  state_->owners.share(run, state_->results, state_->options.method, failure);
  return std::move(state_->results);
}

void cut_motion(const Problem& problem, Motion& motion, Evaluation& run, const IntervalOptions& options,
                const std::function<void(IntervalPart part)>& take,
                const std::function<void(const Evaluation& run)>& check) {
  IntervalCutter cutter(problem, run, options.intervals, options.records, take);
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, motion, nullptr, quadrature, {&cutter}, run, kept(problem, run, options));
  require_complete(run.solution);
  check(run);
  cutter.finish(options.method);
  require_steps(options.intervals, cutter.steps(), options.method);
}

SolvedIntervals solve_intervals(const Problem& problem, Evaluation start, const IntervalOptions& options,
                                const SolveInterval& solve, const std::function<void(const Evaluation& run)>& check) {
  if (options.pipeline && !options.records && ranks::may_spread()) {
    return feed_intervals(problem, std::move(start), options, solve, check);
  }
  SolvedIntervals out{std::move(start), {}};
  const auto motion = formulation::make_motion(problem.system, out.run.data, problem.formulation);
  std::deque<std::function<void()>> later;
  IntervalJobs jobs(options);
  std::size_t number = 0;
  const auto take = [&](IntervalPart part) {
    const std::size_t steps = part.run.solution.steps.steps.size();
    auto own = std::make_shared<IntervalPart>(std::move(part));
    std::function<IntervalResult()> job = [&solve, own, number = ++number] { return solve(*own, number); };
    own.reset();
    if (options.pipeline) {
      jobs.add(steps, std::move(job));
    } else {
      later.emplace_back([&jobs, steps, job = std::move(job)]() mutable { jobs.add(steps, std::move(job)); });
    }
  };
  cut_motion(problem, *motion, out.run, options, take, check);
  for (; !later.empty(); later.pop_front()) later.front()();
  out.results = jobs.finish(out.run);
  return out;
}

void require_steps(int intervals, std::size_t steps, const std::string& method) {
  const auto count = static_cast<long>(steps);
  if (intervals <= count) return;
  throw NumericalError("the motion has " + std::to_string(count) + " steps, too few for the " +
                       std::to_string(intervals) + " intervals of " + method +
                       ": shorter steps, or intervals = " + std::to_string(std::max(1L, count / 4)));
}

MatrixXd by_parameters(const System& system, const Data& data, const std::vector<std::vector<double>>& gathered) {
  MatrixXd out = MatrixXd::Zero(system.parameter_count(), static_cast<Index>(gathered.size()));
  for (Index k = 0; k < out.cols(); ++k) {
    system.data_adjoint(data, gathered[static_cast<std::size_t>(k)].data(), out.col(k).data());
  }
  return out;
}

MatrixXd side_by_side(const std::vector<std::vector<double>>& columns) {
  MatrixXd out(static_cast<Index>(columns.front().size()), static_cast<Index>(columns.size()));
  for (Index k = 0; k < out.cols(); ++k) {
    out.col(k) = Eigen::Map<const Eigen::VectorXd>(columns[static_cast<std::size_t>(k)].data(), out.rows());
  }
  return out;
}

long linearizations(const IntervalResults& results) {
  long sum = 0;
  for (const IntervalResult& result : results) sum += result.linearizations;
  return sum;
}

void back_substitute(const IntervalResults& results, MatrixXd& s, std::vector<std::vector<double>>& parameters) {
  for (std::size_t j = results.size(); j-- > 0;) {
    const IntervalResult& interval = results[j];
    const MatrixXd gathered = interval.of_particular + interval.of_homogeneous * s;
    for (Index o = 0; o < s.cols(); ++o) {
      std::vector<double>& to = parameters[static_cast<std::size_t>(o)];
      for (Index k = 0; k < gathered.rows(); ++k) to[static_cast<std::size_t>(k)] += gathered(k, o);
    }
    if (j > 0) s = interval.transition * s + interval.particular;
  }
}

}  // namespace perilune::sensitivity
