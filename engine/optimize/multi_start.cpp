// SPDX-License-Identifier: MIT
#include "optimize/multi_start.hpp"

#include <mutex>

#include "error.hpp"
#include "parallel.hpp"

namespace perilune::optimize {

void find_best(MultiStart& found) {
  for (std::size_t k = 0; k < found.attempts.size(); ++k) {
    const auto& result = found.attempts[k].result;
    if (result && (!found.best || result->value < found.attempts[*found.best].result->value)) found.best = k;
  }
}

MultiStart search_from(const std::vector<Eigen::VectorXd>& starts,
                       const std::function<Result(std::size_t number)>& search,
                       const std::function<void(const Attempt&)>& done) {
  MultiStart out;
  out.attempts.resize(starts.size());
  for (std::size_t k = 0; k < starts.size(); ++k) out.attempts[k] = {starts[k], {}, "interrupted"};
  std::mutex mutex;
  try {
    run_jobs(starts.size(), [&](std::size_t k) {
      Attempt& attempt = out.attempts[k];
      try {
        attempt.result = search(k);
        attempt.failure.clear();
      } catch (const NumericalError& failure) {
        attempt.failure = failure.what();
      }
      if (attempt.result && attempt.result->reason == Reason::Interrupted) throw Interrupted();
      const std::lock_guard lock(mutex);
      if (done) done(attempt);
    });
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  find_best(out);
  return out;
}

MultiStart minimize_from(const std::vector<Eigen::VectorXd>& starts,
                         const std::function<Problem(const Eigen::VectorXd& start)>& make_problem,
                         const Options& options, const std::function<void(const Attempt&)>& done) {
  return search_from(
      starts, [&](std::size_t number) { return minimize(make_problem(starts[number]), options); }, done);
}

}  // namespace perilune::optimize
