// SPDX-License-Identifier: MIT
#include "ranks/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "error.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/feed_stage.hpp"
#include "ranks/first_rank.hpp"
#include "ranks/link.hpp"

namespace perilune::ranks {

namespace {

struct Run {
  explicit Run(const PeriluneTransport& transport) : link(transport), first(link) {}
  Link link;
  FirstRank first;           // of the first process
  std::mutex mutex;          // one thread at a time speaks to the first process
  std::uint64_t stages = 0;  // so far
  bool is_over = false;
  std::string parted;  // the sentence, once processes have parted
};
std::unique_ptr<Run> run;

/// Whoever is told to quit has nothing left to do, wherever it is.
[[noreturn]] void quit() {
  if (!run->is_over) run->link.send(0, Kind::Bye);
  run->link.finish();
  _exit(0);
}

/// In another process than the first: the answer of that.
Message answer() {
  Message message = run->link.wait();
  if (message.kind == Kind::Quit) quit();
  return message;
}

std::string outcome() {
  const Message message = answer();
  if (message.kind == Kind::Error) throw Error(message.content);
  return message.content;
}

std::vector<std::size_t> ask_for_jobs(const Stage& stage) {
  const std::lock_guard lock(run->mutex);
  run->link.send(0, Kind::Ask, content_of(stage));
  return unpacked<std::vector<std::size_t>>(answer().content);
}

void tell(Kind kind, const JobReport& report) {
  const std::lock_guard lock(run->mutex);
  run->link.send(0, kind, content_of(report));
}

std::string spread_by_other(const Work& work, const Stage& stage) {
  run_jobs(static_cast<std::size_t>(thread_count()), [&](std::size_t) {
    for (std::vector<std::size_t> jobs = ask_for_jobs(stage); !jobs.empty(); jobs = ask_for_jobs(stage)) {
      for (const std::size_t job : jobs) {
        try {
          tell(Kind::Result, {job, work.compute(job)});
        } catch (const Interrupted&) {
          throw;
        } catch (const std::exception& failure) {
          tell(Kind::Failed, {job, failure.what()});
        }
      }
    }
  });
  run->link.send(0, Kind::Done, content_of(stage));
  return outcome();
}

/// The jobs that a process has from the first one. The next are asked for as soon as those at hand are begun, with what
/// came of those before, so that nobody waits for messages.
class Supply {
 public:
  Supply(const Feed& feed, Stage stage) : feed_(feed), stage_(std::move(stage)) {}

  /// Jobs until there are no more, on any number of threads.
  void work() {
    while (const std::optional<FedJobs::Job> job = next()) {
      check_interrupt();
      compute(*job);
    }
  }
  /// After all threads: tells the first that, with what it does not know yet.
  void finish() {
    const std::lock_guard lock(run->mutex);
    if (is_asking_) receive();
    tell(Kind::Done);
  }

 private:
  /// The first keeps who asks waiting until it has come to more jobs. None: there are no more.
  std::optional<FedJobs::Job> next() {
    const std::lock_guard lock(run->mutex);
    if (at_hand_.empty() && !is_over_) {
      if (!is_asking_) ask();
      receive();
    }
    if (at_hand_.empty()) return {};
    FedJobs::Job job = std::move(at_hand_.front());
    at_hand_.pop_front();
    if (at_hand_.empty() && !is_over_) ask();
    return job;
  }
  void compute(const FedJobs::Job& job) {
    const auto note = [&](std::vector<FedJobs::Job>& where, std::string bytes) {
      const std::lock_guard lock(run->mutex);
      where.push_back({job.number, std::move(bytes)});
    };
    try {
      note(done_.results, feed_.compute(job.bytes));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& failure) {
      note(done_.failures, failure.what());
    }
  }
  void tell(Kind kind) {
    stage_.bytes = packed(std::exchange(done_, {}));
    run->link.send(0, kind, content_of(stage_));
  }
  void ask() {
    tell(Kind::Ask);
    is_asking_ = true;
  }
  void receive() {
    auto answered = unpacked<FedJobs>(answer().content);
    is_asking_ = false;
    is_over_ = answered.is_over;
    for (FedJobs::Job& job : answered.jobs) at_hand_.push_back(std::move(job));
  }

  const Feed& feed_;
  Stage stage_;
  std::deque<FedJobs::Job> at_hand_;
  FedResults done_;
  bool is_asking_ = false, is_over_ = false;
};

std::string feed_by_other(const Feed& feed, const Stage& stage) {
  Supply supply(feed, stage);
  run_jobs(static_cast<std::size_t>(thread_count()), [&](std::size_t) { supply.work(); });
  supply.finish();
  return outcome();
}

Stage next_stage(const std::string& title) {
  if (!run->parted.empty()) throw Error(run->parted);
  return {++run->stages, title};
}

template <class Function>
auto in_first(const Function& function) {
  try {
    return function();
  } catch (const Parted& problem) {
    run->parted = problem.what();
    throw;
  }
}

}  // namespace

void join(const PeriluneTransport& transport) { run = std::make_unique<Run>(transport); }
int number() { return run ? run->link.number() : 0; }
int size() { return run ? run->link.size() : 1; }
bool may_spread() { return size() > 1 && !run->is_over && !is_within_job(); }

std::vector<std::size_t> all_jobs(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::string spread(const Work& work) {
  const Stage stage = next_stage(work.title);
  if (number() > 0) return spread_by_other(work, stage);
  return in_first([&] { return run->first.spread(work, stage); });
}

std::string feed(const Feed& feed) {
  const Stage stage = next_stage(feed.title);
  if (number() > 0) return feed_by_other(feed, stage);
  return in_first([&] { return run->first.feed(feed, stage); });
}

std::vector<std::string> gather(const std::string& title, const std::string& mine) {
  Stage stage = next_stage(title);
  stage.bytes = mine;
  std::string all;
  if (number() > 0) {
    run->link.send(0, Kind::Share, content_of(stage));
    all = outcome();
  } else {
    all = in_first([&] { return run->first.gather(stage); });
  }
  return unpacked<std::vector<std::string>>(all);
}

std::string leave(int code, const std::string& failure) {
  if (!run || run->is_over) return {};
  run->is_over = true;
  if (number() > 0) {
    run->link.send(0, Kind::Bye, code == 0 ? "" : failure);
    while (true) answer();  // the one to come tells it to quit
  }
  return run->first.dismiss(code == 0 && !run->parted.empty() ? 1 : code);
}

}  // namespace perilune::ranks
