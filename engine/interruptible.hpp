// Ctrl-C during work that does not ask for it, like the decompositions of a library.
#pragma once
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "error.hpp"

namespace perilune {

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
