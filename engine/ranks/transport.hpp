// SPDX-License-Identifier: MIT
// What carries messages between the processes of a run. A library of its own brings it (ranks/mpi), which is loaded
// only where a launcher has started several processes: so the program starts and installs without it.
#pragma once
#include <cstddef>

extern "C" {

/// Calls come from one thread at a time. Messages between two processes arrive in the order in which they were sent.
struct PeriluneTransport {
  int number, size;  // of this process, from 0; of all
  /// Waits for the other process with long messages alone. The bytes may change then.
  void (*send)(int to, const char* bytes, std::size_t count);
  /// Whether a message is there, from whom, and how long it is. Does not wait.
  bool (*probe)(int* from, std::size_t* count);
  /// The message that probe found.
  void (*receive)(int from, char* bytes, std::size_t count);
  /// Every process calls it, once, at its end.
  void (*finish)();
  /// Ends all processes at once.
  void (*abort)(int code);
};

/// The library's one symbol. Null where the launcher cannot be joined.
using PeriluneConnect = const PeriluneTransport*();
}
