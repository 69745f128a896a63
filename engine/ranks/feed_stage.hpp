// SPDX-License-Identifier: MIT
// What the first process does with jobs that come to light one after the other: it hands them out, does some itself,
// and collects the results.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/beside.hpp"
#include "ranks/link.hpp"
#include "ranks/ranks.hpp"

namespace perilune::ranks {

/// What who asks for jobs gets.
struct FedJobs {
  /// Or what came of one.
  struct Job {
    std::uint64_t number = 0;
    std::string bytes;

    template <class Archive>
    friend void archive_fields(Archive& archive, Job& job) {
      archive(job.number, job.bytes);
    }
  };
  bool is_over = false;   // there are no more
  std::vector<Job> jobs;  // else these

  template <class Archive>
  friend void archive_fields(Archive& archive, FedJobs& fed) {
    archive(fed.is_over, fed.jobs);
  }
};

/// What came of jobs in another process.
struct FedResults {
  std::vector<FedJobs::Job> results, failures;

  template <class Archive>
  friend void archive_fields(Archive& archive, FedResults& done) {
    archive(done.results, done.failures);
  }
};

class FeedStage {
 public:
  FeedStage(Link& link, const Feed& feed, const std::function<void(const Message&)>& require_same);
  /// Throws Interrupted and Parted; else all others wait for the outcome.
  void run();
  /// Why the failed job of the lowest number failed.
  const std::optional<std::string>& failure() const { return failure_; }
  /// What `find` or `arrived` threw.
  std::exception_ptr problem() const { return problem_; }

 private:
  /// One; for another process as many as its share of those that wait. None, and not over: who asks has to wait.
  FedJobs take(bool for_other);
  /// One job, on this thread. False: there is none.
  bool do_next();
  void add(std::string job);
  void arrive(std::uint64_t number, const std::string& bytes);
  void fail(std::uint64_t number, const std::string& text);
  /// What another process tells with its questions.
  void take_in(const Message& message);
  void serve();
  void work();
  /// There are no more jobs to come.
  void close();

  Link& link_;
  const Feed& feed_;
  const std::function<void(const Message&)>& require_same_;
  std::size_t takers_;  // threads in all, about
  std::mutex mutex_;
  std::condition_variable news_;  // for `serve`: that there are jobs, or will be no more
  std::deque<std::string> waiting_;
  std::uint64_t taken_ = 0, failed_ = 0;
  bool is_over_ = false;
  std::optional<std::string> failure_;
  std::exception_ptr problem_;
  Beside beside_{[this] { close(); }};
};

}  // namespace perilune::ranks
