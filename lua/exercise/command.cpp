// SPDX-License-Identifier: MIT
#include "exercise/command.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>

#include "base/options.hpp"
#include "base/output_file.hpp"
#include "course/grade.hpp"
#include "error.hpp"
#include "exercise/exercise.hpp"
#include "exercise/given_file.hpp"
#include "exercise/marks_report.hpp"
#include "exercise/record.hpp"
#include "format/text.hpp"
#include "parallel.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

struct CommandLine {
  std::vector<std::string> names;
  std::string json, student, csv, jobs;
  std::string problem;  // not empty: wrong usage
};

// Where the command takes the option, what its argument becomes.
std::string* option_of(CommandLine& line, const std::string& command, const std::string& word) {
  if (word == "--student" && (command == "start" || command == "check")) return &line.student;
  if (word == "--json" && command == "check") return &line.json;
  if (word == "--csv" && command == "grade") return &line.csv;
  if (word == "--jobs" && command == "grade") return &line.jobs;
  return nullptr;
}

CommandLine parse(const std::vector<std::string>& words) {
  CommandLine line;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (std::string* value = option_of(line, words[0], words[i])) {
      if (i + 1 == words.size()) {
        line.problem = "exercise " + words[0] + ": '" + words[i] + "' needs an argument";
        return line;
      }
      *value = words[++i];
    } else if (words[i].starts_with("-")) {
      line.problem = "exercise " + words[0] + ": unknown option '" + words[i] + "'";
    } else {
      line.names.push_back(words[i]);
    }
  }
  return line;
}

// The name given now, else that of the record, else the user's.
std::string student_of(const CommandLine& line, const Record& record) {
  if (!line.student.empty()) return line.student;
  if (!record.student.empty()) return record.student;
  const char* user = std::getenv("USER");
  return user && *user ? user : "student";
}

std::string score_text(const Progress& progress) {
  if (progress.checks == 0) return "-";
  return format::shortest(progress.best) + " of " + format::shortest(progress.max_score);
}

// What is known of an exercise, and where; the folder is empty for the record of this one.
Noted known_of(const Record& record, const std::map<std::string, Noted>& noted, const std::string& id) {
  Noted known;
  if (const auto own = record.exercises.find(id); own != record.exercises.end()) known.progress = own->second;
  const auto other = noted.find(id);
  const bool is_better =
      other != noted.end() && (known.progress.checks == 0 || other->second.progress.best > known.progress.best);
  return is_better ? other->second : known;
}

std::string place_text(const Noted& known) { return known.folder.empty() ? "" : ", in " + known.folder; }

int list() {
  const Record record = Record::read();
  const std::map<std::string, Noted> noted = noted_results();
  std::cout << std::left;
  for (const fs::path& folder : exercise_folders()) {
    const Exercise exercise(folder);
    const Noted known = known_of(record, noted, exercise.id());
    std::cout << std::setw(24) << exercise.id() << std::setw(48) << exercise.title() << std::setw(16)
              << exercise.topic() << "level " << exercise.level() << "   " << score_text(known.progress)
              << place_text(known) << '\n';
  }
  std::cout << "\nperilune exercise start 01 makes a folder with the statement and a script to begin with.\n";
  return 0;
}

void write_new(const fs::path& path, const std::string& text) {
  if (fs::exists(path)) {
    std::cout << path.string() << " is there already and stays as it is\n";
    return;
  }
  write_file(path.string(), [&](std::ostream& out) { out << text; });
  std::cout << path.string() << '\n';
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot open '" + path.string() + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

int start(const CommandLine& line) {
  if (line.names.empty() || line.names.size() > 2) return wrong_usage("exercise start takes an exercise and a folder");
  const Exercise exercise = find_exercise(line.names[0]);
  const fs::path folder = line.names.size() > 1 ? line.names[1] : exercise.id();
  Record record = Record::read();
  record.student = student_of(line, record);
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("cannot make the folder '" + folder.string() + "': " + failure.message());
  write_new(folder / "statement.md", text_of(exercise.folder() / "statement.md"));
  write_new(folder / "solution.lua", text_of(exercise.folder() / "starter.lua"));
  write_new(folder / "given.lua", given_text(exercise.given(seed_of(record.student, exercise.id())), record.student));
  record.write();
  std::cout << "\nRead statement.md, complete solution.lua, and see how far you are with\n  perilune exercise check "
            << exercise.id() << (line.names.size() > 1 ? " " + (folder / "solution.lua").string() : "") << '\n';
  return 0;
}

// The exercise whose folder, as start makes it, is the current one; empty if it is none.
std::string exercise_here() {
  std::string name = fs::current_path().filename().string();
  for (const fs::path& folder : exercise_folders()) {
    if (folder.filename() == name) return name;
  }
  return {};
}

// The student's script stands in the exercise's folder, which may be where the student is.
fs::path script_of(const Exercise& exercise) {
  const fs::path beside = fs::path(exercise.id()) / "solution.lua";
  const bool is_inside = !fs::exists(beside) && fs::current_path().filename() == exercise.id();
  return is_inside && fs::exists("solution.lua") ? fs::path("solution.lua") : beside;
}

// Names the exercise where its folder does.
int not_named(const std::string& command, const std::string& takes) {
  return wrong_usage("exercise " + command + " takes " + takes +
                     "; it needs no name in the folder of an exercise, which '" +
                     fs::current_path().filename().string() + "' is not");
}

int check(CommandLine line) {
  if (line.names.empty()) line.names = {exercise_here()};
  if (line.names[0].empty()) return not_named("check", "an exercise and a script");
  if (line.names.size() > 2) return wrong_usage("exercise check takes an exercise and a script");
  const Exercise exercise = find_exercise(line.names[0]);
  const fs::path script = line.names.size() > 1 ? fs::path(line.names[1]) : script_of(exercise);
  Record record = Record::read();
  const std::string student = student_of(line, record);
  const std::int64_t seed = seed_of(student, exercise.id());
  const Marks marks = exercise.check(script, seed);
  Progress& progress = record.exercises[exercise.id()];
  ++progress.checks;
  progress.best = std::max(progress.best, marks.score());
  progress.max_score = marks.max_score();
  const ExerciseReport report{exercise, marks, student, seed, progress.hints};
  std::cout << report_text(report);
  if (!line.json.empty()) write_report(report, line.json);
  record.write();
  // Who names a student checks the work of another, as graders do.
  if (line.student.empty()) record.note(exercise.id());
  return marks.full() ? 0 : 1;
}

int hint(CommandLine line) {
  if (line.names.empty()) line.names = {exercise_here()};
  if (line.names[0].empty()) return not_named("hint", "an exercise");
  if (line.names.size() != 1) return wrong_usage("exercise hint takes an exercise");
  const Exercise exercise = find_exercise(line.names[0]);
  const std::vector<std::string> hints = exercise.hints();
  Record record = Record::read();
  int& given = record.exercises[exercise.id()].hints;
  given = std::min(given + 1, static_cast<int>(hints.size()));
  for (int i = 0; i < given; ++i) {
    std::cout << "hint " << i + 1 << " of " << hints.size() << ": " << hints[static_cast<std::size_t>(i)] << '\n';
  }
  record.write();
  return 0;
}

int report() {
  const Record record = Record::read();
  const std::map<std::string, Noted> noted = noted_results();
  double sum = 0, max = 0;
  std::cout << std::left;
  for (const fs::path& folder : exercise_folders()) {
    const std::string id = folder.filename().string();
    const Noted known = known_of(record, noted, id);
    const Progress& progress = known.progress;
    std::cout << std::setw(24) << id << std::setw(12) << score_text(progress) << progress.checks << " checks, "
              << progress.hints << " hints" << place_text(known) << '\n';
    sum += progress.best;
    max += progress.max_score;
  }
  std::cout << "score: " << format::shortest(sum) << " of " << format::shortest(max)
            << " in the exercises checked so far\n";
  return 0;
}

int pack(const CommandLine& line) {
  if (line.names.empty()) return wrong_usage("exercise pack takes exercises, or none for all, and a new folder");
  return pack_exercises({line.names.begin(), line.names.end() - 1}, line.names.back());
}

int grade(const CommandLine& line) {
  if (line.names.empty()) return wrong_usage("exercise grade takes a folder, and perhaps exercises");
  constexpr int most_jobs = 128;
  int jobs = std::min(thread_count(), most_jobs);
  if (!line.jobs.empty()) {
    const char* end = line.jobs.data() + line.jobs.size();
    const auto [stop, failure] = std::from_chars(line.jobs.data(), end, jobs);
    if (failure != std::errc{} || stop != end || jobs < 1 || jobs > most_jobs) {
      return wrong_usage("exercise grade: '--jobs' needs a number from 1 to " + std::to_string(most_jobs) + ", not '" +
                         line.jobs + "'");
    }
  }
  return grade_class({line.names[0], {line.names.begin() + 1, line.names.end()}, line.csv, jobs});
}

}  // namespace

int run_exercise_command(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  const CommandLine line = parse(words);
  if (!line.problem.empty()) return wrong_usage(line.problem);
  if (what == "list") return list();
  if (what == "start") return start(line);
  if (what == "check") return check(line);
  if (what == "hint") return hint(line);
  if (what == "report") return report();
  if (what == "pack") return pack(line);
  if (what == "grade") return grade(line);
  if (what == "verify") return verify_exercises(line.names);
  return wrong_usage("exercise needs one of list, start, check, hint, report, pack, grade, verify");
}

}  // namespace perilune::lua
