// SPDX-License-Identifier: MIT
// The field "job" of m:optimize: a search that goes on after a break.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "studies/optimization_journal.hpp"

namespace perilune::lua {

/// The schema's field.
Field job_field();

class OptimizationJob {
 public:
  /// Reads the field. Where the file has a job already, the parameters `over` get the values that it began with; what
  /// else is read may depend on them. Throws Error where the file is something else.
  OptimizationJob(Args& args, const std::vector<int>& over);
  /// Gives the parameters their values back, unless they were to be kept.
  ~OptimizationJob();
  OptimizationJob(const OptimizationJob&) = delete;
  OptimizationJob& operator=(const OptimizationJob&) = delete;

  /// Opens the file, if there is to be one, for what the task evaluates. Throws Error where it is of another task. Of
  /// several processes each learns what the others have to have, too.
  void open(Minimization& task, const Optimizer& optimizer, std::size_t starts, std::uint64_t seed);
  /// The parameters stay as they are.
  void keep_parameters() { before_.clear(); }
  /// What is to be said, and how many evaluations the file had; without a file nothing.
  std::vector<std::string> warnings() const;
  void set_resumed(lua_State* L) const;

 private:
  const Args& args_;
  std::vector<int> over_;
  std::vector<double> before_;
  std::string path_;
  std::shared_ptr<OptimizationJournal> journal_;
  std::string moved_;  // a warning
};

}  // namespace perilune::lua
