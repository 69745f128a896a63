// SPDX-License-Identifier: MIT
#include "studies/job_progress.hpp"

#include <cstdio>

#include "base/progress_terminal.hpp"

namespace perilune::lua {

JobProgress::JobProgress(std::string noun, std::size_t count)
    : noun_(std::move(noun)), count_(count), is_seen_(progress_is_seen()) {}

JobProgress::~JobProgress() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
}

// Time of the clock: processor time would count every thread.
double JobProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void JobProgress::count(bool succeeded) {
  ++done_;
  if (!succeeded) ++failed_;
  const double now = seconds();
  if (!is_seen_ || now < 0.5 || now - last_ < 0.1) return;
  last_ = now;
  is_shown_ = true;
  const std::string failures = failed_ > 0 ? ", " + std::to_string(failed_) + " failed" : "";
  const double left = now * static_cast<double>(count_ - done_) / static_cast<double>(done_);
  std::fprintf(stderr, "\r\033[K%zu of %zu %ss%s, about %.0f s left (Ctrl-C stops)", done_, count_, noun_.c_str(),
               failures.c_str(), left);
  std::fflush(stderr);
}

}  // namespace perilune::lua
