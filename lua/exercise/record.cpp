// SPDX-License-Identifier: MIT
#include "exercise/record.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/output_file.hpp"
#include "format/text.hpp"

namespace perilune::lua {

namespace {

constexpr const char* folder_name = ".perilune";
constexpr const char* file_name = ".perilune/exercises";

}  // namespace

// Lines: "student NAME", and "exercise ID BEST MAX CHECKS HINTS".
Record Record::read() {
  Record record;
  std::ifstream file(file_name);
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
  std::error_code failure;
  std::filesystem::create_directories(folder_name, failure);
  write_file(file_name, [&](std::ostream& file) {
    if (!student.empty()) file << "student " << student << '\n';
    for (const auto& [id, progress] : exercises) {
      file << "exercise " << id << ' ' << format::shortest(progress.best) << ' ' << format::shortest(progress.max_score)
           << ' ' << progress.checks << ' ' << progress.hints << '\n';
    }
  });
}

}  // namespace perilune::lua
