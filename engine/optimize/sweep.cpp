// SPDX-License-Identifier: MIT
#include "optimize/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "error.hpp"
#include "fibers.hpp"
#include "parallel.hpp"
#include "simulation/alike_jobs.hpp"

namespace perilune::optimize {

namespace {

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

void compute(const Sweep& sweep, const std::vector<double>& parameters, Trial& trial) {
  if (sweep.method) {
    sensitivity::Gradient found = sensitivity::gradient(sweep.problem, parameters, sweep.over, *sweep.method);
    trial.values = std::move(found.values);
    trial.derivatives = std::move(found.derivatives);
    trial.warnings = std::move(found.warnings);
  } else {
    simulation::Evaluation run = simulation::evaluate(sweep.problem, parameters);
    sensitivity::require_complete(run.solution);
    trial.values = std::move(run.values);
    trial.warnings = std::move(run.warnings);
  }
  for (std::size_t k = 0; k < trial.values.size(); ++k) {
    const std::string& name = sweep.problem.objectives[k]->name;
    if (!std::isfinite(trial.values[k])) throw NumericalError("objective \"" + name + "\" is not a finite number");
    if (sweep.method && !all_finite(trial.derivatives[k])) {
      throw NumericalError("the gradient of objective \"" + name + "\" is not finite");
    }
  }
}

}  // namespace

Trial evaluate(const Sweep& sweep, std::size_t job) {
  Trial trial;
  trial.job = job;
  trial.point = sweep.points[job];
  std::vector<double> parameters = sweep.parameters;
  for (std::size_t k = 0; k < sweep.over.size(); ++k) {
    parameters[static_cast<std::size_t>(sweep.over[k])] = trial.point[k];
  }
  try {
    compute(sweep, parameters, trial);
  } catch (const NumericalError& failure) {
    trial.values.clear();
    trial.derivatives.clear();
    trial.failure = failure.what();
  }
  return trial;
}

void run_sweep(const Sweep& sweep, std::span<const std::size_t> jobs, const std::function<void(Trial)>& done) {
  std::mutex mutex;
  const auto job = [&](std::size_t k) {
    Trial trial = evaluate(sweep, jobs[k]);
    const Fibers::Alone alone;  // the lock is this thread's
    const std::lock_guard lock(mutex);
    done(std::move(trial));
  };
  if (sweep.method) {
    run_jobs(jobs.size(), job);
  } else {
    simulation::run_alike_jobs(sweep.problem, jobs.size(), job);
  }
}

}  // namespace perilune::optimize
