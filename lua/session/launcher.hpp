// SPDX-License-Identifier: MIT
// Several processes that a launcher (mpirun, srun) has started to run one script.
#pragma once
#include <lua.hpp>
#include <string>

namespace perilune::lua {

/// What a launcher says of this process.
struct Launch {
  int number = 0;         // from 0
  int size = 1;           // 0: not known before it is joined
  const char* word = "";  // by what it is known
  bool is_one() const { return size == 1; }
};
/// From the environment that launchers of MPI set.
Launch launch();

/// A program that this one starts is none of the launcher's.
void forget_launch();

/// Joins the other processes, so that work can be spread over them (engine/ranks). All but the first fall silent: what
/// they print and write goes nowhere. Throws Error where they cannot be joined.
void join_launched(const Launch& launched);
/// Random numbers are the same in all processes; scripts of others than the first lose what writes and removes files.
void prepare_launched(lua_State* L);
/// The end of the script, with this code and what was said of it. Waits for the others; returns the code of the
/// process.
int leave_launched(int code, const std::string& said);

}  // namespace perilune::lua
