// SPDX-License-Identifier: MIT
#include "profile.hpp"

#include <algorithm>

#include "error.hpp"

namespace perilune {

namespace {

/// What one look at the clock takes (s).
double seconds_per_reading() {
  using Clock = std::chrono::steady_clock;
  static const double cost = [] {
    constexpr int count = 10000;
    double least = 1;
    for (int round = 0; round < 5; ++round) {
      const Clock::time_point start = Clock::now();
      Clock::time_point end = start;
      for (int i = 0; i < count; ++i) end = Clock::now();
      least = std::min(least, std::chrono::duration<double>(end - start).count() / count);
    }
    return least;
  }();
  return cost;
}

}  // namespace

std::atomic<Profile*> Profile::current = nullptr;

Profile::Profile() : last_(Clock::now()) {
  Profile* none = nullptr;
  if (!current.compare_exchange_strong(none, this)) throw Error("a profile is being made already");
}

Profile::~Profile() { current = nullptr; }

double Profile::seconds(Task task) const {
  const auto i = static_cast<std::size_t>(task);
  const double all = std::chrono::duration<double>(times_[i]).count();
  return std::max(0.0, all - static_cast<double>(readings_[i]) * seconds_per_reading());
}

void Profile::charge() {
  const Clock::time_point now = Clock::now();
  const auto i = static_cast<std::size_t>(task_);
  times_[i] += now - last_;
  ++readings_[i];
  last_ = now;
}

void TimedTask::enter(Task task) {
  before_ = profile_->task_;
  if (before_ >= Task::Start || profile_->thread_ != std::this_thread::get_id()) {
    profile_ = nullptr;
    return;
  }
  profile_->charge();
  profile_->task_ = task;
  ++profile_->visits_[static_cast<std::size_t>(task)];
}

void TimedTask::leave() {
  profile_->charge();
  profile_->task_ = before_;
}

}  // namespace perilune
