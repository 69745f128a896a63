// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>

#include "base/output_file.hpp"
#include "course/grade.hpp"
#include "course/hand_ins.hpp"
#include "error.hpp"
#include "exercise/exercise.hpp"
#include "exercise/seal.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

// Nothing else leaves an exercise's folder: whatever a lecturer keeps there may be an answer.
constexpr std::array<const char*, 3> open_files = {"statement.md", "starter.lua", "hints.lua"};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot open '" + path.string() + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  write_file(path.string(), [&](std::ostream& out) { out << text; });
  std::cout << path.string() << '\n';
}

std::string instructions(const std::vector<Exercise>& exercises) {
  std::string text = "# Exercises\n\n| | | |\n| --- | --- | --- |\n";
  for (const Exercise& each : exercises)
    text += "| " + each.id() + " | " + each.title() + " | " + each.topic() + " |\n";
  const std::string first = exercises[0].id();
  return text +
         "\nThey need the program `perilune`. In this folder say once in each new terminal\n\n"
         "    export PERILUNE_DATA=\"$PWD\"\n\nand then, where you want to work,\n\n"
         "    perilune exercise list\n    perilune exercise start " +
         first + " --student \"YOUR NAME\"\n    cd " + first +
         "\n    perilune exercise check\n    perilune exercise hint\n\n"
         "Give your name as your lecturer has it: your numbers depend on it. Read `statement.md`, complete\n"
         "`solution.lua`, check it as often as you like, and hand in the folder `" +
         first + "`.\nYour script must be that one file: what counts is your lecturer's check, which runs it alone.\n";
}

// What stays where it is.
std::vector<std::string> names_left_out(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_packed = std::find(open_files.begin(), open_files.end(), name) != open_files.end();
    if (!is_packed && name != "checks.lua" && name != sealed_checks_file) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void pack(const Exercise& exercise, const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error("cannot make the folder '" + folder.string() + "': " + failure.message());
  for (const char* name : open_files) write(folder / name, text_of(exercise.folder() / name));
  write(folder / sealed_checks_file, sealed(checks_text(exercise.folder())));
  Exercise{folder};  // throws where students could not check
}

}  // namespace

int pack_exercises(const std::vector<std::string>& ids, const std::string& name) {
  std::vector<Exercise> exercises;
  const fs::path folder = name;
  for (const std::string& id : ids) exercises.push_back(find_exercise(id));
  if (ids.empty()) {
    for (const fs::path& each : exercise_folders()) exercises.emplace_back(each);
  }
  std::sort(exercises.begin(), exercises.end(), [](const Exercise& a, const Exercise& b) { return a.id() < b.id(); });
  const auto is_same = [](const Exercise& a, const Exercise& b) { return a.id() == b.id(); };
  exercises.erase(std::unique(exercises.begin(), exercises.end(), is_same), exercises.end());
  std::error_code failure;
  if (fs::exists(folder, failure) && !(fs::is_directory(folder) && fs::is_empty(folder))) {
    throw Error("'" + name + "' is there already; name a new folder, so that students get nothing else that is in it");
  }
  std::vector<std::string> all;
  for (const fs::path& each : exercise_folders()) all.push_back(each.filename().string());
  const std::string exercise = exercise_named(name, all);
  if (!exercise.empty()) {
    throw Error("'" + name + "' names an exercise; pack needs a folder, too, as in: perilune exercise pack " + name +
                " handout");
  }
  std::vector<std::string> left_out;
  for (const Exercise& each : exercises) {
    pack(each, folder / "exercises" / each.id());
    for (const std::string& rest : names_left_out(each.folder())) {
      if (std::find(left_out.begin(), left_out.end(), rest) == left_out.end()) left_out.push_back(rest);
    }
  }
  write(folder / "README.md", instructions(exercises));
  std::string rest;
  for (const std::string& each : left_out) rest += (rest.empty() ? "" : ", ") + each;
  std::cout << '\n' << exercises.size() << (exercises.size() == 1 ? " exercise" : " exercises");
  if (!rest.empty()) std::cout << "; not packed: " << rest;
  std::cout << "; " << sealed_checks_file << " does not show the checks, but hides them from nobody who tries\n";
  return 0;
}

}  // namespace perilune::lua
