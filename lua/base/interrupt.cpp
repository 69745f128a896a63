// SPDX-License-Identifier: MIT
#include "base/interrupt.hpp"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

constexpr int first_grace = 1000;

std::atomic<RunningThread*> running{nullptr};
std::atomic<bool> pending{false};
std::atomic<long long> first_signal{0};  // milliseconds
// Instructions between two raises. Halved each time, so that handlers and __close functions can do a little work, but
// a loop around pcall comes to its end.
std::atomic<int> grace{first_grace};
pthread_t script_thread;

void stop_hook(lua_State* L, lua_Debug*) {
  if (!interrupt_pending()) {  // a coroutine that was created during an earlier interrupt
    lua_sethook(L, nullptr, 0, 0);
    return;
  }
  raise(L, Failure::interrupted, script_position(L, 0) + "interrupted");
}

// lua_sethook is the one function of Lua that a signal handler may call.
void arm(int instructions) {
  for (RunningThread* thread = running; thread; thread = thread->parent()) {
    lua_sethook(thread->state(), stop_hook, LUA_MASKCOUNT, instructions);
  }
}

long long now_in_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

void on_interrupt(int signal) {
  const int saved_errno = errno;
  if (!pthread_equal(pthread_self(), script_thread)) {
    pthread_kill(script_thread, signal);  // Lua may only be touched from its own thread
    errno = saved_errno;
    return;
  }
  const long long now = now_in_milliseconds();
  const long long age = now - first_signal;
  // Shells, mpirun and timeout may deliver one key press twice: the second needs a human distance.
  if (pending && age > 100 && age < 2000) {
    remove_unfinished_files();
    _exit(130);
  }
  if (!pending || age >= 2000) first_signal = now;
  pending = true;
  interrupt_requested = true;
  arm(1);
  errno = saved_errno;
}

}  // namespace

RunningThread::RunningThread(lua_State* L) : state_(L), parent_(running) {
  running = this;
  if (pending) lua_sethook(L, stop_hook, LUA_MASKCOUNT, 1);
}

RunningThread::~RunningThread() { running = parent_; }

InterruptScope::InterruptScope(lua_State* L) : thread_(L) {
  script_thread = pthread_self();
  struct sigaction action = {};
  action.sa_handler = on_interrupt;  // no SA_RESTART: a blocked read has to end too
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &previous_, nullptr);
  if (!pending || thread_.parent()) return;
  lua_sethook(thread_.state(), nullptr, 0, 0);
  pending = false;
  interrupt_requested = false;
  grace = first_grace;
}

bool interrupt_pending() { return pending; }

void interrupt_was_raised() {
  if (!pending) return;
  interrupt_requested = true;  // check_interrupt clears it
  arm(grace);
  grace = std::max(1, grace / 2);
}

}  // namespace perilune::lua
