// SPDX-License-Identifier: MIT
// Minimization from several starts, in parallel: for functions with several minima.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimize/lbfgsb.hpp"

namespace perilune::optimize {

/// What came of one start.
struct Attempt {
  Eigen::VectorXd start;         // as given
  std::optional<Result> result;  // empty if the objective could not be evaluated at the start, or not any more
  std::string failure;           // why there is none
};

struct MultiStart {
  std::vector<Attempt> attempts;    // in the order of the starts
  std::optional<std::size_t> best;  // the one with the lowest value, the first of equals; empty if all failed
  bool interrupted = false;         // some are not finished
};

/// Sets the best of the attempts.
void find_best(MultiStart& found);

/// Searches from each of the starts, by number, on the threads of `run_jobs`. `search` throws NumericalError where
/// there is nothing to be found; several may run at the same time. `done` is called after each, one at a time. The
/// results do not depend on the number of threads.
MultiStart search_from(const std::vector<Eigen::VectorXd>& starts,
                       const std::function<Result(std::size_t number)>& search,
                       const std::function<void(const Attempt&)>& done = nullptr);

/// The same by `minimize`. `make_problem` is called for each of the starts, so that every problem has an `evaluate` of
/// its own. Throws Error as `minimize` does.
MultiStart minimize_from(const std::vector<Eigen::VectorXd>& starts,
                         const std::function<Problem(const Eigen::VectorXd& start)>& make_problem,
                         const Options& options, const std::function<void(const Attempt&)>& done = nullptr);

}  // namespace perilune::optimize
