// SPDX-License-Identifier: MIT
// Types into the executable on a terminal of its own: run_session PROGRAM FOLDER [CASE...]
//
// Exit code 77, and a sentence: there is no terminal to be had here.
//
// A case is a text file FOLDER/name.session of lines, beside empty ones and comments that begin with "#":
//   shell COMMAND   prepares the fresh folder in which everything runs
//   start COMMAND   starts the program, which is called perilune, on a terminal; again after its end, if need be
//   expect TEXT     waits until the terminal shows the text, after all that was expected before
//   prompt          waits until a line is edited, after the end of what was expected before: control keys are keys then
//   send TEXT       types; \t \r \e \\ and \xHH as in C: \x03 is Ctrl-C
//   busy            waits until the program has worked for 0.2 s of processor time: what was typed runs
//   insist          types Ctrl-C again and again until the program ends
//   exit CODE       waits for the end of the program, and compares its exit code
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <poll.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(600);  // of a machine under any load
constexpr int skipped = 77;

struct NoTerminal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string unescaped(const std::string& text) {
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      result += text[k];
    } else if (const char c = text[++k]; c == 'x') {
      result += static_cast<char>(std::stoi(text.substr(k + 1, 2), nullptr, 16));
      k += 2;
    } else {
      result += c == 't' ? '\t' : c == 'r' ? '\r' : c == 'e' ? '\x1b' : c;
    }
  }
  return result;
}

// Without what moves the cursor.
std::string visible(const std::string& text) {
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\x1b' && k + 1 < text.size() && text[k + 1] == '[') {
      k += 2;
      while (k < text.size() && (text[k] < '@' || text[k] > '~')) ++k;
    } else if (text[k] != '\r' && text[k] != '\a') {
      result += text[k];
    }
  }
  return result;
}

class Session {
 public:
  Session() = default;
  ~Session() { stop(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start(const std::string& command, const fs::path& folder) {
    stop();
    raw_.clear();
    seen_ = 0;
    winsize size{};
    size.ws_row = 40;
    size.ws_col = 80;
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ < 0) throw NoTerminal(std::string("there is no pseudo-terminal to be had: ") + std::strerror(errno));
    if (child_ > 0) return;
    fs::current_path(folder);
    std::signal(SIGINT, SIG_DFL);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }

  void expect(const std::string& text) {
    const auto end = Clock::now() + patience;
    for (;;) {
      const std::string shown = visible(raw_);
      if (const size_t found = shown.find(text, seen_); found != shown.npos) {
        seen_ = found + text.size();
        return;
      }
      if (!read_more(end)) {
        throw std::runtime_error("expected: " + text + "\n  the terminal shows: " + shown.substr(seen_));
      }
    }
  }

  // Outside of that the terminal takes lines, and control keys mean something to it.
  void expect_prompt() {
    const auto end = Clock::now() + patience;
    termios settings{};
    while (tcgetattr(terminal_, &settings) != 0 || (settings.c_lflag & ICANON) != 0) {
      if (Clock::now() > end) throw std::runtime_error("no line is edited");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void expect_work() {
    const auto end = Clock::now() + patience;
    const long enough = worked() + sysconf(_SC_CLK_TCK) / 5;
    while (worked() < enough) {
      if (Clock::now() > end) throw std::runtime_error("the program does nothing");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void insist() {
    const auto end = Clock::now() + patience;
    while (Clock::now() < end && write(terminal_, "\x03", 1) == 1) {
      const auto next = Clock::now() + std::chrono::milliseconds(300);
      while (read_more(next)) continue;
      // Reading ends long before its time where the process has ended; waiting ends up to a millisecond before it.
      if (Clock::now() + std::chrono::milliseconds(50) < next) return;
    }
  }

  void send(const std::string& text) {
    if (write(terminal_, text.data(), text.size()) < 0) throw std::runtime_error("nobody reads what is typed");
  }

  void expect_exit(int code) {
    const auto end = Clock::now() + patience;
    while (read_more(end)) continue;
    if (Clock::now() >= end) throw std::runtime_error("the program does not end");
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    close(terminal_);
    const int actual = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (actual != code) {
      throw std::runtime_error("exit code " + std::to_string(actual) + ", expected " + std::to_string(code) +
                               "\n  the terminal shows: " + visible(raw_).substr(seen_));
    }
  }

 private:
  // False at the end of the output or of the time.
  bool read_more(Clock::time_point end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{terminal_, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) return false;
    char buffer[4096];
    const ssize_t count = read(terminal_, buffer, sizeof buffer);
    if (count <= 0) return false;  // the terminal of a process that ended
    raw_.append(buffer, static_cast<size_t>(count));
    return true;
  }

  // Processor time so far, in the clock ticks of the kernel.
  long worked() const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    std::string field;
    for (int k = 0; k < 11; ++k) fields >> field;
    long user = 0, system = 0;
    fields >> user >> system;
    return user + system;
  }

  void stop() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(terminal_);
    child_ = -1;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string raw_;
  size_t seen_ = 0;
};

// Empty if all went as the case says.
std::string problem_of(const fs::path& path, const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder / "work");
  setenv("HOME", folder.c_str(), 1);
  setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
  Session session;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = std::min(line.find(' '), line.size());
    const std::string verb = line.substr(0, blank), text = blank < line.size() ? line.substr(blank + 1) : "";
    try {
      if (verb == "shell") {
        const std::string command = "cd '" + (folder / "work").string() + "' && " + text;
        if (std::system(command.c_str()) != 0) throw std::runtime_error("the command fails");
      } else if (verb == "start") {
        session.start(text, folder / "work");
      } else if (verb == "expect") {
        session.expect(text);
      } else if (verb == "prompt") {
        session.expect_prompt();
      } else if (verb == "send") {
        session.send(unescaped(text));
      } else if (verb == "busy") {
        session.expect_work();
      } else if (verb == "insist") {
        session.insist();
      } else if (verb == "exit") {
        session.expect_exit(std::stoi(text));
      } else {
        throw std::runtime_error("unknown word '" + verb + "'");
      }
    } catch (const NoTerminal&) {
      throw;
    } catch (const std::exception& error) {
      return "  line " + std::to_string(number) + ": " + line + "\n  " + error.what() + "\n";
    }
  }
  return {};
}

int run_all(const fs::path& program, const fs::path& folder, const std::vector<std::string>& wanted) {
  std::string name = (fs::temp_directory_path() / "session.XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a temporary folder");
  const fs::path place = name;
  fs::create_directories(place / "bin");
  fs::create_symlink(fs::canonical(program), place / "bin" / "perilune");
  const char* path = std::getenv("PATH");
  setenv("PATH", ((place / "bin").string() + ":" + (path ? path : "/usr/bin:/bin")).c_str(), 1);
  setenv("LC_ALL", "C", 1);
  setenv("TERM", "dumb", 1);
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".session") continue;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), stem) != wanted.end()) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  int failed = 0;
  for (const fs::path& each : cases) {
    const std::string problem = problem_of(each, place / "home");
    failed += !problem.empty();
    std::cout << (problem.empty() ? "ok    " : "FAIL  ") << each.stem().string() << '\n' << problem;
  }
  std::error_code ignored;
  fs::remove_all(place, ignored);
  std::cout << cases.size() << " sessions, " << failed << " failed\n";
  return failed == 0 && !cases.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: run_session PROGRAM FOLDER [CASE...]\n";
    return 2;
  }
  try {
    return run_all(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const NoTerminal& why) {
    std::cerr << "skipped: " << why.what() << '\n';
    return skipped;
  } catch (const std::exception& error) {
    std::cerr << "run_session: " << error.what() << '\n';
    return 1;
  }
}
