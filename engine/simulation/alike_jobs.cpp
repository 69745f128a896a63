// SPDX-License-Identifier: MIT
#include "simulation/alike_jobs.hpp"

#include <algorithm>
#include <atomic>

#include "fibers.hpp"
#include "formulation/absolute/point_lanes.hpp"
#include "integrator/integrator.hpp"
#include "job_outcome.hpp"
#include "parallel.hpp"
#include "profile.hpp"

namespace perilune::simulation {

namespace {

std::atomic<bool> lanes_are_used{true};

bool has_points(const formulation::Formulation& form) {
  return std::holds_alternative<formulation::Penalty>(form) || std::holds_alternative<formulation::Index1>(form);
}

}  // namespace

void use_lanes(bool are_used) { lanes_are_used.store(are_used); }

bool go_in_lanes(const Problem& problem) {
  return lanes_are_used.load() && Fibers::are_offered() && !Profile::is_on() && problem.phases.empty() &&
         has_points(problem.formulation) && integrator::is_explicit(problem.integrator) &&
         formulation::PointLanes::are_offered(*problem.system);
}

void run_alike_jobs(const Problem& problem, std::size_t count, const std::function<void(std::size_t)>& job) {
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t together = std::min<std::size_t>((count + threads - 1) / threads, Fibers::most);
  if (together < 2 || !go_in_lanes(problem)) return run_jobs(count, job);
  formulation::PointLanes::Measures integrands;
  for (const auto& objective : problem.objectives) {
    integrands.push_back(objective->integral ? &*objective->integral : nullptr);
  }
  JobOutcome outcome;
  std::atomic<std::size_t> begun{0};
  const auto next = [&] {
    const std::size_t k = begun++;
    return k < count && outcome.may_begin(k) ? static_cast<std::ptrdiff_t>(k) : -1;
  };
  const auto run = [&](std::ptrdiff_t number) {
    const auto k = static_cast<std::size_t>(number);
    outcome.run(k, [&] { job(k); });
  };
  run_jobs(std::min(threads, count), [&](std::size_t) {
    formulation::PointLanes lanes(problem.system, integrands);
    Fibers::run(static_cast<int>(together), next, run,
                [&](std::span<const Fibers::Request, Fibers::most> points) { lanes.compute(points); });
  });
  outcome.finish();
}

}  // namespace perilune::simulation
