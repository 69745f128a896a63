// SPDX-License-Identifier: MIT
#include "studies/minimization.hpp"

#include <cmath>
#include <cstdio>

#include "base/progress_terminal.hpp"
#include "error.hpp"
#include "parallel.hpp"
#include "ranks/ranks.hpp"
#include "studies/job_progress.hpp"
#include "studies/spread_starts.hpp"

namespace perilune::lua {

namespace {

optimize::Result search(const Minimization& task, const Eigen::VectorXd& start, std::size_t number,
                        const optimize::Options& options) {
  return optimize::minimize(task.from(start, number), options);
}

optimize::Result search(const Minimization& task, const Eigen::VectorXd& start, std::size_t number,
                        const optimize::TrustRegionOptions& options) {
  return optimize::minimize(task.newton_from(start, number), options);
}

template <class Options>
optimize::Result minimize_once(const Minimization& task, Options options) {
  const bool is_seen = progress_is_seen();
  if (is_seen) {
    options.on_iteration = [](const optimize::Iterate& it) {
      std::fprintf(stderr, "\r\033[Kiteration %d, objective %.6g, projected gradient %.2g", it.iteration, it.value,
                   it.projected_gradient);
      std::fflush(stderr);
    };
  }
  optimize::Result result = search(task, task.present(), 0, options);
  if (is_seen) std::fputs("\r\033[K", stderr);
  return result;
}

template <class Options>
optimize::MultiStart minimize_often(const Minimization& task, const std::vector<Eigen::VectorXd>& starts,
                                    const Options& options) {
  JobProgress progress("start", starts.size());
  const auto search_one = [&](std::size_t number) { return search(task, starts[number], number, options); };
  optimize::MultiStart found;
  if (ranks::may_spread()) {
    SpreadStarts<optimize::Result> all{task, starts, search_one, [&](bool succeeded) { progress.count(succeeded); }};
    all.run();
    found.interrupted = all.is_interrupted;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      found.attempts.push_back({starts[k], std::move(all.results[k]), std::move(all.failures[k])});
    }
    optimize::find_best(found);
  } else {
    found = optimize::search_from(
        starts, search_one, [&](const optimize::Attempt& attempt) { progress.count(attempt.result.has_value()); });
  }
  if (found.best || found.interrupted) return found;
  throw NumericalError("optimize: none of the " + std::to_string(starts.size()) +
                       " starts can be evaluated. The first: " + found.attempts[0].failure);
}

optimize::Result common_part(const optimize::ConstrainedResult& found) {
  optimize::Result out;
  out.x = found.x;
  out.gradient = found.gradient;
  out.initial = found.initial;
  out.value = found.value;
  out.iterations = static_cast<int>(found.history.size()) - 1;
  out.evaluations = found.evaluations;
  out.message = found.message;
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    const optimize::ConstrainedIterate& it = found.history[k];
    out.history.push_back({static_cast<int>(k), it.evaluations, it.value, it.kkt, it.x});
  }
  return out;
}

void show(const optimize::ConstrainedIterate& it) {
  std::fprintf(stderr, "\r\033[Kevaluation %d, objective %.6g, violation %.2g", it.evaluations, it.value, it.violation);
  if (!std::isnan(it.kkt)) std::fprintf(stderr, ", KKT residual %.2g", it.kkt);
  std::fflush(stderr);
}

/// A feasible point is better than one that is not; then the lower value, or the smaller violation.
bool is_better(const optimize::ConstrainedResult& a, const optimize::ConstrainedResult& b, double feasibility) {
  const bool a_holds = a.violation <= feasibility, b_holds = b.violation <= feasibility;
  if (a_holds != b_holds) return a_holds;
  return a_holds ? a.value < b.value : a.violation < b.violation;
}

Found minimize_limited(const Minimization& task, const std::vector<Eigen::VectorXd>& starts,
                       optimize::ConstrainedOptions options) {
  Found out;
  out.limited.resize(starts.size());
  for (const Eigen::VectorXd& start : starts) out.all.attempts.push_back({start, {}, "interrupted"});
  const bool shows = starts.size() == 1 && progress_is_seen();
  if (shows) options.on_iteration = show;
  std::optional<JobProgress> progress;
  if (starts.size() > 1) progress.emplace("start", starts.size());
  std::mutex mutex;
  const auto search_one = [&](std::size_t k) { return optimize::minimize(task.limited_from(starts[k], k), options); };
  const auto attempt = [&](std::size_t k) {
    std::string failure;
    try {
      out.limited[k] = search_one(k);
    } catch (const NumericalError& problem) {
      if (starts.size() == 1) throw;
      failure = problem.what();
    }
    const std::lock_guard lock(mutex);
    out.all.attempts[k].failure = failure;
    if (out.limited[k]) out.all.attempts[k].result = common_part(*out.limited[k]);
    if (progress) progress->count(out.limited[k].has_value());
    if (out.limited[k] && out.limited[k]->reason == optimize::ConstrainedReason::Interrupted) throw Interrupted();
  };
  try {
    if (starts.size() == 1) {
      attempt(0);
    } else if (ranks::may_spread()) {
      SpreadStarts<optimize::ConstrainedResult> all{task, starts, search_one,
                                                    [&](bool found) { progress->count(found); }};
      all.run();
      out.all.interrupted = all.is_interrupted;
      for (std::size_t k = 0; k < starts.size(); ++k) {
        out.limited[k] = std::move(all.results[k]);
        out.all.attempts[k].failure = all.failures[k];
        if (out.limited[k]) out.all.attempts[k].result = common_part(*out.limited[k]);
      }
    } else {
      run_jobs(starts.size(), attempt);
    }
  } catch (const Interrupted&) {
    out.all.interrupted = true;
  }
  if (shows) std::fputs("\r\033[K", stderr);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (!out.limited[k]) continue;
    if (!out.all.best || is_better(*out.limited[k], *out.limited[*out.all.best], options.feasibility)) out.all.best = k;
  }
  if (out.all.best || out.all.interrupted) return out;
  throw NumericalError("optimize: none of the " + std::to_string(starts.size()) +
                       " starts can be evaluated. The first: " + out.all.attempts[0].failure);
}

template <class Options>
Found minimize_bounded(const Minimization& task, const std::vector<Eigen::VectorXd>& starts, const Options& options) {
  Found out;
  if (starts.size() > 1) {
    out.all = minimize_often(task, starts, options);
    return out;
  }
  out.all.attempts.push_back({starts[0], minimize_once(task, options), ""});
  out.all.best = 0;
  out.all.interrupted = out.all.attempts[0].result->reason == optimize::Reason::Interrupted;
  return out;
}

}  // namespace

Found minimize(const Minimization& task, const Optimizer& optimizer, const std::vector<Eigen::VectorXd>& starts) {
  if (const auto* bounded = std::get_if<optimize::Options>(&optimizer)) return minimize_bounded(task, starts, *bounded);
  if (const auto* newton = std::get_if<optimize::TrustRegionOptions>(&optimizer))
    return minimize_bounded(task, starts, *newton);
  return minimize_limited(task, starts, std::get<optimize::ConstrainedOptions>(optimizer));
}

}  // namespace perilune::lua
