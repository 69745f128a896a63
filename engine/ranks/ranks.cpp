// SPDX-License-Identifier: MIT
#include "ranks/ranks.hpp"

#include <unistd.h>

#include <memory>
#include <mutex>
#include <numeric>

#include "error.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/first_rank.hpp"
#include "ranks/link.hpp"

namespace perilune::ranks {

namespace {

struct Run {
  explicit Run(const PeriluneTransport& transport) : link(transport), first(link) {}
  Link link;
  FirstRank first;           // of the first process
  std::mutex mutex;          // one thread at a time speaks to the first process
  std::uint64_t stages = 0;  // so far
  bool is_over = false;
  std::string parted;  // the sentence, once processes have parted
};
std::unique_ptr<Run> run;

/// Whoever is told to quit has nothing left to do, wherever it is.
[[noreturn]] void quit() {
  if (!run->is_over) run->link.send(0, Kind::Bye);
  run->link.finish();
  _exit(0);
}

/// In another process than the first: the answer of that.
Message answer() {
  Message message = run->link.wait();
  if (message.kind == Kind::Quit) quit();
  return message;
}

std::string outcome() {
  const Message message = answer();
  if (message.kind == Kind::Error) throw Error(message.content);
  return message.content;
}

std::vector<std::size_t> ask_for_jobs(const Stage& stage) {
  const std::lock_guard lock(run->mutex);
  run->link.send(0, Kind::Ask, content_of(stage));
  return unpacked<std::vector<std::size_t>>(answer().content);
}

void tell(Kind kind, const JobReport& report) {
  const std::lock_guard lock(run->mutex);
  run->link.send(0, kind, content_of(report));
}

std::string spread_by_other(const Work& work, const Stage& stage) {
  run_jobs(static_cast<std::size_t>(thread_count()), [&](std::size_t) {
    for (std::vector<std::size_t> jobs = ask_for_jobs(stage); !jobs.empty(); jobs = ask_for_jobs(stage)) {
      for (const std::size_t job : jobs) {
        try {
          tell(Kind::Result, {job, work.compute(job)});
        } catch (const Interrupted&) {
          throw;
        } catch (const std::exception& failure) {
          tell(Kind::Failed, {job, failure.what()});
        }
      }
    }
  });
  run->link.send(0, Kind::Done, content_of(stage));
  return outcome();
}

Stage next_stage(const std::string& title) {
  if (!run->parted.empty()) throw Error(run->parted);
  return {++run->stages, title};
}

template <class Function>
auto in_first(const Function& function) {
  try {
    return function();
  } catch (const Parted& problem) {
    run->parted = problem.what();
    throw;
  }
}

}  // namespace

void join(const PeriluneTransport& transport) { run = std::make_unique<Run>(transport); }
int number() { return run ? run->link.number() : 0; }
int size() { return run ? run->link.size() : 1; }
bool may_spread() { return size() > 1 && !run->is_over && !is_within_job(); }

std::vector<std::size_t> all_jobs(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::string spread(const Work& work) {
  const Stage stage = next_stage(work.title);
  if (number() > 0) return spread_by_other(work, stage);
  return in_first([&] { return run->first.spread(work, stage); });
}

std::vector<std::string> gather(const std::string& title, const std::string& mine) {
  Stage stage = next_stage(title);
  stage.bytes = mine;
  std::string all;
  if (number() > 0) {
    run->link.send(0, Kind::Share, content_of(stage));
    all = outcome();
  } else {
    all = in_first([&] { return run->first.gather(stage); });
  }
  return unpacked<std::vector<std::string>>(all);
}

std::string leave(int code, const std::string& failure) {
  if (!run || run->is_over) return {};
  run->is_over = true;
  if (number() > 0) {
    run->link.send(0, Kind::Bye, code == 0 ? "" : failure);
    while (true) answer();  // the one to come tells it to quit
  }
  return run->first.dismiss(code == 0 && !run->parted.empty() ? 1 : code);
}

}  // namespace perilune::ranks
