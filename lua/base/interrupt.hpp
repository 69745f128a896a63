// SPDX-License-Identifier: MIT
// Ctrl-C: stops Lua code and the engine's loops, in coroutines too, and cannot be swallowed by pcall.
#pragma once
#include <csignal>
#include <lua.hpp>

namespace perilune::lua {

/// Lists a Lua thread as running for as long as it lives, so that the signal handler can set its hook.
/// They nest like the calls that resume the threads.
class RunningThread {
 public:
  explicit RunningThread(lua_State* L);
  ~RunningThread();
  RunningThread(const RunningThread&) = delete;
  RunningThread& operator=(const RunningThread&) = delete;

  lua_State* state() const { return state_; }
  RunningThread* parent() const { return parent_; }

 private:
  lua_State* state_;
  RunningThread* parent_;
};

/// Handles SIGINT while a script or a chunk runs. The first one makes Lua code and the engine raise "interrupted" and
/// go on raising it until this scope ends; a second one within two seconds ends the process with code 130.
class InterruptScope {
 public:
  explicit InterruptScope(lua_State* L);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  RunningThread thread_;
  struct sigaction previous_ = {};
};

/// True between SIGINT and the end of the scope.
bool interrupt_pending();

/// Called for each "interrupted" that is raised: arms the next one.
void interrupt_was_raised();

/// Replaces coroutine.resume and coroutine.wrap by equals that list the thread they run as a RunningThread, and
/// table.move by one that can be interrupted.
void install_interruptible_library(lua_State* L);

}  // namespace perilune::lua
