// SPDX-License-Identifier: MIT
#include "studies/spread_starts.hpp"

#include "error.hpp"
#include "fingerprint.hpp"
#include "ranks/ranks.hpp"
#include "studies/search_archive.hpp"

namespace perilune::lua {

namespace {

/// What one process tells the others of a start.
template <class Result>
struct StartFound {
  std::optional<Result> result;
  std::string failure;
  std::vector<std::string> warnings;

  template <class Archive>
  friend void archive_fields(Archive& archive, StartFound& found) {
    archive(found.result, found.failure, found.warnings);
  }
};

std::string title_of(const Minimization& task, const std::vector<Eigen::VectorXd>& starts) {
  Fingerprint print;
  print.add(task.fingerprint).add(task.parameters);
  for (const Eigen::VectorXd& start : starts) print.add(std::vector<double>(start.begin(), start.end()));
  return "an optimization from " + std::to_string(starts.size()) + " starts (" + print.text() + ")";
}

}  // namespace

template <class Result>
void SpreadStarts<Result>::run() {
  results.resize(starts.size());
  failures.assign(starts.size(), "interrupted");
  std::vector<std::string> all(starts.size());
  ranks::Work work;
  work.title = title_of(task, starts);
  work.jobs = [&] { return ranks::all_jobs(starts.size()); };
  work.compute = [&](std::size_t k) {
    StartFound<Result> found;
    try {
      found.result = search(k);
      if (found.result->reason == decltype(found.result->reason)::Interrupted) {
        results[k] = found.result;  // what this process had, which no other has
        throw Interrupted();
      }
      found.warnings = task.warnings_at(found.result->x);
    } catch (const NumericalError& failure) {
      found.failure = failure.what();
    }
    return ranks::packed(found);
  };
  work.arrived = [&](std::size_t k, const std::string& bytes) {
    all[k] = bytes;
    done(ranks::unpacked<StartFound<Result>>(bytes).result.has_value());
  };
  work.outcome = [&] { return ranks::packed(all); };
  try {
    all = ranks::unpacked<std::vector<std::string>>(ranks::spread(work));
  } catch (const Interrupted&) {
    is_interrupted = true;
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (all[k].empty()) continue;  // interrupted
    auto found = ranks::unpacked<StartFound<Result>>(all[k]);
    if (found.result && !found.warnings.empty()) {
      task.warned->add(found.result->x.head(static_cast<Eigen::Index>(task.over.size())), found.warnings);
    }
    results[k] = std::move(found.result);
    failures[k] = std::move(found.failure);
  }
}

template struct SpreadStarts<optimize::Result>;
template struct SpreadStarts<optimize::ConstrainedResult>;

}  // namespace perilune::lua
