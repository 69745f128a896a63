// SPDX-License-Identifier: MIT
// What a process needs that has others work for it: a pipe from each, and an end of all when it is asked to end.
#pragma once
#include <array>
#include <csignal>
#include <cstddef>
#include <string>

namespace perilune::lua {

/// Closes the file if it is open, and notes that it is not.
void close_file(int& file);

/// Both ends of a pipe; open until they are closed or this scope ends.
struct Pipe {
  int read = -1, write = -1;

  /// Throws Error if there is none.
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

/// False if the other end reads no more.
bool write_all(int file, const std::string& text);
/// Appends what is there, of which no more is kept than one byte above the limit. False at the end of the pipe.
bool drain(int file, std::string& text, std::size_t limit);

/// While this scope lasts, signals that would end this process are left to check_interrupt(), so that nothing is left
/// behind.
class StopOnRequest {
 public:
  StopOnRequest();
  ~StopOnRequest();
  StopOnRequest(const StopOnRequest&) = delete;
  StopOnRequest& operator=(const StopOnRequest&) = delete;

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> previous_{};
};

}  // namespace perilune::lua
