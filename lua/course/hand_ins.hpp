// SPDX-License-Identifier: MIT
// What a class handed in: a folder or a script for each student.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perilune::lua {

/// A student's script for one exercise.
struct HandIn {
  std::filesystem::path script;  // that is to be checked
  std::string problem;           // not empty: a sentence why nothing can be checked
  std::string owner;             // of the numbers that were handed in beside it; empty if unknown
  std::string remark;            // what else is to be known
};

constexpr const char* not_handed_in = "not handed in";

struct Student {
  std::string name;
  std::map<std::string, HandIn> hand_ins;                   // by exercise
  std::string problem;                                      // why not all could be read; empty otherwise
  std::vector<std::pair<std::string, std::string>> others;  // files by the exercise around them, which may be none

  /// What is to be said where there is no script for the exercise.
  std::string missing(const std::string& exercise) const;
};

struct HandedIn {
  std::vector<Student> students;     // in alphabetical order
  std::vector<std::string> remarks;  // on what is nobody's
};

/// The folder has a folder with scripts for each student, or one script. A script belongs to the exercise that its own
/// name, or the folder around it, names: "01-pendulum", "01", "1" or "pendulum"; else to the one that was asked for, if
/// it was only one. `all` are the names of all exercises. Throws Error if the folder has no hand-ins.
HandedIn read_hand_ins(const std::filesystem::path& folder, const std::vector<std::string>& all,
                       const std::vector<std::string>& asked);

/// The one of these exercises that the text names, in the ways above; empty if there is none.
std::string exercise_named(const std::string& text, const std::vector<std::string>& all);

}  // namespace perilune::lua
