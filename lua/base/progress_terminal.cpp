// SPDX-License-Identifier: MIT
#include "base/progress_terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "ranks/ranks.hpp"

namespace perilune::lua {

bool progress_is_seen() {
  if (isatty(STDERR_FILENO) == 1) return true;
  if (ranks::size() == 1) return false;
  // mpirun reads the standard error of its processes from pipes, and writes it to its own as it stands.
  const std::string of_launcher = "/proc/" + std::to_string(getppid()) + "/fd/2";
  const int file = open(of_launcher.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool is_terminal = isatty(file) == 1;
  close(file);
  return is_terminal;
}

}  // namespace perilune::lua
