// SPDX-License-Identifier: MIT
// perilune exercise list|start|check|hint|report|pack|grade|verify
#pragma once
#include <string>
#include <vector>

namespace perilune::lua {

/// Does what the words after "exercise" say. The exit code: 0 also means full score where something was checked.
/// Throws Error.
int run_exercise_command(const std::vector<std::string>& words);

/// For those who write exercises: every reference solution has full score, every starter less than 30 %, and every
/// wrong variant fails the check that its first line names. Prints what is not so. The exit code.
int verify_exercises(const std::vector<std::string>& ids);

}  // namespace perilune::lua
