// SPDX-License-Identifier: MIT
// An exercise: a folder with statement.md, starter.lua, checks.lua (sealed where students have it), hints.lua and
// wrong/.
#pragma once
#include <cstdint>
#include <filesystem>
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "exercise/limited_process.hpp"
#include "exercise/plain.hpp"

namespace perilune::lua {

struct Test {
  std::string id, name, output, hint;
  double score = 0, max_score = 0;
  bool passed = false;
  bool doubtful = false;  // the check could not be made, which may be its own fault
};

/// How a script did.
struct Marks {
  std::vector<Test> tests;
  std::string problem;  // why the script did not come to its end
  std::string output;   // what the script printed
  double seconds = 0;   // processor time of the script

  double score() const;
  double max_score() const;
  /// Every test is passed.
  bool full() const;
  const Test* find(const std::string& id) const;
};

class Exercise {
 public:
  /// Reads checks.lua. Throws Error if something is wrong with it.
  explicit Exercise(std::filesystem::path folder);

  std::string id() const { return folder_.filename().string(); }
  const std::filesystem::path& folder() const { return folder_; }
  const std::string& title() const { return title_; }
  const std::string& topic() const { return topic_; }
  int level() const { return level_; }
  std::vector<std::string> hints() const;
  /// The numbers that the student of this seed gets.
  Plain given(std::int64_t seed) const;
  /// Runs a copy of the script in a sandbox, in a folder where nothing else is, and checks what it hands in, both in
  /// child processes. Throws Error if the script cannot be read, or the checks themselves fail.
  Marks check(const std::filesystem::path& script, std::int64_t seed) const;
  /// Those of who handed in nothing that could run: no point, of as many as there are. Throws Error if the checks fail.
  Marks marks_without_script(const std::string& problem, std::int64_t seed) const;

 private:
  std::vector<Test> judged(const Plain& numbers, const Plain& outcome) const;
  Plain call(const char* function, const std::vector<Plain>& arguments) const;

  std::filesystem::path folder_;
  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
  std::string title_, topic_;
  int level_ = 1;
  Limits limits_;
};

/// In place of checks.lua where students have it: see seal.hpp.
constexpr const char* sealed_checks_file = "checks.sealed";
/// The checks of the exercise in this folder, which may be part of the executable. Throws Error if they cannot be read.
std::string checks_text(const std::filesystem::path& folder);

/// The folders of the exercises that come with the program, in order. Throws Error if there are none.
std::vector<std::filesystem::path> exercise_folders();
/// The one that the text names, wholly or by its first letters: "01". Throws Error with a suggestion.
Exercise find_exercise(const std::string& text);

/// The text of a script that was handed in. Throws Error if it cannot be read, is a link, or longer than any is.
std::string script_text(const std::filesystem::path& script);

/// The same for a student's name and an exercise on every machine.
std::int64_t seed_of(const std::string& student, const std::string& exercise);

}  // namespace perilune::lua
