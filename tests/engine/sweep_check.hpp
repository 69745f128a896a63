// SPDX-License-Identifier: MIT
// What tests of sweeps share: all trials of one, on so many threads, and that two have the same bits.
#pragma once
#include <omp.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "optimize/sweep.hpp"

/// Parallel regions that this thread starts have so many threads as long as it lives.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

inline std::vector<perilune::optimize::Trial> trials_of(const perilune::optimize::Sweep& sweep) {
  std::vector<std::size_t> jobs(sweep.points.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  std::vector<perilune::optimize::Trial> trials(jobs.size());
  std::size_t done = 0;
  run_sweep(sweep, jobs, [&](perilune::optimize::Trial trial) {
    ++done;
    const std::size_t job = trial.job;
    trials[job] = std::move(trial);
  });
  CHECK(done == jobs.size());
  return trials;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

inline void check_same(const std::vector<perilune::optimize::Trial>& a,
                       const std::vector<perilune::optimize::Trial>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    INFO("job " << k << ": " << a[k].failure);
    CHECK(a[k].failure == b[k].failure);
    CHECK(a[k].warnings == b[k].warnings);
    CHECK(same_bits(a[k].values, b[k].values));
    REQUIRE(a[k].derivatives.size() == b[k].derivatives.size());
    for (std::size_t i = 0; i < a[k].derivatives.size(); ++i)
      CHECK(same_bits(a[k].derivatives[i], b[k].derivatives[i]));
  }
}
