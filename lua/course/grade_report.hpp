// SPDX-License-Identifier: MIT
// What a lecturer is told about a class.
#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace perilune::lua {

/// How a student did in an exercise.
struct Grade {
  enum class State {
    Checked,   // the script came to its end
    Doubtful,  // so it did, but a check could not be made, which may be the check's fault
    Stopped,   // it did not, or could not be run
    Missing,   // there is none
    Unknown    // the checks themselves failed
  };
  std::string student, exercise;
  State state = State::Unknown;
  double score = 0, max_score = 0;
  int passed = 0, checks = 0;
  std::string message;               // sentences on all that is not well
  std::vector<std::string> similar;  // "Ada 93 %", the most similar first; perhaps "and 7 more"
  std::size_t similar_count = 0;
};

/// The table of points, each exercise's mean, and messages of those that were not checked, but for who handed in
/// nothing at all. `grades` are in the order of students, then of exercises.
std::string class_report(const std::vector<Grade>& grades);
/// One line for each grade.
void write_grades(const std::vector<Grade>& grades, std::ostream& out);

}  // namespace perilune::lua
