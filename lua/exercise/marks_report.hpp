// SPDX-License-Identifier: MIT
// What a student, and a grading service, is told.
#pragma once
#include <string>

#include "exercise/exercise.hpp"

namespace perilune::lua {

struct ExerciseReport {
  const Exercise& exercise;
  const Marks& marks;
  std::string student;
  std::int64_t seed;
  int hints;  // asked for so far
};

/// For a terminal.
std::string report_text(const ExerciseReport& report);
/// As JSON: a superset of what Gradescope reads (score, execution_time, output, tests). Throws Error if the file cannot
/// be written.
void write_report(const ExerciseReport& report, const std::string& path);

}  // namespace perilune::lua
