// SPDX-License-Identifier: MIT
// The clock that costs are measured by.
#pragma once
#include <ctime>

namespace perilune {

/// Processor time of this process so far (s).
inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace perilune
