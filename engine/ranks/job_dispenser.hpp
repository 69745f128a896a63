// SPDX-License-Identifier: MIT
// Who gets which jobs: many at once as long as there are many, so that little is said, one at a time at the end, so
// that all end together.
#pragma once
#include <algorithm>
#include <chrono>
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

  /// The next ones, for about a fifth of a second as far as is known: whoever has them hears of nothing until they are
  /// done. None once all are given, or one has failed: those before it are on their way then.
  std::vector<std::size_t> take() {
    constexpr double seconds = 0.2;
    const std::lock_guard lock(mutex_);
    if (is_closed_) return {};
    const std::size_t left = jobs_.size() - next_;
    std::size_t count = 1;
    if (done_ > 0) {
      const double passed = std::chrono::duration<double>(Clock::now() - began_).count();
      const double each = passed * static_cast<double>(takers_) / static_cast<double>(done_);
      const double most = std::min(seconds / std::max(each, 1e-9), 1e4);
      count =
          std::clamp<std::size_t>(left / (4 * takers_), 1, std::max<std::size_t>(1, static_cast<std::size_t>(most)));
    }
    count = std::min(count, left);
    const auto from = jobs_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += count;
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  /// Whether a job that was given is still to be done.
  bool may_begin(std::size_t job) {
    const std::lock_guard lock(mutex_);
    return !is_broken_ && job < failed_;
  }
  void count_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
  }
  /// None is to begin any more.
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = is_broken_ = true;
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
  using Clock = std::chrono::steady_clock;

  const std::vector<std::size_t>& jobs_;
  const std::size_t takers_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  std::size_t next_ = 0, done_ = 0;
  bool is_closed_ = false, is_broken_ = false;
  std::size_t failed_ = std::numeric_limits<std::size_t>::max();
  std::optional<std::string> failure_;
};

}  // namespace perilune::ranks
