// SPDX-License-Identifier: MIT
#include "course/processes.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <list>
#include <vector>

#include "base/child_process.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

constexpr std::size_t largest_answer = 64 << 20;
constexpr char is_answer = 'a', is_problem = 'p';  // the first letter of what a child writes

[[noreturn]] void be_the_child(int answer, std::size_t number, const std::function<std::string(std::size_t)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::string text;
  try {
    text = is_answer + work(number);
  } catch (const std::exception& error) {
    text = is_problem + std::string(error.what());
  }
  std::fflush(nullptr);
  _exit(write_all(answer, text) ? 0 : 1);
}

// A child is asked to end, and waited for, however this is destroyed.
class Job {
 public:
  Job(std::size_t number, const std::function<std::string(std::size_t)>& work) : number_(number) {
    std::fflush(nullptr);
    child_ = fork();
    if (child_ < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child_ == 0) be_the_child(pipe_.write, number, work);
    close_file(pipe_.write);
  }
  ~Job() {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::size_t number() const { return number_; }
  int file() const { return pipe_.read; }
  /// False when the child has said all.
  bool read_on() { return drain(pipe_.read, text_, largest_answer) && text_.size() <= largest_answer; }

  Answer answer() {
    int status = 0;
    if (text_.size() > largest_answer) kill(child_, SIGKILL);
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) continue;
    child_ = 0;
    if (WIFSIGNALED(status)) {
      return {"", "the process ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                      strsignal(WTERMSIG(status)) + ")"};
    }
    if (text_.empty() || text_.size() > largest_answer) return {"", "the process ended without an answer"};
    const bool has_answer = text_[0] == is_answer;
    text_.erase(0, 1);
    return has_answer ? Answer{std::move(text_), ""} : Answer{"", std::move(text_)};
  }

 private:
  Pipe pipe_;
  std::size_t number_;
  pid_t child_ = 0;
  std::string text_;
};

}  // namespace

void run_in_processes(std::size_t count, int jobs, const std::function<std::string(std::size_t)>& work,
                      const std::function<void(std::size_t, const Answer&)>& done) {
  const StopOnRequest stop;
  std::list<Job> running;
  std::size_t begun = 0;
  while (begun < count || !running.empty()) {
    check_interrupt();
    while (begun < count && running.size() < static_cast<std::size_t>(jobs)) running.emplace_back(begun++, work);
    std::vector<pollfd> files;
    for (const Job& job : running) files.push_back({job.file(), POLLIN, 0});
    poll(files.data(), files.size(), 200);
    std::size_t k = 0;
    for (auto job = running.begin(); job != running.end(); ++k) {
      if (!files[k].revents || job->read_on()) {
        ++job;
        continue;
      }
      done(job->number(), job->answer());
      job = running.erase(job);
    }
  }
}

}  // namespace perilune::lua
