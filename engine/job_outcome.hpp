// SPDX-License-Identifier: MIT
// How independent jobs end that several threads do: the failure of the lowest number is thrown, whatever the number of
// threads, and an interrupt ends all.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#include "error.hpp"

namespace perilune {

class JobOutcome {
 public:
  /// False once they were interrupted, or one of a lower number has failed.
  bool may_begin(std::size_t number) {
    if (interrupt_requested.load()) interrupted_.store(true);
    return !interrupted_.load() && number <= failed_.load();
  }
  template <class Job>
  void run(std::size_t number, const Job& job) noexcept {
    try {
      job();
    } catch (const Interrupted&) {
      interrupted_.store(true);
      interrupt_requested.store(true);  // whoever noticed it took it from the other threads
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (number < failed_.load()) {
        failed_.store(number);
        failure_ = std::current_exception();
      }
    }
  }
  /// When all have ended: throws Interrupted, or what the job of the lowest number threw.
  void finish() const {
    if (interrupted_.load()) {
      interrupt_requested.store(false);
      throw Interrupted();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> interrupted_{false};
  std::atomic<std::size_t> failed_{static_cast<std::size_t>(-1)};  // the lowest number
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace perilune
