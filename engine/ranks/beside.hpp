// SPDX-License-Identifier: MIT
// Work on this process's threads beside a thread that serves the other processes.
#pragma once
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "parallel.hpp"

namespace perilune::ranks {

class Beside {
 public:
  /// `close`: called as either is broken off, so that nobody begins anything more.
  explicit Beside(std::function<void()> close) : close_(std::move(close)) {}

  /// Until both are done. What the first of them throws breaks off the other, and is thrown; else Interrupted may be.
  template <class Serve, class Work>
  void run(Serve&& serve, Work&& work) {
    std::thread server([&] { unless_it_throws(serve); });
    unless_it_throws(work);
    server.join();
    if (why_) std::rethrow_exception(why_);
    check_interrupt();
  }
  bool is_broken_off() const { return is_broken_off_; }

 private:
  template <class Do>
  void unless_it_throws(Do& act) {
    try {
      act();
    } catch (...) {
      close_();
      const std::lock_guard lock(mutex_);
      if (!why_) why_ = std::current_exception();
      is_broken_off_ = true;
    }
  }

  std::function<void()> close_;
  std::mutex mutex_;
  std::exception_ptr why_;
  std::atomic<bool> is_broken_off_{false};
};

}  // namespace perilune::ranks
