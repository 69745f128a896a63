// SPDX-License-Identifier: MIT
#include "exercise/record.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/output_file.hpp"
#include "exercise/given_file.hpp"
#include "format/text.hpp"
#include "session/data_folder.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = ".perilune/exercises";

// The folder of an exercise is known by the numbers that start has put there.
fs::path place_of_record() {
  const bool is_above = !fs::exists(file_name) && fs::exists(given_file) && fs::exists(fs::path("..") / file_name);
  return is_above ? ".." : "";
}

constexpr const char* noted_file = "exercises";

// As in both files: "exercise ID BEST MAX CHECKS HINTS".
std::string text_of(const std::string& id, const Progress& progress) {
  return "exercise " + id + ' ' + format::shortest(progress.best) + ' ' + format::shortest(progress.max_score) + ' ' +
         std::to_string(progress.checks) + ' ' + std::to_string(progress.hints);
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
      file << text_of(id, progress) << '\n';
    }
  });
}

// A line is added by one call, under a lock, so that several processes do not mix theirs.
void Record::note(const std::string& id) const {
  const fs::path state = state_folder();
  std::error_code failure;
  const std::string here = fs::canonical(folder_.empty() ? fs::path(".") : folder_, failure).string();
  const auto known = exercises.find(id);
  if (state.empty() || failure || known == exercises.end() || here.find('\n') != here.npos) return;
  const std::string line = text_of(id, known->second) + ' ' + here + '\n';
  const int file = ::open((state / noted_file).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  // What a full disk leaves of a line is none, and is passed over when the file is read.
  if (flock(file, LOCK_EX) == 0) std::ignore = ::write(file, line.data(), line.size());
  ::close(file);
}

// Of the lines of a folder the last one counts: it has all checks up to then.
std::map<std::string, Noted> noted_results() {
  std::map<std::pair<std::string, std::string>, Progress> last;
  const fs::path state = state_folder();
  std::ifstream file(state.empty() ? fs::path() : state / noted_file);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what, id, folder;
    Progress progress;
    words >> what >> id >> progress.best >> progress.max_score >> progress.checks >> progress.hints >> std::ws;
    if (what == "exercise" && std::getline(words, folder) && folder.starts_with('/')) last[{id, folder}] = progress;
  }
  std::map<std::string, Noted> best;
  for (const auto& [place, progress] : last) {
    const auto [found, is_new] = best.try_emplace(place.first, Noted{progress, place.second});
    if (!is_new && progress.best > found->second.progress.best) found->second = {progress, place.second};
  }
  return best;
}

}  // namespace perilune::lua
