// SPDX-License-Identifier: MIT
// Independent jobs in processes of their own, some at a time: none of them can stop the others.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace perilune::lua {

/// What became of a job: what it returned, or why it did not.
struct Answer {
  std::string text, problem;
};

/// Calls work(0) ... work(count - 1), each in a child process, `jobs` at a time, and done(number, answer) here as they
/// come to their end. Ctrl-C ends them all and is thrown as Interrupted. Throws Error if no process can be made.
void run_in_processes(std::size_t count, int jobs, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const Answer&)>& done);

}  // namespace perilune::lua
