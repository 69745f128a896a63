// SPDX-License-Identifier: MIT
// Threads that wait for jobs: each job once, the same threads again, calls from several threads at once, from within
// jobs and in the copy of a process.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "crew.hpp"
#include "parallel.hpp"

using namespace perilune;

TEST_CASE("a crew does each job once, on threads that it keeps") {
  Crew crew;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int call = 0; call < 200; ++call) {
    std::vector<int> done(static_cast<std::size_t>(call % 7), 0);
    crew.run(done.size(), 3, [&](std::size_t number) {
      ++done[number];
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    CHECK(done == std::vector<int>(done.size(), 1));
  }
  CHECK(seen.size() <= 3);
}

TEST_CASE("the jobs of a crew run at the same time") {
  Crew crew;
  std::atomic<int> here{0};
  // Each waits until all are there, which one thread alone would wait for in vain.
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  crew.run(3, 3, [&](std::size_t) {
    ++here;
    while (here < 3 && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
  });
  CHECK(std::chrono::steady_clock::now() < latest);
}

TEST_CASE("a crew at work for one caller lets the others do their jobs themselves") {
  Crew crew;
  std::atomic<int> sum{0};
  const auto call = [&] {
    for (int k = 0; k < 300; ++k) crew.run(5, 3, [&](std::size_t number) { sum += static_cast<int>(number); });
  };
  std::thread other(call), third(call);
  call();
  other.join();
  third.join();
  CHECK(sum == 3 * 300 * 10);
}

TEST_CASE("jobs within jobs, and jobs in the copy of a process") {
  std::atomic<int> sum{0};
  run_jobs(4, [&](std::size_t) { run_jobs(3, [&](std::size_t number) { sum += static_cast<int>(number); }); });
  CHECK(sum == 12);
  const pid_t child = fork();
  if (child == 0) {  // has none of the threads that the calls above have left
    int own = 0;
    run_jobs(4, [&](std::size_t number) { own += static_cast<int>(number); });
    _exit(own == 6 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
