// SPDX-License-Identifier: MIT
// Ctrl-C during work that does not ask for it.
#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>

#include "interruptible.hpp"

using perilune::interruptible;

TEST_CASE("Work in the background returns, throws and is left behind", "[interruptible]") {
  CHECK(interruptible([] { return 7; }) == 7);
  CHECK_THROWS_AS(interruptible([]() -> int { throw std::runtime_error("no"); }), std::runtime_error);

  struct Gate {
    std::atomic<bool> is_open{false}, was_passed{false};
  };
  const auto gate = std::make_shared<Gate>();
  perilune::interrupt_requested = true;
  CHECK_THROWS_AS(interruptible([gate] {
                    while (!gate->is_open) std::this_thread::yield();
                    gate->was_passed = true;
                    return 0;
                  }),
                  perilune::Interrupted);
  CHECK_FALSE(perilune::interrupt_requested);
  CHECK_FALSE(gate->was_passed);
  gate->is_open = true;
  while (!gate->was_passed) std::this_thread::yield();
}
