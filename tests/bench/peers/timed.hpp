// SPDX-License-Identifier: MIT
// What programs of peers share: the processor time of the fastest of several runs.
#pragma once
#include <algorithm>
#include <ctime>

inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// As many runs as half a second has, two at least where that is at all long; as `perilune bench` measures its own.
template <class Run>
double fastest(Run run) {
  double best = 1e300, spent = 0;
  for (int k = 1; k <= 20; ++k) {
    const double start = processor_time();
    run();
    const double seconds = processor_time() - start;
    best = std::min(best, seconds);
    spent += seconds;
    if ((spent > 0.5 && k >= 2) || spent > 2) break;
  }
  return best;
}
