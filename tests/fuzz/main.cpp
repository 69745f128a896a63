// SPDX-License-Identifier: MIT
// Attacks the program with scripts, expressions, calls and files that nobody would write.
//   fuzz --inputs 100000 --seed 1      so many of that seed
//   fuzz --seconds 60                  with a new seed, which is printed
//   fuzz --repeat finding.lua          a finding once more
// Findings are kept in the folder --keep, each a script that `perilune` runs by itself. Exit code 1 if there are any.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <random>

#include "fuzz_options.hpp"
#include "scripts.hpp"
#include "verdict.hpp"
#include "worker.hpp"

namespace perilune::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop_requested = 0;

class Campaign {
 public:
  explicit Campaign(const Options& options) : options_(options), mutator_(options.corpus) {
    void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
    progress_ = new (shared) Progress;
    char pattern[] = "/tmp/perilune-fuzz-XXXXXX";
    if (!mkdtemp(pattern)) throw std::runtime_error("cannot make a folder in /tmp");
    root_ = pattern;
    chmod(pattern, 0755);
    folder_ = root_ + "/work";
    fs::create_directory(folder_);
    chmod(folder_.c_str(), 0777);
    output_ = open((root_ + "/output").c_str(), O_RDWR | O_CREAT | O_APPEND, 0666);
    fchmod(output_, 0666);
    if (pipe2(pipe_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    fcntl(pipe_[0], F_SETFL, O_NONBLOCK);
  }
  ~Campaign() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  Input input(std::uint64_t number) const {
    if (!options_.repeat.empty()) return {repeated_};
    Random random(options_.seed * 0x9e3779b97f4a7c15u + number);
    random.bits();
    const int kind = options_.kinds[random.below(options_.kinds.size())] - '0';
    switch (kind) {
      case script_kind:
        return {generated_script(random), kind};
      case mutant_kind:
        return {mutator_.mutant(random), kind};
      case call_kind:
        return {generated_calls(random), kind};
      default:
        return {broken_file_script(random), kind};
    }
  }

  int run() {
    if (!options_.repeat.empty()) {
      std::ifstream file(options_.repeat, std::ios::binary);
      repeated_.assign(std::istreambuf_iterator<char>(file), {});
    }
    const auto begin = Clock::now();
    auto last_word = begin;
    std::uint64_t next = options_.first;
    const std::uint64_t end = options_.repeat.empty() ? options_.first + options_.inputs : next + 1;
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    while (next < end && elapsed() < options_.seconds && !stop_requested) {
      next = run_worker(next, std::min(end, next + options_.batch), begin);
      if (Clock::now() - last_word > std::chrono::seconds(60)) {
        last_word = Clock::now();
        print_state(next);
      }
    }
    print_state(next);
    for (const auto& [key, count] : found_) std::cout << "  " << count << " x " << key << '\n';
    const bool failed = failures_ > 0;
    std::cout << (failed ? "findings are in " + options_.keep : std::string("no findings")) << std::endl;
    return failed ? 1 : 0;
  }

 private:
  // Returns the first input that was not run.
  std::uint64_t run_worker(std::uint64_t first, std::uint64_t end, Clock::time_point begin) {
    progress_->busy = false;
    progress_->input = first;
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
      enter_worker(options_.limits, folder_, output_);
      for (std::uint64_t i = first; i < end; ++i) {
        work(input(i), i, options_.limits, *progress_, output_, pipe_[1]);
        if (std::chrono::duration<double>(Clock::now() - begin).count() > options_.seconds) break;
      }
      _exit(has_leaks() ? leak_code : 0);
    }
    const int status = wait_for(child);
    read_findings();
    if (!options_.repeat.empty() || options_.inputs == 1) std::cout << output();
    const std::uint64_t last = progress_->input;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return last + 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == leak_code) {
      keep(last, {"leak", "in the inputs from " + std::to_string(first) + " to " + std::to_string(last)}, output());
      return last + 1;
    }
    if (stop_requested) return last;
    ++progress_->inputs;
    const std::string reason = WIFSIGNALED(status)                ? strsignal(WTERMSIG(status))
                               : WEXITSTATUS(status) == hang_code ? "no answer to an interrupt"
                               : WEXITSTATUS(status) == sanitizer_code
                                   ? "sanitizer"
                                   : "exit code " + std::to_string(WEXITSTATUS(status));
    keep(last, crash(reason, output()), output());
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) fs::remove_all(entry.path(), ignored);
    return last + 1;
  }

  // Whether the process asks for no processor time, rather than gets none.
  static bool waits(pid_t child) {
    std::ifstream file("/proc/" + std::to_string(child) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name = text.rfind(')');
    return name != text.npos && name + 2 < text.size() && (text[name + 2] == 'S' || text[name + 2] == 'D');
  }

  // A worker that waits rather than works is ended after a while: its limits are of processor time.
  int wait_for(pid_t child) {
    int status = 0;
    std::uint64_t last = progress_->inputs;
    auto since = Clock::now();
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (progress_->inputs != last) {
        last = progress_->inputs;
        since = Clock::now();
      }
      read_findings();
      if (!waits(child)) since = Clock::now();
      if (stop_requested || Clock::now() - since > std::chrono::minutes(5)) kill(child, SIGKILL);
      usleep(20000);
    }
    return status;
  }

  std::string output() const {
    std::ifstream file(root_ + "/output", std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    return text.size() > 100000 ? text.substr(text.size() - 100000) : text;
  }

  void read_findings() {
    char buffer[4096];
    for (ssize_t got; (got = read(pipe_[0], buffer, sizeof buffer)) > 0;) {
      pending_.append(buffer, static_cast<std::size_t>(got));
    }
    for (std::size_t end; (end = pending_.find('\n')) != pending_.npos; pending_.erase(0, end + 1)) {
      const std::size_t kind = pending_.find('\t'), key = pending_.find('\t', kind + 1);
      if (key >= end) continue;
      keep(std::strtoull(pending_.c_str(), nullptr, 10),
           {pending_.substr(kind + 1, key - kind - 1), pending_.substr(key + 1, end - key - 1)}, "");
    }
  }

  // The first few of each kind as files.
  void keep(std::uint64_t number, const Finding& finding, const std::string& printed) {
    if (finding.kind == "slow answer") {  // depends on the machine: told, but no failure
      std::cout << "input " << number << ": answered an interrupt after " << finding.key << std::endl;
      return;
    }
    ++failures_;
    const std::string name = finding.kind + ": " + finding.key;
    const bool known = options_.repeat.empty() && ++found_[name] > 3;
    if (known) return;
    std::cout << "FOUND seed " << options_.seed << " input " << number << ": " << name << std::endl;
    if (!options_.repeat.empty()) return;
    fs::create_directories(options_.keep);
    const std::string path = options_.keep + "/" + std::to_string(options_.seed) + "-" + std::to_string(number);
    std::ofstream(path + ".lua", std::ios::binary)
        << input(number).script << "\n-- seed " << options_.seed << ", input " << number << ": " << name << '\n';
    if (!printed.empty()) std::ofstream(path + ".txt", std::ios::binary) << printed;
  }

  void print_state(std::uint64_t next) const {
    const Progress& p = *progress_;
    std::cout << "seed " << options_.seed << ", inputs " << options_.first << " to " << next - 1 << ": " << p.inputs
              << " (" << p.by_kind[0] << " scripts, of which " << p.simulated << " simulated; " << p.by_kind[1]
              << " mutants, " << p.by_kind[2] << " calls, " << p.by_kind[3] << " files); ended with 0: " << p.exits[0]
              << ", 1: " << p.exits[1] << ", 3: " << p.exits[2] << ", 130: " << p.exits[3]
              << ", os.exit: " << p.exits[4] << "; " << p.interrupted << " at the limit of time (slowest answer "
              << static_cast<double>(p.slowest_answer) * 1e-6 << " s), " << p.out_of_memory << " of memory; "
              << failures_ << " findings" << std::endl;
  }

  Options options_;
  Mutator mutator_;
  Progress* progress_ = nullptr;
  std::string root_, folder_, repeated_, pending_;
  int output_ = -1;
  int pipe_[2] = {-1, -1};
  std::map<std::string, int> found_;
  std::uint64_t failures_ = 0;
};

}  // namespace

}  // namespace perilune::fuzz

int main(int argc, char** argv) {
  using namespace perilune::fuzz;
  signal(SIGINT, [](int) { stop_requested = 1; });
  try {
    Options options = read_options(argc, argv);
    if (options.seed == 0) options.seed = std::random_device{}();
    std::string path;  // modules of the scripts that are changed
    for (const std::string& folder : options.corpus) path += folder + "/?.lua;";
    setenv("LUA_PATH_5_4", (path + ";").c_str(), 1);
    Campaign campaign(options);
    if (options.show) {
      std::cout << campaign.input(options.first).script;
      return 0;
    }
    return campaign.run();
  } catch (const std::exception& error) {
    std::cerr << "fuzz: " << error.what() << '\n';
    return 2;
  }
}
