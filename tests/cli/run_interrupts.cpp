// SPDX-License-Identifier: MIT
// Ctrl-C in everything that may take long: run_interrupts PROGRAM FOLDER [--measure] [NAME...]
//
// FOLDER/NAME.lua is a script that prepares, prints "ready", and then does one thing that takes long. It is interrupted
// soon after that and must end with exit code 130. With --measure it is interrupted at several times of its course, and
// a table says how much processor time passed from SIGINT to its end, at worst; above 0.1 s that is too long.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr double limit = 0.1;    // s of processor time from SIGINT to the end
constexpr double soon = 0.02;    // after "ready"
constexpr double longest = 4.0;  // of the course of a script that is looked at
constexpr int instants = 8;

struct Ending {
  int code = 0;
  double begun = 0;        // processor time at "ready", s
  double interrupted = 0;  // at the signal; 0 without one
  double ended = 0;
};

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// A process that has been started, from its output "ready" on.
class Process {
 public:
  Process(const std::string& program, const fs::path& script) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to be had");
    id_ = fork();
    if (id_ < 0) throw std::runtime_error("no process to be had");
    if (id_ == 0) {
      std::signal(SIGINT, SIG_DFL);
      dup2(ends[1], 1);
      dup2(ends[1], 2);
      close(ends[0]);
      close(ends[1]);
      fs::current_path(fs::temp_directory_path());
      execl(program.c_str(), program.c_str(), script.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
    if (clock_getcpuclockid(id_, &clock_) != 0) throw std::runtime_error("no clock of the process");
    std::string text;
    char c = 0;
    while (text.find("ready\n") == text.npos) {
      if (read(output_, &c, 1) != 1) throw std::runtime_error("it ended before it was ready: " + text);
      text += c;
    }
    begun_ = worked();
  }
  ~Process() {
    if (id_ > 0) {
      kill(id_, SIGKILL);
      waitpid(id_, nullptr, 0);
    }
    close(output_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  double worked() const {
    timespec now{};
    if (clock_gettime(clock_, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  /// Lets it work for so long from "ready" on, interrupts or ends it by force, and waits for its end.
  Ending end(double after, int signal) {
    Ending out;
    out.begun = begun_;
    int status = 0;
    rusage usage{};
    while (worked() - begun_ < after) {
      if (wait4(id_, &status, WNOHANG, &usage) == id_) {
        id_ = -1;
        break;
      }
      usleep(500);
    }
    if (id_ > 0) {
      out.interrupted = worked();
      kill(id_, signal);
      char buffer[4096];
      while (read(output_, buffer, sizeof buffer) > 0) continue;
      wait4(id_, &status, 0, &usage);
      id_ = -1;
    }
    out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    out.ended = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    return out;
  }

 private:
  pid_t id_ = -1;
  int output_ = -1;
  clockid_t clock_{};
  double begun_ = 0;
};

Ending interrupted(const std::string& program, const fs::path& script, double after) {
  return Process(program, script).end(after, SIGINT);
}

bool measure(const std::string& program, const fs::path& script) {
  const Ending whole = Process(program, script).end(longest, SIGKILL);
  const double length = whole.ended - whole.begun;
  double worst = 0, at = 0;
  bool is_fine = true;
  for (int k = 0; k < instants; ++k) {
    const double after = length * (k + 0.5) / instants;
    const Ending ending = interrupted(program, script, after);
    if (ending.interrupted == 0) continue;  // it was done a little earlier this time
    if (ending.code == 0 && ending.ended - ending.interrupted < limit) continue;  // or right then
    if (ending.code != 130) is_fine = false;
    const double took = ending.ended - ending.interrupted;
    if (took <= worst) continue;
    worst = took;
    at = after;
  }
  is_fine = is_fine && worst <= limit;
  std::printf("%-28s %8.2f %10.3f %10.2f   %s\n", script.stem().c_str(), length, worst, at,
              is_fine ? "ok" : "TOO LONG");
  std::fflush(stdout);
  return is_fine;
}

bool check(const std::string& program, const fs::path& script) {
  std::string problem;
  try {
    const Ending ending = interrupted(program, script, soon);
    if (ending.code != 130) problem = "exit code " + std::to_string(ending.code) + ", expected 130";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  std::printf("%s %s\n", problem.empty() ? "ok    " : "FAIL  ", script.stem().c_str());
  if (!problem.empty()) std::printf("  %s\n", problem.c_str());
  return problem.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: run_interrupts PROGRAM FOLDER [--measure] [NAME...]\n");
    return 2;
  }
  try {
    const std::string program = fs::canonical(argv[1]);
    std::vector<std::string> wanted(argv + 3, argv + argc);
    const bool measures = std::erase(wanted, "--measure") > 0;
    std::vector<fs::path> scripts;
    for (const auto& entry : fs::directory_iterator(fs::canonical(argv[2]))) {
      const std::string name = entry.path().stem();
      if (entry.path().extension() != ".lua") continue;
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
        scripts.push_back(entry.path());
      }
    }
    std::sort(scripts.begin(), scripts.end());
    if (measures) std::printf("%-28s %8s %10s %10s   s of processor time\n", "", "whole", "to the end", "from");
    int failed = 0;
    for (const fs::path& script : scripts) failed += !(measures ? measure(program, script) : check(program, script));
    std::printf("%d passed, %d failed\n", static_cast<int>(scripts.size()) - failed, failed);
    return failed == 0 && !scripts.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_interrupts: %s\n", error.what());
    return 1;
  }
}
