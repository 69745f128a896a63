// SPDX-License-Identifier: MIT
#include "ranks/first_rank.hpp"

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/beside.hpp"
#include "ranks/feed_stage.hpp"
#include "ranks/job_dispenser.hpp"

namespace perilune::ranks {

namespace {

std::string rank(int number) { return "rank " + std::to_string(number) + " of the run"; }

/// One stage of work that is spread.
class SpreadStage {
 public:
  SpreadStage(Link& link, const Work& work, const std::vector<std::size_t>& jobs,
              const std::function<void(const Message&)>& require_same)
      : link_(link),
        work_(work),
        require_same_(require_same),
        dispenser_(jobs, static_cast<std::size_t>(link.size() * thread_count())) {}

  /// On this process's threads, while another thread serves the other processes. Throws Interrupted and Parted; else
  /// all others wait for the outcome.
  void run() {
    beside_.run([&] { serve(); },
                [&] { run_jobs(static_cast<std::size_t>(thread_count()), [&](std::size_t) { work_here(); }); });
  }
  const std::optional<std::string>& failure() const { return dispenser_.failure(); }
  /// What `arrived` threw.
  std::exception_ptr problem() const { return problem_; }

 private:
  void work_here() {
    for (std::vector<std::size_t> jobs = dispenser_.take(); !jobs.empty(); jobs = dispenser_.take()) {
      for (const std::size_t job : jobs) {
        if (!dispenser_.may_begin(job)) break;
        std::string bytes;
        try {
          bytes = work_.compute(job);
        } catch (const Interrupted&) {
          throw;
        } catch (const std::exception& failure) {
          fail({job, failure.what()});
          return;
        }
        arrive({job, bytes});
      }
    }
  }

  void fail(const JobReport& report) { dispenser_.fail(report.job, report.text); }

  void arrive(const JobReport& report) {
    dispenser_.count_done();
    const std::lock_guard lock(mutex_);
    if (problem_) return;
    try {
      work_.arrived(report.job, report.text);
    } catch (...) {
      dispenser_.close();
      problem_ = std::current_exception();
    }
  }

  /// Until all others have done what there is, or the stage is broken off.
  void serve() {
    for (int others = link_.size() - 1; others > 0 && !beside_.is_broken_off() && !interrupt_requested.load();) {
      const std::optional<Message> message = link_.poll_or_rest();
      if (!message) continue;
      switch (message->kind) {
        case Kind::Result:
          arrive(report_of(*message));
          break;
        case Kind::Failed:
          fail(report_of(*message));
          break;
        case Kind::Ask:
          require_same_(*message);
          link_.send(message->from, Kind::Jobs, packed(dispenser_.take()));
          break;
        default:
          require_same_(*message);
          --others;
      }
    }
  }

  Link& link_;
  const Work& work_;
  const std::function<void(const Message&)>& require_same_;
  JobDispenser dispenser_;
  std::mutex mutex_;
  std::exception_ptr problem_;
  Beside beside_{[this] { dispenser_.close(); }};
};

}  // namespace

void FirstRank::tell_all(Kind kind, const std::string& content) {
  for (int to = 1; to < link_.size(); ++to) link_.send(to, kind, content);
}

void FirstRank::require_same(const Message& message, const Stage& stage) {
  if (message.kind == Kind::Bye) {
    left_.insert(message.from);
    throw Parted(message.content.empty()
                     ? rank(message.from) +
                           " has come to the end of the script, where the first still has work to share"
                           "; a script must do the same in every process"
                     : rank(message.from) + " has ended: " + message.content);
  }
  const Stage other = stage_of(message);
  if (other.number == stage.number && other.title == stage.title) return;
  throw Parted(rank(message.from) + " does not do what the first does: it came to " + other.title + ", the first to " +
               stage.title +
               "; a script must do the same in every process, whatever the time, the machine or the order of pairs");
}

std::string FirstRank::spread(const Work& work, const Stage& stage) {
  const std::function<void(const Message&)> require = [&](const Message& message) { require_same(message, stage); };
  std::vector<std::size_t> jobs;
  std::exception_ptr no_jobs;
  try {
    jobs = work.jobs();
  } catch (const std::exception&) {  // the others come to hear of it where they ask for jobs
    no_jobs = std::current_exception();
  }
  SpreadStage all(link_, work, jobs, require);
  all.run();
  return conclude(all.failure(), no_jobs ? no_jobs : all.problem(), work.outcome);
}

std::string FirstRank::feed(const Feed& feed, const Stage& stage) {
  const std::function<void(const Message&)> require = [&](const Message& message) { require_same(message, stage); };
  FeedStage all(link_, feed, require);
  all.run();
  return conclude(all.failure(), all.problem(), feed.outcome);
}

std::string FirstRank::conclude(const std::optional<std::string>& failure, const std::exception_ptr& problem,
                                const std::function<std::string()>& outcome) {
  if (failure) {
    tell_all(Kind::Error, *failure);
    throw Error(*failure);
  }
  std::string content;
  try {
    if (problem) std::rethrow_exception(problem);
    content = outcome();
    Link::require_size(content);
  } catch (const std::exception& what) {
    tell_all(Kind::Error, what.what());
    throw;
  }
  tell_all(Kind::Outcome, content);
  return content;
}

std::string FirstRank::gather(const Stage& stage) {
  std::vector<std::string> texts(static_cast<std::size_t>(link_.size()));
  texts[0] = stage.bytes;
  for (int missing = link_.size() - 1; missing > 0;) {
    check_interrupt();
    const std::optional<Message> message = link_.poll_or_rest();
    if (!message) continue;
    require_same(*message, stage);
    texts[static_cast<std::size_t>(message->from)] = stage_of(*message).bytes;
    --missing;
  }
  std::string all = packed(texts);
  tell_all(Kind::Outcome, all);
  return all;
}

std::string FirstRank::dismiss(int code) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{10};  // with those that are busy where nothing is to come of it any more
  Clock::time_point quit_at;
  std::string said;
  bool is_told = false;
  const auto tell_to_quit = [&] {
    if (is_told) return;
    tell_all(Kind::Quit, {});
    is_told = true;
    quit_at = Clock::now() + patience;
  };
  if (code != 0) tell_to_quit();
  while (left_.size() + 1 < static_cast<std::size_t>(link_.size())) {
    const std::optional<Message> message = link_.poll_or_rest();
    if (interrupt_requested.load()) tell_to_quit();
    if (is_told && Clock::now() > quit_at) link_.abort(code != 0 ? code : 1);
    if (!message || message->kind == Kind::Result || message->kind == Kind::Failed) continue;
    if (message->kind != Kind::Bye) {
      if (!is_told) {
        said = rank(message->from) +
               " still has work to share where the first has come to the end of the script; "
               "a script must do the same in every process";
      }
      tell_to_quit();
      continue;
    }
    left_.insert(message->from);
    if (!is_told && said.empty() && !message->content.empty()) {
      said = rank(message->from) + " has ended: " + message->content;
    }
  }
  tell_to_quit();
  link_.finish();
  return said;
}

}  // namespace perilune::ranks
