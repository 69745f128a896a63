// SPDX-License-Identifier: MIT
#include "base/child_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace perilune::lua {

void close_file(int& file) {
  if (file >= 0) close(file);
  file = -1;
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  read = ends[0];
  write = ends[1];
}

Pipe::~Pipe() {
  close_file(read);
  close_file(write);
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return true;
}

bool drain(int file, std::string& text, std::size_t limit) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(file, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), std::min(static_cast<std::size_t>(count), limit + 1 - std::min(text.size(), limit + 1)));
  return count > 0;
}

StopOnRequest::StopOnRequest() {
  for (std::size_t k = 0; k < signals.size(); ++k) {
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupt_requested = true; };
    sigemptyset(&action.sa_mask);
    sigaction(signals[k], nullptr, &previous_[k]);
    if (previous_[k].sa_handler == SIG_DFL) sigaction(signals[k], &action, nullptr);
  }
}

StopOnRequest::~StopOnRequest() {
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &previous_[k], nullptr);
}

}  // namespace perilune::lua
