// SPDX-License-Identifier: MIT
#include "crew.hpp"

#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace perilune {

Crew::~Crew() {
  if (is_forked()) {  // there are no such threads to wait for
    static_cast<void>(threads_.release());
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : *threads_) thread.join();
}

void Crew::run(std::size_t count, int threads, const std::function<void(std::size_t)>& job) {
  const std::size_t others = std::min(count, static_cast<std::size_t>(std::max(threads, 1))) - (count > 0 ? 1 : 0);
  std::unique_lock turn(caller_, std::defer_lock);
  if (others == 0 || !turn.try_lock() || is_forked()) {
    for (std::size_t number = 0; number < count; ++number) job(number);
    return;
  }
  raise(others);
  job_ = &job;
  count_ = count;
  next_ = 0;
  {
    const std::lock_guard lock(mutex_);
    wanted_ = std::min(others, threads_->size());
  }
  wake_.notify_all();
  take_jobs();
  std::unique_lock lock(mutex_);
  wanted_ = 0;  // who has not come yet need not
  done_.wait(lock, [&] { return working_ == 0; });
}

/// Another process has a copy of this one's memory, and none of its threads.
bool Crew::is_forked() const { return !threads_->empty() && process_ != getpid(); }

void Crew::raise(std::size_t others) {
  process_ = getpid();
  while (threads_->size() < others) {
    try {
      threads_->emplace_back([this] { attend(); });
    } catch (const std::system_error&) {
      break;  // those that are there do it
    }
  }
}

void Crew::attend() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return is_closed_ || wanted_ > 0; });
    if (is_closed_) return;
    --wanted_;
    ++working_;
    lock.unlock();
    take_jobs();
    lock.lock();
    if (--working_ == 0) done_.notify_one();
  }
}

void Crew::take_jobs() {
  for (std::size_t number = next_++; number < count_; number = next_++) (*job_)(number);
}

}  // namespace perilune
