// SPDX-License-Identifier: MIT
// Failures that the engine reports. Each message is a whole sentence for the user: object, what was expected, one
// action.
#pragma once
#include <atomic>
#include <stdexcept>
#include <string>

namespace perilune {

/// A model or an argument is wrong (exit code 1 when it ends a script).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The model is well formed but a computation did not succeed: singular matrix, Newton failure, NaN (exit code 3).
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// The user pressed Ctrl-C (exit code 130).
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

/// Set by the signal handler, polled by every loop of the engine that may run long.
inline std::atomic<bool> interrupt_requested{false};

/// Throws Interrupted, and clears the request, if the user asked to stop.
inline void check_interrupt() {
  if (interrupt_requested.load(std::memory_order_relaxed)) {
    interrupt_requested.store(false);
    throw Interrupted();
  }
}

}  // namespace perilune
