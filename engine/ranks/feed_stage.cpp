// SPDX-License-Identifier: MIT
#include "ranks/feed_stage.hpp"

#include <algorithm>

#include "error.hpp"

namespace perilune::ranks {

FeedStage::FeedStage(Link& link, const Feed& feed, const std::function<void(const Message&)>& require_same)
    : link_(link),
      feed_(feed),
      require_same_(require_same),
      takers_(static_cast<std::size_t>(link.size() * thread_count())) {}

void FeedStage::run() {
  beside_.run([&] { serve(); }, [&] { work(); });
}

void FeedStage::work() {
  JobQueue queue;
  const bool has_threads = thread_count() > 1;
  try {
    feed_.find([&](std::string job) {
      if (beside_.is_broken_off()) throw Error("");  // of which the other's exception says more
      add(std::move(job));
      if (has_threads) queue.add([this] { do_next(); });
    });
  } catch (const Interrupted&) {
    throw;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    problem_ = std::current_exception();
  }
  close();
  queue.finish();
  run_jobs(static_cast<std::size_t>(thread_count()), [&](std::size_t) {
    while (do_next()) {
    }
  });
}

FedJobs FeedStage::take(bool for_other) {
  const std::lock_guard lock(mutex_);
  FedJobs out;
  if (beside_.is_broken_off() || failure_ || problem_) waiting_.clear();
  if (waiting_.empty()) {
    out.is_over = is_over_ || failure_ || problem_;
    return out;
  }
  // Messages take about a millisecond, in which nobody should have nothing to do.
  const std::size_t count = for_other ? std::max<std::size_t>(1, waiting_.size() / (2 * takers_)) : 1;
  for (std::size_t k = 0; k < count; ++k) {
    out.jobs.push_back({taken_++, std::move(waiting_.front())});
    waiting_.pop_front();
  }
  return out;
}

bool FeedStage::do_next() {
  const FedJobs next = take(false);
  for (const FedJobs::Job& job : next.jobs) {
    try {
      arrive(job.number, feed_.compute(job.bytes));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& failure) {
      fail(job.number, failure.what());
    }
  }
  return !next.jobs.empty();
}

void FeedStage::add(std::string job) {
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(job));
    waiting = waiting_.size();
    news_.notify_one();
  }
  // The others have enough to do until the caller is back.
  if (waiting > 8 * takers_) run_jobs(1, [&](std::size_t) { do_next(); });
}

void FeedStage::arrive(std::uint64_t number, const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  if (problem_) return;
  try {
    feed_.arrived(static_cast<std::size_t>(number), bytes);
  } catch (...) {
    problem_ = std::current_exception();
  }
}

void FeedStage::fail(std::uint64_t number, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (failure_ && failed_ < number) return;
  failed_ = number;
  failure_ = text;
}

void FeedStage::take_in(const Message& message) {
  const auto done = unpacked<FedResults>(stage_of(message).bytes);
  for (const FedJobs::Job& job : done.results) arrive(job.number, job.bytes);
  for (const FedJobs::Job& job : done.failures) fail(job.number, job.bytes);
}

void FeedStage::serve() {
  std::deque<int> asking;
  for (int others = link_.size() - 1; others > 0 && !beside_.is_broken_off() && !interrupt_requested.load();) {
    while (!asking.empty()) {
      const FedJobs next = take(true);
      if (next.jobs.empty() && !next.is_over) break;
      link_.send(asking.front(), Kind::Jobs, packed(next));
      asking.pop_front();
    }
    if (const std::optional<Message> message = link_.poll()) {
      require_same_(*message);
      take_in(*message);
      if (message->kind == Kind::Ask) {
        asking.push_back(message->from);
      } else {
        --others;
      }
    } else {
      std::unique_lock lock(mutex_);
      news_.wait_for(lock, link_.next_rest(), [&] { return !asking.empty() && (!waiting_.empty() || is_over_); });
    }
  }
}

void FeedStage::close() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  news_.notify_one();
}

}  // namespace perilune::ranks
