// SPDX-License-Identifier: MIT
// A line on the terminal's standard error about jobs that are under way; removed at the end.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>

namespace perilune::lua {

class JobProgress {
 public:
  /// Of so many jobs, called "job" or "start".
  JobProgress(std::string noun, std::size_t count);
  ~JobProgress();
  JobProgress(const JobProgress&) = delete;
  JobProgress& operator=(const JobProgress&) = delete;

  /// One more is finished. Not from two threads at once.
  void count(bool succeeded);

 private:
  double seconds() const;

  std::string noun_;
  std::size_t count_, done_ = 0, failed_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double last_ = 0;
  bool is_seen_, is_shown_ = false;
};

}  // namespace perilune::lua
