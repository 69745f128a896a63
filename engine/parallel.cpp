// SPDX-License-Identifier: MIT
// The one file that is compiled with OpenMP: elsewhere Eigen would start threads of its own inside of the jobs.
#include "parallel.hpp"

#include <omp.h>

#include <atomic>
#include <exception>
#include <mutex>

#include "error.hpp"

namespace perilune {

namespace {

/// Shared by the threads of one call.
class Jobs {
 public:
  explicit Jobs(const std::function<void(std::size_t)>& job) : job_(job) {}

  void run(std::size_t number) noexcept {
    if (interrupt_requested.load()) interrupted_.store(true);
    if (interrupted_.load() || number > failed_.load()) return;
    try {
      job_(number);
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

  void finish() const {
    if (interrupted_.load()) {
      interrupt_requested.store(false);
      throw Interrupted();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<void(std::size_t)>& job_;
  std::atomic<bool> interrupted_{false};
  std::atomic<std::size_t> failed_{static_cast<std::size_t>(-1)};  // the lowest number
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void run_jobs(std::size_t count, const std::function<void(std::size_t)>& job) {
  Jobs jobs(job);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t number = 0; number < count; ++number) jobs.run(number);
  jobs.finish();
}

void use_one_thread() { omp_set_num_threads(1); }

}  // namespace perilune
