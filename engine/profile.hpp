// SPDX-License-Identifier: MIT
// Where a run spends its time. Nobody asks most of the time: then a task costs one comparison on its way in and one on
// its way out, which is nothing beside what it does.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace perilune {

/// What a run is made of. Those before Start are parts of a motion; those from there on own all that is done within.
enum class Task {
  Steps,
  Elements,
  Slopes,
  Factorization,
  Solution,
  Recursion,
  Start,
  Projection,
  Events,
  Measures,
  Audit
};
inline constexpr std::size_t task_count = 11;

/// Times of the tasks of what this thread does during its life. One at a time in a process.
class Profile {
 public:
  Profile();
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Whether somebody, perhaps in another thread, makes one.
  static bool is_on() { return current.load(std::memory_order_relaxed) != nullptr; }
  /// Ends the measurement.
  void stop() { charge(); }
  /// In a task, outside of the tasks within it (s), without what the clock itself took.
  double seconds(Task task) const;
  long visits(Task task) const { return visits_[static_cast<std::size_t>(task)]; }

 private:
  friend class TimedTask;
  using Clock = std::chrono::steady_clock;

  /// The time since the last call is that of the task which is done.
  void charge();

  static std::atomic<Profile*> current;
  std::thread::id thread_ = std::this_thread::get_id();
  Task task_ = Task::Steps;
  Clock::time_point last_;
  std::array<Clock::duration, task_count> times_ = {};
  std::array<long, task_count> readings_ = {}, visits_ = {};
};

/// What is done during its life is of that task, for the profile that somebody may ask for.
class TimedTask {
 public:
  explicit TimedTask(Task task) : profile_(Profile::current.load(std::memory_order_relaxed)) {
    if (profile_) [[unlikely]]
      enter(task);
  }
  ~TimedTask() {
    if (profile_) [[unlikely]]
      leave();
  }
  TimedTask(const TimedTask&) = delete;
  TimedTask& operator=(const TimedTask&) = delete;

 private:
  // Apart, so that they are not in the way of what is measured.
  void enter(Task task);
  void leave();

  Profile* profile_;
  Task before_ = Task::Steps;
};

}  // namespace perilune
