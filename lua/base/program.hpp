// SPDX-License-Identifier: MIT
// Other programs that do a part of the work: found on the PATH, started without a shell, ended with this one.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace perilune::lua {

/// The first of these names that is a program in a folder of the PATH, with its folder; empty if there is none.
std::string find_program(const std::vector<std::string>& names);

struct ProgramOutput {
  std::string text;  // what it wrote to its standard output
  int status = 0;    // its exit code, or 128 and the number of the signal that ended it
};
/// Runs it with nothing to read, and its errors going nowhere. Throws Error if it cannot be started, writes more than
/// `most` bytes or needs longer than so many seconds, and Interrupted; it and all that it has started are ended then.
ProgramOutput output_of(const std::string& program, const std::vector<std::string>& arguments, std::size_t most,
                        double seconds);

}  // namespace perilune::lua
