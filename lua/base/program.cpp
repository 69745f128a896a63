// SPDX-License-Identifier: MIT
#include "base/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/child_process.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

constexpr int cannot_start = 127;
/// Programs make sockets in folders of their own in the one for temporary files, of names with 107 characters at most.
constexpr std::size_t longest_temporary = 60;

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments, int output) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDERR_FILENO);
  dup2(output, STDOUT_FILENO);
  const char* temporary = std::getenv("TMPDIR");
  if (temporary && std::strlen(temporary) > longest_temporary) setenv("TMPDIR", "/tmp", 1);
  execv(program.c_str(), words.data());
  _exit(cannot_start);
}

// Ended and waited for, with all that it has started, however this is destroyed.
class Group {
 public:
  explicit Group(pid_t id) : id_(id) {}
  ~Group() {
    if (id_ <= 0) return;
    kill(-id_, SIGKILL);
    wait();
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t id_;
};

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& name : names) {
    for (std::size_t from = 0; from <= folders.size();) {
      const std::size_t to = std::min(folders.find(':', from), folders.size());
      std::string file = folders.substr(from, to - from) + "/" + name;
      std::error_code failure;
      if (to > from && access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file, failure)) return file;
      from = to + 1;
    }
  }
  return {};
}

ProgramOutput output_of(const std::string& program, const std::vector<std::string>& arguments, std::size_t most,
                        double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  ProgramOutput out;
  Pipe pipe;
  const StopOnRequest stop;
  std::fflush(nullptr);
  const pid_t id = fork();
  if (id < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  if (id == 0) become(program, arguments, pipe.write);
  setpgid(id, id);  // here, too, so that it is a group of its own before anything is sent to it
  Group group(id);
  close_file(pipe.write);
  for (bool is_open = true; is_open;) {
    check_interrupt();
    if (out.text.size() > most) throw Error("'" + program + "' wrote more than it should");
    if (Clock::now() > end) {
      throw Error("'" + program + "' has not come to its end in " + std::to_string(static_cast<int>(seconds)) + " s");
    }
    pollfd file{pipe.read, POLLIN, 0};
    constexpr int milliseconds = 100;
    if (poll(&file, 1, milliseconds) > 0) is_open = drain(pipe.read, out.text, most);
  }
  out.status = group.wait();
  if (out.status == cannot_start) throw Error("cannot start '" + program + "'");
  return out;
}

}  // namespace perilune::lua
