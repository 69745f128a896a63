// SPDX-License-Identifier: MIT
#include "exercise/record.hpp"

#include <fstream>
#include <sstream>

#include "base/output_file.hpp"
#include "exercise/given_file.hpp"
#include "format/text.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = ".perilune/exercises";

// The folder of an exercise is known by the numbers that start has put there.
fs::path place_of_record() {
  const bool is_above = !fs::exists(file_name) && fs::exists(given_file) && fs::exists(fs::path("..") / file_name);
  return is_above ? ".." : "";
}

}  // namespace

// Lines: "student NAME", and "exercise ID BEST MAX CHECKS HINTS".
Record Record::read() {
  Record record;
  record.folder_ = place_of_record();
  std::ifstream file(record.folder_ / file_name);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what, id;
    words >> what >> std::ws;
    if (what == "student") std::getline(words, record.student);
    Progress progress;
    if (what == "exercise" && words >> id >> progress.best >> progress.max_score >> progress.checks >> progress.hints) {
      record.exercises[id] = progress;
    }
  }
  return record;
}

void Record::write() const {
  const fs::path path = folder_ / file_name;
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  write_file(path.string(), [&](std::ostream& file) {
    if (!student.empty()) file << "student " << student << '\n';
    for (const auto& [id, progress] : exercises) {
      file << "exercise " << id << ' ' << format::shortest(progress.best) << ' ' << format::shortest(progress.max_score)
           << ' ' << progress.checks << ' ' << progress.hints << '\n';
    }
  });
}

}  // namespace perilune::lua
