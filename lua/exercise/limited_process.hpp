// SPDX-License-Identifier: MIT
// Work in a child process that cannot take more than it is given, whatever it does.
#pragma once
#include <functional>
#include <string>

namespace perilune::lua {

struct Limits {
  double seconds = 10;             // of processor time; who waits is stopped after four times that and some seconds
  int memory = 1024;               // MiB; under AddressSanitizer only Lua's own memory is limited
  std::size_t output = 64 * 1024;  // bytes on standard output and error together
  std::size_t answer = 8 << 20;    // bytes that the work may return
  std::size_t file = 16 << 20;     // bytes of one file
  int open_files = 32;
  int written_files = 100;
};

enum class Ending { Finished, TimeLimit, OutputLimit, AnswerLimit, FileLimit, Memory, Crashed };

struct Outcome {
  Ending ending = Ending::Crashed;
  std::string answer;  // what the work returned, if it finished
  std::string output;  // what it printed
  double seconds = 0;  // processor time
};

/// Runs the work in a child and returns how it went. The child has an empty environment, no input, and no way to start
/// processes. When its time is over it gets SIGINT, which Lua scripts see as an error; it is killed a little later.
/// Throws Error if no child can be made, and Interrupted at Ctrl-C; then the child is ended, too.
Outcome run_limited(const Limits& limits, const std::function<std::string()>& work);

/// "used more than 10 s of processor time": a phrase about the script.
std::string described(Ending ending, const Limits& limits);

}  // namespace perilune::lua
