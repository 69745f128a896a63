// SPDX-License-Identifier: MIT
// One experiment at many parameter sets, in parallel.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sensitivity/gradient.hpp"

namespace perilune::optimize {

struct Sweep {
  simulation::Problem problem;                // with its objectives; its progress is not told
  std::vector<double> parameters;             // of the whole model
  std::vector<int> over;                      // numbers of the parameters that vary
  std::optional<sensitivity::Method> method;  // of the gradients; none: only values
  std::vector<std::vector<double>> points;    // [job][parameter of over]
};

/// What came of one job.
struct Trial {
  std::size_t job = 0;  // from 0
  std::vector<double> point;
  std::vector<double> values;                    // of the objectives; empty if the job failed
  std::vector<std::vector<double>> derivatives;  // [objective][parameter of over]; empty without a method
  std::vector<std::string> warnings;             // of its run and gradient
  std::string failure;                           // why the job failed; empty if it did not

  bool succeeded() const { return failure.empty(); }
};

/// A numerical failure becomes a part of the trial; so do results that are not finite. Throws Interrupted on Ctrl-C.
Trial evaluate(const Sweep& sweep, std::size_t job);

/// Evaluates these jobs on the threads of `run_jobs`. `done` gets every trial as it ends, in any order, but one at a
/// time. Throws Interrupted on Ctrl-C, and what `done` throws.
void run_sweep(const Sweep& sweep, std::span<const std::size_t> jobs, const std::function<void(Trial)>& done);

}  // namespace perilune::optimize
