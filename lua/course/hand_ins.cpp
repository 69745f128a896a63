// SPDX-License-Identifier: MIT
#include "course/hand_ins.hpp"

#include <algorithm>
#include <cstdlib>

#include "error.hpp"
#include "exercise/exercise.hpp"
#include "exercise/given_file.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

constexpr const char* usual_name = "solution.lua";
constexpr std::size_t most_files = 1000;  // of a student
constexpr int deepest = 8;                // folders

std::string lowered(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// As in the names of exercises: small letters, and dashes for what students write instead.
std::string plain_name(const std::string& text) {
  std::string name = lowered(text);
  std::replace(name.begin(), name.end(), '_', '-');
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

bool names(const std::string& name, const std::string& exercise) {
  const std::string id = plain_name(exercise);
  if (name == id) return true;
  const std::size_t dash = id.find('-');
  const std::string number = id.substr(0, dash);
  const bool is_numbered = dash != id.npos && number.find_first_not_of("0123456789") == number.npos;
  if (!is_numbered) return false;
  const bool is_number = name.size() < 9 && name.find_first_not_of("0123456789") == name.npos;
  return name == id.substr(dash + 1) || (is_number && std::atoi(name.c_str()) == std::atoi(number.c_str()));
}

// What systems put beside files of their own accord.
bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name == "__MACOSX" || name == "desktop.ini" || name == "Thumbs.db";
}

bool is_script(const fs::path& path) { return lowered(path.extension().string()) == ".lua"; }

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) text += (k ? ", " : "") + names[k];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

struct Found {
  std::map<std::string, std::vector<fs::path>> scripts;     // by exercise
  std::map<std::string, std::string> owners;                // of the numbers, by exercise
  std::vector<std::pair<std::string, std::string>> others;  // by the exercise around them
  std::string problem;
};

class Reader {
 public:
  Reader(const std::vector<std::string>& all, const std::vector<std::string>& asked)
      : all_(all),
        only_(asked.size() == 1 ? asked[0]
              : all.size() == 1 ? all[0]
                                : "") {}

  Student read(const std::string& name, const std::vector<fs::path>& entries) const {
    Found found;
    for (const fs::path& entry : entries) {
      if (fs::is_directory(fs::symlink_status(entry))) {
        read_folder(entry, found);
      } else {
        add(entry, only_, found);
      }
    }
    Student student{name, {}, found.problem, found.others};
    for (const auto& [id, scripts] : found.scripts) student.hand_ins[id] = chosen(id, scripts, found);
    return student;
  }

 private:
  // Links are not followed: they may lead to the work of another.
  void read_folder(const fs::path& folder, Found& found) const {
    std::error_code failure;
    std::size_t count = 0;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
      if (is_hidden(at->path())) {
        at.disable_recursion_pending();
      } else if (++count > most_files || at.depth() > deepest) {
        found.problem = "there are more than " + std::to_string(most_files) + " files, or more than " +
                        std::to_string(deepest) + " folders within each other";
        break;
      } else if (!at->is_directory(failure) || at->is_symlink()) {
        files.push_back(at->path());
      }
    }
    if (failure) found.problem = "its folder cannot be read: " + failure.message();
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) add(file, exercise_around(file, folder), found);
  }

  // The exercise that the nearest folder names, within that of the student.
  std::string exercise_around(const fs::path& file, const fs::path& top) const {
    for (fs::path folder = file.parent_path(); folder != top; folder = folder.parent_path()) {
      std::string id = exercise_named(folder.filename().string(), all_);
      if (!id.empty()) return id;
    }
    return only_;
  }

  void add(const fs::path& file, const std::string& around, Found& found) const {
    const std::string name = file.filename().string();
    if (name == given_file) {
      found.owners[around] = owner_of_given(file);
    } else if (is_script(file)) {
      const std::string own = exercise_named(file.stem().string(), all_), id = own.empty() ? around : own;
      if (id.empty()) {
        found.others.emplace_back(around, name);
      } else {
        found.scripts[id].push_back(file);
      }
    } else if (name != "statement.md") {
      found.others.emplace_back(around, name);
    }
  }

  // Of several the one that is called solution.lua, or like the exercise.
  HandIn chosen(const std::string& id, const std::vector<fs::path>& scripts, const Found& found) const {
    std::vector<fs::path> fitting = scripts;
    const auto keep = [&](auto&& fits) {
      std::vector<fs::path> kept;
      std::copy_if(scripts.begin(), scripts.end(), std::back_inserter(kept), fits);
      if (fitting.size() > 1 && kept.size() == 1) fitting = kept;
    };
    keep([](const fs::path& script) { return lowered(script.filename().string()) == usual_name; });
    keep([&](const fs::path& script) { return exercise_named(script.stem().string(), all_) == id; });
    std::vector<std::string> others;
    for (const fs::path& script : scripts) {
      if (script != fitting[0] || fitting.size() > 1)
        others.push_back((script.parent_path().filename() / script.filename()).string());
    }
    HandIn hand_in;
    if (fitting.size() > 1) {
      hand_in.problem = "which script is meant? There are " + listed(others) + "; leave the one that counts";
      return hand_in;
    }
    hand_in.script = fitting[0];
    if (!others.empty()) hand_in.remark = "not looked at: " + listed(others);
    if (const auto owner = found.owners.find(id); owner != found.owners.end()) hand_in.owner = owner->second;
    look_at_text(hand_in);
    return hand_in;
  }

  // The text is not kept: what this process has is part of what the scripts' processes, which begin as copies of it,
  // may have.
  static void look_at_text(HandIn& hand_in) {
    try {
      const bool is_empty = script_text(hand_in.script).find_first_not_of(" \t\r\n") == std::string::npos;
      if (is_empty) hand_in.problem = "the script is empty";
    } catch (const Error& error) {
      hand_in.problem = error.what();
    }
  }

  const std::vector<std::string>& all_;
  std::string only_;  // what a script belongs to that is called otherwise; may be empty
};

}  // namespace

std::string exercise_named(const std::string& text, const std::vector<std::string>& all) {
  const std::string name = plain_name(text);
  std::string found;
  for (const std::string& id : all) {
    if (!names(name, id)) continue;
    if (!found.empty()) return {};
    found = id;
  }
  return found;
}

std::string Student::missing(const std::string& exercise) const {
  std::string text = not_handed_in;
  std::vector<std::string> names;
  for (const auto& [around, file] : others) {
    if (around.empty() || around == exercise) names.push_back(file);
  }
  if (!problem.empty()) text += ": " + problem;
  if (!names.empty()) text += "; no script, or called like no exercise: " + listed(names);
  return text;
}

HandedIn read_hand_ins(const fs::path& folder, const std::vector<std::string>& all,
                       const std::vector<std::string>& asked) {
  if (!fs::exists(folder)) throw Error("there is no folder '" + folder.string() + "'");
  if (!fs::is_directory(folder)) {
    throw Error("'" + folder.string() + "' is no folder; grade takes one with a folder or a script for each student");
  }
  HandedIn result;
  std::map<std::string, std::vector<fs::path>> entries;  // by student
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
    const fs::path path = at->path();
    const bool is_folder = at->is_directory() && !at->is_symlink();
    if (is_hidden(path)) continue;
    const std::string name = (is_folder ? path.filename() : path.stem()).string();
    if ((is_folder || is_script(path)) && !exercise_named(name, all).empty()) {
      throw Error("'" + folder.string() + "' seems to be what one student handed in, for it has '" +
                  path.filename().string() + "'; grade takes the folder that has a folder for each student");
    }
    if (is_folder || is_script(path)) {
      entries[name].push_back(path);
    } else {
      result.remarks.push_back(path.string() + " is neither a folder nor a script and was left aside");
    }
  }
  if (failure) throw Error("cannot read the folder '" + folder.string() + "': " + failure.message());
  if (entries.empty()) throw Error("'" + folder.string() + "' has no folder and no script of any student");
  std::sort(result.remarks.begin(), result.remarks.end());
  const Reader reader(all, asked);
  for (const auto& [name, paths] : entries) result.students.push_back(reader.read(name, paths));
  return result;
}

}  // namespace perilune::lua
