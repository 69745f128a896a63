// SPDX-License-Identifier: MIT
// Runs a student's script and collects what it hands in.
#pragma once
#include <filesystem>
#include <string>

#include "exercise/limited_process.hpp"
#include "exercise/plain.hpp"

namespace perilune::lua {

struct Assignment {
  std::filesystem::path script;
  Plain given;      // what `require "given"` returns
  Plain questions;  // a list, see student_answers
  std::int64_t seed = 0;
  Limits limits;
};

/// The work of the child process: runs the script in a sandbox that sees the script's folder alone and returns an
/// encoded table with
///   problem   the text of an error, if the script or the reading of its answers failed
///   answers   the table that it returned, without functions and objects
///   results   by id of the question: { value = ... } or { error = "..." }
///   calls     how often perilune's functions were called, by name
/// A question is { id, call = name of a function in the answers, arguments = list }, which asks for its first result,
/// or { id, run = name of a run, signals = list, times = list }, which asks for a list of values for each signal; the
/// times are fractions of the run if `relative` is true.
std::string student_answers(const Assignment& assignment);

}  // namespace perilune::lua
