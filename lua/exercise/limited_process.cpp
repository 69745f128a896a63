// SPDX-License-Identifier: MIT
#include "exercise/limited_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/child_process.hpp"
#include "error.hpp"
#include "parallel.hpp"

#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;  // its shadow memory is terabytes of address space
#else
constexpr bool is_sanitized = false;
#endif

namespace perilune::lua {

namespace {

// Exit codes of the child, which parents can tell from signals.
constexpr int finished_code = 0, out_of_memory_code = 41, failed_code = 42;

void set_limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit wanted{soft, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &wanted);  // a lower limit that stands already is as good
}
void set_limit(int resource, rlim_t value) { set_limit(resource, value, value); }

void start_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds))) + 1;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

double grace_time = 1;

// The script is asked to stop, so that it can say where it was; the second time the process ends.
void on_timer(int) {
  const int saved_errno = errno;
  std::signal(SIGPROF, SIG_DFL);
  start_timer(grace_time);
  kill(getpid(), SIGINT);
  errno = saved_errno;
}

void enter_limits(const Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_FSIZE, limits.file);
  set_limit(RLIMIT_NOFILE, static_cast<rlim_t>(limits.open_files));
  set_limit(RLIMIT_NPROC, 0);
  if (!is_sanitized) set_limit(RLIMIT_AS, static_cast<rlim_t>(limits.memory) << 20);
  grace_time = std::max(0.1, 0.2 * limits.seconds);
  const auto whole = static_cast<rlim_t>(std::ceil(limits.seconds + grace_time)) + 1;
  set_limit(RLIMIT_CPU, whole, whole + 1);
  for (int signal = 1; signal < SIGSYS; ++signal) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // the terminal's Ctrl-C goes to the parent, which ends the child
  std::signal(SIGPROF, on_timer);
  start_timer(limits.seconds);
  clearenv();
  setenv("LC_ALL", "C", 1);
  setenv("TERM", "dumb", 1);
}

[[noreturn]] void be_the_child(const Limits& limits, int output, int answer, const std::function<std::string()>& work) {
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  // Only the standard files and the way back stay open.
  answer = dup2(answer, 3) == 3 ? 3 : answer;
  for (int file = 4; file < 256; ++file) close(file);
  enter_limits(limits);
  use_one_thread();
  int code = finished_code;
  try {
    const std::string text = work();
    std::fflush(nullptr);
    if (!write_all(answer, text)) code = failed_code;
  } catch (const std::bad_alloc&) {
    code = out_of_memory_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "perilune: %s\n", error.what());
    std::fflush(nullptr);
    code = failed_code;
  }
  _exit(code);  // no destructors, no finalizers of the script
}

// Processor time of a child so far, in s.
double time_used_by(pid_t child) {
  clockid_t clock;
  timespec used{};
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// Reads both pipes until they end, a limit is exceeded or the child waits; says which if it was a limit. One that works
// ends at its limit of processor time by itself, whenever a busy machine lets it.
Ending listen(pid_t child, Pipe& output, Pipe& answer, const Limits& limits, Outcome& outcome) {
  using Clock = std::chrono::steady_clock;
  const double patience = 4 * limits.seconds + 5;
  const auto wait = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience));
  auto deadline = Clock::now() + wait;
  double used = 0;
  while (output.read >= 0 || answer.read >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      const double before = std::exchange(used, time_used_by(child));
      if (used - before < 0.02 * patience) return Ending::TimeLimit;
      deadline += wait;
      continue;
    }
    check_interrupt();
    pollfd files[] = {{output.read, POLLIN, 0}, {answer.read, POLLIN, 0}};
    poll(files, 2, static_cast<int>(std::min<long long>(left, 200)));
    if (files[0].revents && !drain(output.read, outcome.output, limits.output)) close_file(output.read);
    if (files[1].revents && !drain(answer.read, outcome.answer, limits.answer)) close_file(answer.read);
    if (outcome.output.size() > limits.output) return Ending::OutputLimit;
    if (outcome.answer.size() > limits.answer) return Ending::AnswerLimit;
  }
  return Ending::Finished;
}

Ending ending_of(int status) {
  if (WIFEXITED(status)) {
    if (WEXITSTATUS(status) == finished_code) return Ending::Finished;
    return WEXITSTATUS(status) == out_of_memory_code ? Ending::Memory : Ending::Crashed;
  }
  switch (WTERMSIG(status)) {
    case SIGPROF:
    case SIGXCPU:
    case SIGINT:
      return Ending::TimeLimit;
    case SIGXFSZ:
      return Ending::FileLimit;
    default:
      return Ending::Crashed;
  }
}

// Ends the child however this scope is left, by Ctrl-C too.
struct Child {
  pid_t id;
  bool is_waited_for = false;

  int wait(double& seconds) {
    int status = 0;
    rusage usage{};
    while (wait4(id, &status, 0, &usage) < 0 && errno == EINTR) continue;
    is_waited_for = true;
    const auto add = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    seconds = add(usage.ru_utime) + add(usage.ru_stime);
    return status;
  }
  ~Child() {
    if (is_waited_for) return;
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
  }
};

}  // namespace

Outcome run_limited(const Limits& limits, const std::function<std::string()>& work) {
  Outcome outcome;
  Pipe output, answer;
  std::fflush(nullptr);
  const pid_t id = fork();
  if (id < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  if (id == 0) be_the_child(limits, output.write, answer.write, work);
  Child child{id};
  const StopOnRequest stop;
  close_file(output.write);
  close_file(answer.write);
  outcome.ending = listen(id, output, answer, limits, outcome);
  if (outcome.ending != Ending::Finished) kill(id, SIGKILL);
  const int status = child.wait(outcome.seconds);
  if (outcome.ending == Ending::Finished) outcome.ending = ending_of(status);
  if (outcome.ending != Ending::Finished) outcome.answer.clear();
  outcome.output.resize(std::min(outcome.output.size(), limits.output));
  return outcome;
}

std::string described(Ending ending, const Limits& limits) {
  char text[100];
  switch (ending) {
    case Ending::TimeLimit:
      std::snprintf(text, sizeof text, "used more than %g s of processor time, or waited for something",
                    limits.seconds);
      return text;
    case Ending::OutputLimit:
      return "printed more than " + std::to_string(limits.output / 1024) + " KiB";
    case Ending::AnswerLimit:
      return "returned too much";
    case Ending::FileLimit:
      return "wrote a file of more than " + std::to_string(limits.file >> 20) + " MiB";
    case Ending::Memory:
      return "needed more than " + std::to_string(limits.memory) + " MiB of memory";
    case Ending::Crashed:
      return "ended unexpectedly; it may have needed more than " + std::to_string(limits.memory) + " MiB of memory";
    case Ending::Finished:
      break;
  }
  return "came to its end";
}

}  // namespace perilune::lua
