// SPDX-License-Identifier: MIT
// The one file that is compiled with OpenMP, which says how many threads there are: elsewhere Eigen would start its own
// inside of the jobs.
#include "parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "crew.hpp"
#include "error.hpp"
#include "job_outcome.hpp"

namespace perilune {

namespace {

thread_local bool within_job = false;

struct JobScope {
  JobScope() { within_job = true; }
  ~JobScope() { within_job = was_within; }
  JobScope(const JobScope&) = delete;
  JobScope& operator=(const JobScope&) = delete;
  const bool was_within = within_job;
};

/// Of one call, shared by its threads.
class Outcome {
 public:
  template <class Job>
  void run(std::size_t number, const Job& job) noexcept {
    if (!all_.may_begin(number)) return;
    const JobScope scope;
    all_.run(number, job);
  }
  void finish() const { all_.finish(); }

 private:
  JobOutcome all_;
};

}  // namespace

void run_jobs(std::size_t count, const std::function<void(std::size_t)>& job) {
  static Crew crew;
  Outcome outcome;
  crew.run(count, thread_count(), [&](std::size_t number) { outcome.run(number, [&] { job(number); }); });
  outcome.finish();
}

struct JobQueue::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<std::pair<std::size_t, std::function<void()>>> waiting;
  std::size_t added = 0, running = 0;
  bool is_closed = false;
  Outcome outcome;
  std::vector<std::thread> threads;

  /// Until the queue is closed, or, of the caller's thread, until nothing is left to do.
  void work(bool waits) {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return !waiting.empty() || (waits ? is_closed : running == 0); });
      if (waiting.empty()) return;
      do_next(lock);
    }
  }

  void do_next(std::unique_lock<std::mutex>& lock) {
    auto [number, job] = std::move(waiting.front());
    waiting.pop();
    ++running;
    lock.unlock();
    outcome.run(number, job);
    job = nullptr;  // what it holds goes before the others hear of it
    lock.lock();
    --running;
    changed.notify_all();
  }
};

JobQueue::JobQueue(int most) : state_(std::make_unique<State>()) {
  const int all = most > 0 ? std::min(most, omp_get_max_threads()) : omp_get_max_threads();
  const int others = within_job ? 0 : all - 1;
  for (int k = 0; k < others; ++k) {
    try {
      state_->threads.emplace_back([state = state_.get()] { state->work(true); });
    } catch (const std::system_error&) {
      break;  // the others do it
    }
  }
}

JobQueue::~JobQueue() {
  bool interrupts = false;
  {
    const std::lock_guard lock(state_->mutex);
    state_->waiting = {};
    state_->is_closed = true;
    interrupts = state_->running > 0;
    if (interrupts) interrupt_requested.store(true);
  }
  state_->changed.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
  if (interrupts) interrupt_requested.store(false);
}

void JobQueue::add(std::function<void()> job) {
  const std::size_t number = state_->added++;
  if (state_->threads.empty()) return state_->outcome.run(number, job);
  std::unique_lock lock(state_->mutex);
  state_->waiting.emplace(number, std::move(job));
  state_->changed.notify_one();
  // The others have enough to do until the caller is back.
  if (state_->waiting.size() > 2 * (state_->threads.size() + 1)) state_->do_next(lock);
}

void JobQueue::finish() {
  state_->work(false);
  state_->outcome.finish();
}

bool is_within_job() { return within_job; }

int thread_count() { return within_job ? 1 : omp_get_max_threads(); }

void use_one_thread() { omp_set_num_threads(1); }

}  // namespace perilune
