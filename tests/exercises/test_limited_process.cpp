// SPDX-License-Identifier: MIT
// Limits of child processes, and files outside of their folder, at the level below Lua.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "base/file_access.hpp"
#include "error.hpp"
#include "exercise/limited_process.hpp"

using namespace perilune::lua;

namespace {

namespace fs = std::filesystem;

const Limits tight{.seconds = 0.1, .memory = 256, .output = 1000, .answer = 2000, .file = 1 << 20};

void spin() {
  for (volatile std::atomic<int> i = 0;; ++i) continue;
}

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "limits.XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
    fs::create_directories(path / "inner");
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path;
};

}  // namespace

TEST_CASE("what the work returns and prints arrives") {
  const Outcome outcome = run_limited(tight, [] {
    std::cout << "out\n";
    std::cerr << "err\n";
    return std::string("an\0swer", 7);
  });
  CHECK(outcome.ending == Ending::Finished);
  CHECK(outcome.answer == std::string("an\0swer", 7));
  CHECK(outcome.output == "out\nerr\n");
}

TEST_CASE("time, asked and not") {
  const auto asked = run_limited(tight, [] {
    static volatile std::sig_atomic_t stopped = 0;
    std::signal(SIGINT, [](int) { stopped = 1; });
    while (!stopped) continue;
    return std::string("stopped");
  });
  CHECK(asked.ending == Ending::Finished);
  CHECK(asked.answer == "stopped");
  const auto deaf = run_limited(tight, [] {
    spin();
    return std::string();
  });
  CHECK(deaf.ending == Ending::TimeLimit);
}

TEST_CASE("a child that only waits is ended too") {
  const auto outcome = run_limited({.seconds = 0.01}, [] {
    pause();
    return std::string();
  });
  CHECK(outcome.ending == Ending::TimeLimit);
}

TEST_CASE("output and answer are cut") {
  const auto output = run_limited(tight, [] {
    while (true) std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
    return std::string();
  });
  CHECK(output.ending == Ending::OutputLimit);
  CHECK(output.output.size() == 1000);
  CHECK(output.answer.empty());
  CHECK(run_limited(tight, [] { return std::string(2001, 'x'); }).ending == Ending::AnswerLimit);
  CHECK(run_limited(tight, [] { return std::string(2000, 'x'); }).ending == Ending::Finished);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("memory") {
  const auto outcome = run_limited({.seconds = 20, .memory = 256}, [] {
    std::vector<std::vector<char>> blocks;
    while (true) blocks.emplace_back(1 << 20);
    return std::string();
  });
  CHECK(outcome.ending == Ending::Memory);
}
#endif

TEST_CASE("crashes and exceptions") {
  CHECK(run_limited(tight, []() -> std::string { std::abort(); }).ending == Ending::Crashed);
  CHECK(run_limited(tight, []() -> std::string { _exit(3); }).ending == Ending::Crashed);
  const auto failed = run_limited(tight, []() -> std::string { throw perilune::Error("went wrong"); });
  CHECK(failed.ending == Ending::Crashed);
  CHECK(failed.output == "perilune: went wrong\n");
}

TEST_CASE("the child has no input, no environment and few files") {
  const auto outcome = run_limited(tight, [] {
    std::string text = std::cin.get() == EOF ? "end " : "input ";
    text += std::getenv("PATH") ? "PATH " : "none ";
    std::vector<int> files;  // closed again at once: the sanitizers need some
    do files.push_back(open("/dev/null", O_RDONLY));
    while (files.back() >= 0 && files.size() < 100);
    for (const int file : files) close(file);
    text += files.size() < 40 ? "few" : "many";
    return text;
  });
  CHECK(outcome.answer == "end none few");
}

TEST_CASE("large files end the child") {
  const Folder folder;
  const auto outcome = run_limited(tight, [&] {
    std::ofstream file(folder.path / "large");
    for (int i = 0; i < 3; ++i) file << std::string(1 << 20, 'x') << std::flush;
    return std::string();
  });
  CHECK(outcome.ending == Ending::FileLimit);
  CHECK(fs::file_size(folder.path / "large") <= 1 << 20);
}

TEST_CASE("names of files that a confined process may use") {
  const Folder folder;
  const fs::path inner = folder.path / "inner";
  std::ofstream(folder.path / "secret") << "secret";
  fs::create_symlink("..", inner / "link");
  fs::create_symlink("../secret", inner / "secret_link");
  const auto outcome = run_limited(tight, [&] {
    if (chdir(inner.c_str()) != 0) return std::string("no folder");
    confine_files(".", 3);
    std::string text;
    const auto may_read = [](const char* name) {
      try {
        require_readable(name);
        return 'y';
      } catch (const perilune::Error&) {
        return 'n';
      }
    };
    for (const char* name : {"mine", "sub/mine", "../secret", "link/secret", "secret_link", ".hidden", "sub/../mine",
                             "sub/../../secret", "/etc/passwd", "/dev/null", "", "."}) {
      text += may_read(name);
    }
    for (int i = 0; i < 5; ++i) {
      try {
        require_writable("mine");
        text += 'w';
      } catch (const perilune::Error&) {
        text += '-';
      }
    }
    return text;
  });
  CHECK(outcome.answer == "yynnnnynnnnnwww--");
}

TEST_CASE("the kernel holds what does not ask") {
  if (syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1) {
    WARN("this kernel has no Landlock");
    return;
  }
  const Folder folder;
  std::ofstream(folder.path / "secret") << "secret";
  const auto outcome = run_limited(tight, [&] {
    confine_files(folder.path / "inner", 10);
    std::string text;
    text += std::ofstream(folder.path / "inner" / "mine") ? 'y' : 'n';
    text += std::ifstream(folder.path / "inner" / "mine") ? 'y' : 'n';
    text += std::ofstream(folder.path / "inner" / "mine", std::ios::trunc) ? 'y' : 'n';
    text += std::ofstream(folder.path / "new") ? 'y' : 'n';
    text += std::ofstream(folder.path / "secret") ? 'y' : 'n';
    text += std::ifstream(folder.path / "secret") ? 'y' : 'n';
    text += unlink((folder.path / "inner" / "mine").c_str()) == 0 ? 'y' : 'n';
    text += access("/bin/sh", X_OK) == 0 && execl("/bin/sh", "sh", "-c", "true", nullptr) < 0 ? 'n' : 'y';
    return text;
  });
  CHECK(outcome.answer == "yyynnnyn");  // to replace files it may remove its own
  CHECK(fs::file_size(folder.path / "secret") == 6);
}
