// SPDX-License-Identifier: MIT
// Who gets which jobs: many at once as long as there are many, so that little is said, one at a time at the end, so
// that all end together.
#pragma once
#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace perilune::ranks {

class JobDispenser {
 public:
  /// `takers`: how many threads there are in all, about.
  JobDispenser(const std::vector<std::size_t>& jobs, std::size_t takers) : jobs_(jobs), takers_(takers) {}

  /// The next ones; none once all are given, or one has failed: those before it are on their way then.
  std::vector<std::size_t> take() {
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    if (is_closed_) return {};
    const std::size_t left = jobs_.size() - next_;
    const std::size_t count = std::min({left, std::max<std::size_t>(1, left / (4 * takers_)), most});
    const auto from = jobs_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += count;
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  void fail(std::size_t job, const std::string& text) {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    if (job < failed_) {
      failed_ = job;
      failure_ = text;
    }
  }
  /// Why the failed one of the lowest number failed.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  const std::vector<std::size_t>& jobs_;
  const std::size_t takers_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  bool is_closed_ = false;
  std::size_t failed_ = std::numeric_limits<std::size_t>::max();
  std::optional<std::string> failure_;
};

}  // namespace perilune::ranks
