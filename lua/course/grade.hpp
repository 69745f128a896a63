// SPDX-License-Identifier: MIT
// perilune exercise pack|grade: for lecturers.
#pragma once
#include <string>
#include <vector>

namespace perilune::lua {

/// Writes what students get of these exercises, of all if none is named, into a new folder, and says what it wrote.
/// The exit code. Throws Error.
int pack_exercises(const std::vector<std::string>& ids, const std::string& folder);

struct GradeOrder {
  std::string folder;
  std::vector<std::string> ids;  // empty: all that somebody handed in
  std::string csv;               // file; empty: none
  int jobs = 1;                  // processes at a time
};

/// Checks what a class handed in and prints a table. The exit code: 0 if all could be checked, whatever the points.
/// Throws Error.
int grade_class(const GradeOrder& order);

}  // namespace perilune::lua
