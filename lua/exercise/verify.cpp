// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <iostream>

#include "error.hpp"
#include "exercise/command.hpp"
#include "exercise/exercise.hpp"
#include "format/text.hpp"
#include "session/data_folder.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

// Two students, since an answer for one set of numbers may be right by chance.
constexpr const char* students[] = {"Ada", "Emmy"};

std::string failed_tests(const Marks& marks) {
  std::string text = marks.problem.empty() ? "" : marks.problem + "\n";
  for (const Test& test : marks.tests) {
    if (!test.passed) text += "    " + test.id + ": " + test.output + "\n";
  }
  return text;
}

// What a wrong variant says of itself in comments: "-- fails: id" and, perhaps, "-- says: part of the message".
std::string promised(const fs::path& script, const std::string& what) {
  std::ifstream file(script);
  const std::string mark = "-- " + what + ": ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return {};
}

void complain(int& problems, const std::string& text) {
  ++problems;
  std::cout << "  " << text << '\n';
}

void verify_wrong(const Exercise& exercise, const fs::path& script, int& problems) {
  const std::string id = promised(script, "fails"), message = promised(script, "says");
  const Marks marks = exercise.check(script, seed_of(students[0], exercise.id()));
  const std::string name = "wrong/" + script.filename().string();
  const Test* test = marks.find(id);
  if (!test) return complain(problems, name + ": its line '-- fails: ' names no check");
  if (!marks.problem.empty()) return complain(problems, name + ": " + marks.problem);
  if (test->passed) return complain(problems, name + ": passes " + id + "\n" + failed_tests(marks));
  if (test->output.find(message) == std::string::npos) {
    complain(problems, name + ": " + id + " says \"" + test->output + "\", not \"" + message + "\"");
  }
}

// A solution by another way than the reference.
void verify_right(const Exercise& exercise, const fs::path& script, int& problems) {
  const Marks marks = exercise.check(script, seed_of(students[0], exercise.id()));
  if (marks.full()) return;
  complain(problems, "right/" + script.filename().string() + " fails\n" + failed_tests(marks));
}

// In alphabetical order; none if there is no such folder.
std::vector<fs::path> scripts_in(const fs::path& folder) {
  std::vector<fs::path> scripts;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) scripts.push_back(entry.path());
  std::sort(scripts.begin(), scripts.end());
  return scripts;
}

int verify(const Exercise& exercise) {
  int problems = 0;
  const fs::path reference = data_folder() / "teacher" / (exercise.id() + ".lua");
  for (const char* student : students) {
    const Marks marks = exercise.check(reference, seed_of(student, exercise.id()));
    if (!marks.full()) complain(problems, "the reference solution fails\n" + failed_tests(marks));
  }
  const Marks begun = exercise.check(exercise.folder() / "starter.lua", seed_of(students[0], exercise.id()));
  if (!begun.problem.empty()) complain(problems, "the starter does not run: " + begun.problem);
  if (!(begun.score() < 0.3 * begun.max_score())) {
    complain(problems, "the starter already has " + format::shortest(begun.score()) + " of " +
                           format::shortest(begun.max_score()));
  }
  const std::vector<fs::path> wrong = scripts_in(exercise.folder() / "wrong");
  const std::vector<fs::path> right = scripts_in(exercise.folder() / "right");
  if (wrong.empty()) complain(problems, "there is no wrong variant");
  for (const fs::path& script : wrong) verify_wrong(exercise, script, problems);
  for (const fs::path& script : right) verify_right(exercise, script, problems);
  if (exercise.hints().empty()) complain(problems, "there are no hints");
  std::cout << (problems ? "FAIL  " : "ok    ") << exercise.id() << ": " << begun.tests.size() << " checks, "
            << wrong.size() << " wrong variants, " << right.size() << " right ones" << std::endl;
  return problems;
}

}  // namespace

int verify_exercises(const std::vector<std::string>& ids) {
  if (!fs::is_directory(data_folder() / "teacher")) {
    throw Error("the reference solutions are not installed; verify runs where the sources are");
  }
  int problems = 0;
  if (ids.empty()) {
    for (const fs::path& folder : exercise_folders()) problems += verify(Exercise(folder));
  }
  for (const std::string& id : ids) problems += verify(find_exercise(id));
  return problems == 0 ? 0 : 1;
}

}  // namespace perilune::lua
