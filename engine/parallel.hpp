// SPDX-License-Identifier: MIT
// Independent jobs on several threads.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace perilune {

/// Calls job(0) ... job(count - 1), each once, in any order, on as many threads as OpenMP would take (OMP_NUM_THREADS). The
/// jobs share only what does not change; so what each of them computes cannot depend on the number of threads.
/// An exception of a job ends the others that come after it, and the one of the lowest number is thrown again: the same
/// whatever the number of threads. Interrupted, by a job or by a pending request, ends all jobs as soon as they poll,
/// and is thrown at the end.
void run_jobs(std::size_t count, const std::function<void(std::size_t)>& job);

/// The same for jobs that come to light one after the other: they are done by other threads while the caller goes on,
/// and by the caller where there are none, as within a job. So many may wait as keep all threads busy; then the caller
/// does one itself, so that what jobs hold does not pile up.
class JobQueue {
 public:
  /// `most`: threads, the caller's included; 0: as many as run_jobs has.
  explicit JobQueue(int most = 0);
  /// Jobs that have not begun are forgotten, those that run are interrupted.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;
  void add(std::function<void()> job);
  /// Takes part until all are done; throws as run_jobs does.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// As many as OpenMP would take: 1 within a job.
int thread_count();
/// Whether this thread does a job of one of these, however many threads there are.
bool is_within_job();

/// From now on the jobs run one after the other: for a process that may not start threads.
void use_one_thread();

}  // namespace perilune
