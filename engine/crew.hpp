// SPDX-License-Identifier: MIT
// Threads that sleep until there are jobs.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace perilune {

/// Those of OpenMP turn in circles for milliseconds after each loop, since another may come: with short loops that is
/// most of what they do, at the cost of all else on the machine. These are kept from call to call as they are, so that
/// what a thread remembers (system/last_layout.hpp) stays.
class Crew {
 public:
  Crew() = default;
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// job(0) ... job(count - 1), which throw nothing, on at most so many threads, the caller's included. Where they are
  /// at work for another caller, or cannot be had, this one does its jobs itself.
  void run(std::size_t count, int threads, const std::function<void(std::size_t)>& job);

 private:
  bool is_forked() const;
  void raise(std::size_t others);
  void attend();
  void take_jobs();

  std::mutex caller_;  // one at a time
  std::unique_ptr<std::vector<std::thread>> threads_ = std::make_unique<std::vector<std::thread>>();
  pid_t process_ = 0;  // whose threads these are

  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};

  std::mutex mutex_;  // of all below
  std::condition_variable wake_, done_;
  std::size_t wanted_ = 0, working_ = 0;
  bool is_closed_ = false;
};

}  // namespace perilune
