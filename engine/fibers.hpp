// SPDX-License-Identifier: MIT
// Jobs that take turns on one thread, each on a stack of its own: where one of them comes to work that pays when it is
// done for several at once, it waits there until all others have come to such work, too.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace perilune {

class Fibers {
 public:
  /// How many jobs take turns.
  static constexpr int most = 8;
  /// Work that one of them wants done.
  using Request = void*;
  /// Does it for those that wait, by lane: null where nobody does. Throws nothing.
  using Together = std::function<void(std::span<const Request, most>)>;

  /// Whether there are any on this kind of processor: elsewhere run() does one job after the other.
  static bool are_offered();

  /// Calls job(k) for each k that next() gives, up to a number below zero, on this thread, `count` at a time (at most
  /// `most`). Neither throws: what they call is unwound within the job, as on any other stack.
  static void run(int count, const std::function<std::ptrdiff_t()>& next,
                  const std::function<void(std::ptrdiff_t)>& job, const Together& together);

  /// Of a job: waits until all have come here, and the request was part of a call of `together`. False where the others
  /// have ended, or this thread is at no such job: then the caller does its work itself.
  static bool wait(Request request);
  /// The number of the job's turn, 0 to most - 1, the same as long as it lasts; -1 where there is none.
  static int lane();

  /// As long as it lives, nothing that this thread does waits: for what is done while others must not go on.
  class Alone {
   public:
    Alone();
    ~Alone();
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    void* others_;
  };

 private:
  class Group;
};

}  // namespace perilune
