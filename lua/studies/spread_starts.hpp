// SPDX-License-Identifier: MIT
// The starts of an optimization, each searched from in one of several processes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "optimize/multi_start.hpp"
#include "studies/minimization.hpp"

namespace perilune::lua {

/// Fills results and failures, by start; found.interrupted where not all are there. `search` throws NumericalError
/// where there is nothing to be found, `done` hears in the first process of each that ended, one at a time. The
/// warnings of the runs at the points that were found are known to the task in every process.
template <class Result>
struct SpreadStarts {
  const Minimization& task;
  std::vector<Eigen::VectorXd> starts;
  std::function<Result(std::size_t number)> search;
  std::function<void(bool succeeded)> done;

  std::vector<std::optional<Result>> results = {};
  std::vector<std::string> failures = {};
  bool is_interrupted = false;

  void run();
};

extern template struct SpreadStarts<optimize::Result>;
extern template struct SpreadStarts<optimize::ConstrainedResult>;

}  // namespace perilune::lua
