// SPDX-License-Identifier: MIT
// Independent jobs on the threads of this process, or of all processes, whose results are wanted one by one.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/ranks.hpp"

namespace perilune::ranks {

/// What one process tells the others of a job.
template <class Result>
struct Computed {
  std::optional<Result> result;
  std::string failure;  // of a NumericalError

  template <class Archive>
  friend void archive_fields(Archive& archive, Computed& each) {
    archive(each.result, each.failure);
  }
};

/// What job(0) ... job(count - 1) return. A NumericalError of a job is thrown again as one, that of the lowest number;
/// else throws as run_jobs does, where processes share as spread(). `title`: of all that the results depend on.
template <class Result>
std::vector<Result> compute_each(const std::function<std::string()>& title, std::size_t count,
                                 const std::function<Result(std::size_t)>& job) {
  std::vector<Result> out(count);
  if (count < 2 || !may_spread()) {
    run_jobs(count, [&](std::size_t k) { out[k] = job(k); });
    return out;
  }
  std::vector<std::string> all(count);
  Work work;
  work.title = title();
  work.jobs = [count] { return all_jobs(count); };
  work.compute = [&](std::size_t k) {
    Computed<Result> each;
    try {
      each.result = job(k);
    } catch (const NumericalError& failure) {
      each.failure = failure.what();
    }
    return packed(each);
  };
  work.arrived = [&](std::size_t k, const std::string& bytes) { all[k] = bytes; };
  work.outcome = [&] { return packed(all); };
  all = unpacked<std::vector<std::string>>(spread(work));
  for (std::size_t k = 0; k < count; ++k) {
    auto each = unpacked<Computed<Result>>(all[k]);
    if (!each.result) throw NumericalError(each.failure);
    out[k] = std::move(*each.result);
  }
  return out;
}

}  // namespace perilune::ranks
