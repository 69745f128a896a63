// SPDX-License-Identifier: MIT
// What the program remembers of a student's work: the file .perilune/exercises in the current folder or, within the
// folder of an exercise, in the one where that was started. It is the student's, so it proves nothing; marks that count
// come from the teacher's own check. Each result is noted in the user's state folder, too, where other folders find it.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace perilune::lua {

struct Progress {
  double best = 0, max_score = 0;
  int checks = 0, hints = 0;
};

struct Record {
  std::string student;
  std::map<std::string, Progress> exercises;  // by id

  /// What the file says; what is no line of a record is left out.
  static Record read();
  /// Throws Error if the file cannot be written.
  void write() const;
  /// Adds what this record says of an exercise to the file exercises of the state folder. Where there is no place for
  /// that it stays in this folder alone.
  void note(const std::string& id) const;

 private:
  std::filesystem::path folder_;  // where it was found, else the current one
};

/// A result that was noted, and the folder of its record.
struct Noted {
  Progress progress;
  std::string folder;
};

/// The best of each exercise, by id, of all folders.
std::map<std::string, Noted> noted_results();

}  // namespace perilune::lua
