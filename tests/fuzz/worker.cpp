// SPDX-License-Identifier: MIT
#include "worker.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "error.hpp"
#include "guarded_memory.hpp"
#include "scripts.hpp"
#include "session.hpp"
#include "verdict.hpp"

#ifdef __SANITIZE_ADDRESS__
extern "C" int __lsan_do_recoverable_leak_check();
extern "C" const char* __asan_default_options();
extern "C" const char* __ubsan_default_options();
#define PERILUNE_SANITIZED 1
#else
#define PERILUNE_SANITIZED 0
#endif

namespace perilune::fuzz {

namespace {

/// To guard an allocation takes as long as some ten others together, and most are those of the set-up, which is always
/// the same: many of them are guarded in some inputs, a few in all.
std::uint32_t guard_interval(std::uint64_t number) { return number % 8 == 0 ? 7 : 61; }

pthread_t main_thread;
int output_file = 2;
std::atomic<int> alarms{0};
std::atomic<double> interrupted_at{0};  // processor time (s)

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void write_stack() {
  void* frames[60];
  const int count = backtrace(frames, 60);
  backtrace_symbols_fd(frames, count, output_file);
}

void on_alarm(int signal) {
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, signal);
    return;
  }
  if (++alarms > 1) {
    write_stack();
    _exit(hang_code);
  }
  interrupted_at = processor_time();
  raise(SIGINT);
}

void on_crash(int signal) {
  write_stack();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void start_alarm(double seconds, double grace) {
  const auto parts = [](double s) {
    return timeval{static_cast<time_t>(s),
                   static_cast<suseconds_t>((s - static_cast<double>(static_cast<time_t>(s))) * 1e6)};
  };
  alarms = 0;
  interrupted_at = 0;
  const itimerval timer{parts(grace), parts(seconds)};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void stop_alarm() {
  const itimerval none{};
  setitimer(ITIMER_PROF, &none, nullptr);
}

void limit(__rlimit_resource resource, std::uint64_t value) {
  const rlimit limits{value, value};
  setrlimit(resource, &limits);
}

std::string written(int output) {
  const auto size = static_cast<std::size_t>(std::min<off_t>(lseek(output, 0, SEEK_END), 1 << 20));
  std::string text(size, '\0');
  const ssize_t got = pread(output, text.data(), size, 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

void clear_folder() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(".", ignored)) {
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

void enter_worker(const Limits& limits, const std::string& folder, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  main_thread = pthread_self();
  output_file = output;
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  if (chdir(folder.c_str()) != 0) _exit(2);
  if (geteuid() == 0) {  // so that no script can harm what is not in its folder
    if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    prctl(PR_SET_DUMPABLE, 1);  // the leak sanitizer looks at its own process
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 64 << 20);
  if (!PERILUNE_SANITIZED) limit(RLIMIT_AS, limits.memory << 30);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN);  // outside of the scope that handles it
  void* frames[4];
  backtrace(frames, 4);  // loads its library now: a signal handler must not
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  sigaction(SIGPROF, &action, nullptr);
  if (!PERILUNE_SANITIZED) {
    static char stack[65536];  // a stack that overflowed is no place for a handler
    const stack_t alternate{stack, 0, sizeof stack};
    sigaltstack(&alternate, nullptr);
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) sigaction(signal, &action, nullptr);
  }
}

void work(const Input& input, std::uint64_t number, const Limits& limits, Progress& progress, int output,
          int findings) {
  progress.input = number;
  progress.busy = true;
  if (ftruncate(output, 0) != 0) _exit(2);
  guard_memory(guard_interval(number), static_cast<std::uint32_t>(number / 8));
  start_alarm(limits.seconds, limits.grace);
  const Outcome outcome = run_script(input.script, "input.lua");
  const double end = processor_time();
  stop_alarm();
  guard_memory(0, 0);
  interrupt_requested = false;
  std::cout.flush();
  std::fflush(nullptr);
  std::cout.clear();
  const std::string text = written(output);
  dprintf(output, "%s(exit code %d)\n", outcome.report.c_str(), outcome.exit_code);  // for whom repeats it
  ++progress.inputs;
  ++progress.by_kind[input.kind];
  const int code = outcome.exit_code;
  ++progress.exits[outcome.called_exit ? 4 : code == 0 ? 0 : code == 1 ? 1 : code == 3 ? 2 : code == 130 ? 3 : 4];
  if (text.find(simulated_mark) != text.npos) ++progress.simulated;
  if (outcome.report.find("memory") != text.npos) ++progress.out_of_memory;
  if (alarms > 0) {
    ++progress.interrupted;
    const auto answer = static_cast<std::uint64_t>(1e6 * (end - interrupted_at));
    if (answer > 100000) {
      ++progress.slow_answers;
      dprintf(findings, "%llu\tslow answer\t%.1f s\n", static_cast<unsigned long long>(number),
              1e-6 * static_cast<double>(answer));
    }
    if (answer > progress.slowest_answer) progress.slowest_answer = answer;
  }
  if (const std::optional<Finding> found = judge(outcome, text, input.kind == mutant_kind)) {
    dprintf(findings, "%llu\t%s\t%s\n", static_cast<unsigned long long>(number), found->kind.c_str(),
            found->key.c_str());
  }
  clear_folder();
  progress.busy = false;
}

bool has_leaks() {
#if PERILUNE_SANITIZED
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

}  // namespace perilune::fuzz

#if PERILUNE_SANITIZED
// An allocation that fails is an exception here too, as in the program itself; the sanitizer's own operator new would
// end the process.
const char* __asan_default_options() {
  return "exitcode=98:allocator_may_return_null=1:max_allocation_size_mb=1024:soft_rss_limit_mb=3000:"
         "detect_stack_use_after_return=1:strict_string_checks=1:alloc_dealloc_mismatch=0";
}
const char* __ubsan_default_options() { return "print_stacktrace=1:exitcode=98"; }

void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
#endif
