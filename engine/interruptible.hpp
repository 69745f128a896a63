// Ctrl-C in loops, and during work that does not ask for it, like the decompositions of a library.
#pragma once
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "error.hpp"

namespace perilune {

/// Asks for Ctrl-C every 64th time: what is short goes through, so that a script that goes on after an interrupt can
/// still look at what it has.
class Poll {
 public:
  void operator()() {
    if (++count_ % 64 == 0) check_interrupt();
  }

 private:
  unsigned count_ = 0;
};

/// The result of `work()`, or what it throws. Throws Interrupted within 0.1 s when the user asks to stop; the work then
/// goes on in the background for nothing, so it must own all that it reads.
template <class Work>
auto interruptible(Work work) {
  using namespace std::chrono_literals;
  std::packaged_task<decltype(work())()> task(std::move(work));
  auto result = task.get_future();
  std::thread(std::move(task)).detach();
  while (result.wait_for(20ms) != std::future_status::ready) check_interrupt();
  return result.get();
}

}  // namespace perilune
