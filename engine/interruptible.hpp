// SPDX-License-Identifier: MIT
// Ctrl-C during work that does not ask for it, like the decompositions of a library.
#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "error.hpp"

namespace perilune {

/// The result of `work()`, or what it throws. Throws Interrupted within 0.1 s when the user asks to stop; the work then
/// goes on in the background for nothing, until it or the process ends: so it must own all that it reads. Where no
/// thread is to be had, it is done here, and Ctrl-C waits for it.
template <class Work>
auto interruptible(Work work) {
  using namespace std::chrono_literals;
  const auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
  auto result = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {
    (*task)();
  }
  while (result.wait_for(20ms) != std::future_status::ready) check_interrupt();
  return result.get();
}

}  // namespace perilune
