// SPDX-License-Identifier: MIT
// Runs transcripts of the executable: run_transcript PROGRAM FOLDER [--accept] [CASE...]
//
// A case is a text file FOLDER/name.case. Lines before its first section are a comment. The sections:
//   === command      what the shell runs, with PROGRAM called perilune; without this section: perilune main.lua
//   === script       the file main.lua
//   === file NAME    another file, in the fresh folder in which the command runs
//   === stdin
//   === stdout       expected; none means nothing is printed
//   === stderr       expected; likewise
//   === exit 3       expected exit code; 0 without this section
// A script that is to be interrupted says os.execute("interrupt $PPID &"): Ctrl-C once it has worked for 0.2 s of
// processor time from then on, however long a busy machine takes to give it that; "interrupt $PPID again &" goes on
// until it has ended.
// In expected text, a line "..." stands for any number of lines and "{*}" for any text within a line.
// --accept rewrites the expectations of failing cases by what they printed: read the difference before a commit.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Of what stands after the name in /proc/PID/stat, number 12 and 13 are the hundredths of a second worked so far.
constexpr const char* interrupt_script = R"sh(#!/bin/sh
worked() {
  read -r line <"/proc/$1/stat" || exit
  set -- ${line##*) }
  echo $((${12} + ${13}))
}
end=$(($(worked "$1") + 20))
while [ "$(worked "$1")" -lt "$end" ]; do sleep 0.01; done
kill -INT "$1"
[ "$2" = again ] || exit
while sleep 0.3 && kill -INT "$1"; do :; done 2>/dev/null
)sh";

struct Section {
  std::string title;  // "stdout", "file lib.lua", "exit 3"
  std::string text;
};

struct Case {
  std::string comment;
  std::vector<Section> sections;

  std::string text(const std::string& title) const {
    for (const Section& section : sections) {
      if (section.title == title) return section.text;
    }
    return {};
  }
};

struct Outcome {
  std::string output, errors;
  int exit_code = 0;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& text) {
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

Case read_case(const fs::path& path) {
  Case result;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      result.sections.push_back({line.substr(4), ""});
    } else {
      (result.sections.empty() ? result.comment : result.sections.back().text) += line + "\n";
    }
  }
  return result;
}

int expected_exit(const Case& transcript) {
  for (const Section& section : transcript.sections) {
    if (section.title.starts_with("exit ")) return std::stoi(section.title.substr(5));
  }
  return 0;
}

Outcome run(const Case& transcript, const fs::path& folder) {
  const fs::path work = folder / "work";
  for (const fs::path& each : {work, folder / "state"}) fs::remove_all(each);  // nothing is left of the case before
  fs::create_directories(work);
  std::string command = "perilune main.lua\n";
  for (const Section& section : transcript.sections) {
    if (section.title == "command") command = section.text;
    if (section.title == "script") write_file(work / "main.lua", section.text);
    if (section.title.starts_with("file ")) write_file(work / section.title.substr(5), section.text);
  }
  write_file(folder / "command", command);
  write_file(folder / "stdin", transcript.text("stdin"));
  const std::string shell =
      "cd '" + work.string() + "' && exec timeout -k 1 600 sh ../command <../stdin >../stdout 2>../stderr";
  const int status = std::system(shell.c_str());
  Outcome outcome{read_file(folder / "stdout"), read_file(folder / "stderr"), 0};
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool line_matches(std::string_view pattern, std::string_view line) {
  const size_t wild = pattern.find("{*}");
  if (wild == pattern.npos) return pattern == line;
  if (!line.starts_with(pattern.substr(0, wild))) return false;
  const std::string_view rest = pattern.substr(wild + 3);
  for (size_t begin = wild; begin <= line.size(); ++begin) {
    if (line_matches(rest, line.substr(begin))) return true;
  }
  return false;
}

using Lines = std::vector<std::string>;

bool lines_match(const Lines& pattern, size_t i, const Lines& lines, size_t j) {
  if (i == pattern.size()) return j == lines.size();
  if (pattern[i] == "...") {
    for (size_t next = j; next <= lines.size(); ++next) {
      if (lines_match(pattern, i + 1, lines, next)) return true;
    }
    return false;
  }
  return j < lines.size() && line_matches(pattern[i], lines[j]) && lines_match(pattern, i + 1, lines, j + 1);
}

// Empty if the text is as expected; else the lines that differ, with equal ones before and after.
std::string difference(const std::string& name, const std::string& expected, const std::string& actual) {
  const Lines pattern = split(expected);
  const Lines lines = split(actual);
  if (lines_match(pattern, 0, lines, 0)) return {};
  size_t head = 0;
  const size_t shorter = std::min(pattern.size(), lines.size());
  while (head < shorter && line_matches(pattern[head], lines[head])) ++head;
  size_t tail = 0;
  while (tail < shorter - head && line_matches(pattern[pattern.size() - 1 - tail], lines[lines.size() - 1 - tail])) {
    ++tail;
  }
  std::string text = "  " + name + " (- expected, + printed):\n";
  for (size_t i = 0; i < head; ++i) text += "      " + lines[i] + "\n";
  for (size_t i = head; i < pattern.size() - tail; ++i) text += "    - " + pattern[i] + "\n";
  for (size_t i = head; i < lines.size() - tail; ++i) text += "    + " + lines[i] + "\n";
  for (size_t i = lines.size() - tail; i < lines.size(); ++i) text += "      " + lines[i] + "\n";
  return text;
}

void accept(const fs::path& path, const Case& transcript, const Outcome& outcome) {
  std::string text = transcript.comment;
  const auto add = [&text](const std::string& title, const std::string& body) {
    text += "=== " + title + "\n" + body;
    if (!body.empty() && body.back() != '\n') text += "\n";
  };
  for (const Section& section : transcript.sections) {
    const bool is_input = section.title == "command" || section.title == "script" || section.title == "stdin" ||
                          section.title.starts_with("file ");
    if (is_input) add(section.title, section.text);
  }
  if (!outcome.output.empty()) add("stdout", outcome.output);
  if (!outcome.errors.empty()) add("stderr", outcome.errors);
  if (outcome.exit_code != 0) add("exit " + std::to_string(outcome.exit_code), "");
  write_file(path, text);
}

// The temporary folder: bin/perilune and the files of the case that runs. Gone at the end.
class Playground {
 public:
  explicit Playground(const fs::path& program) {
    std::string name = (fs::temp_directory_path() / "transcript.XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a temporary folder");
    folder_ = name;
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(fs::canonical(program), folder_ / "bin" / "perilune");
    write_file(folder_ / "bin" / "interrupt", interrupt_script);
    fs::permissions(folder_ / "bin" / "interrupt", fs::perms::owner_all);
    const char* path = std::getenv("PATH");
    setenv("PATH", ((folder_ / "bin").string() + ":" + (path ? path : "/usr/bin:/bin")).c_str(), 1);
    setenv("HOME", folder_.c_str(), 1);
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    setenv("LC_ALL", "C", 1);
    for (const char* variable :
         {"LUA_INIT", "LUA_INIT_5_4", "LUA_PATH", "LUA_PATH_5_4", "LUA_CPATH", "LUA_CPATH_5_4"}) {
      unsetenv(variable);
    }
  }
  ~Playground() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

int run_all(const std::string& program, const fs::path& folder, const std::vector<std::string>& words) {
  bool accepts = false;
  std::vector<std::string> wanted;
  for (const std::string& word : words) {
    if (word == "--accept") {
      accepts = true;
    } else {
      wanted.push_back(word);
    }
  }
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".case") continue;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());

  const Playground playground(program);
  int passed = 0;
  int failed = 0;
  for (const fs::path& path : paths) {
    const Case transcript = read_case(path);
    const Outcome outcome = run(transcript, playground.folder());
    std::string problems = difference("stdout", transcript.text("stdout"), outcome.output) +
                           difference("stderr", transcript.text("stderr"), outcome.errors);
    if (const int expected = expected_exit(transcript); expected != outcome.exit_code) {
      problems += "  exit code: expected " + std::to_string(expected) + ", got " + std::to_string(outcome.exit_code) +
                  (outcome.exit_code == 124 ? " (took too long)\n" : "\n");
    }
    ++(problems.empty() ? passed : failed);
    std::cout << (problems.empty() ? "ok    " : "FAIL  ") << path.stem().string() << '\n' << problems;
    if (accepts && !problems.empty()) accept(path, transcript, outcome);
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: run_transcript PROGRAM FOLDER [--accept] [CASE...]\n";
    return 2;
  }
  std::signal(SIGINT, SIG_DFL);  // a job in the background inherits "ignore"
  try {
    return run_all(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "run_transcript: " << error.what() << '\n';
    return 1;
  }
}
