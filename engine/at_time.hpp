// SPDX-License-Identifier: MIT
// How failures on the way say when.
#pragma once
#include <cstdio>
#include <string>

namespace perilune {

/// "at t = 0.25 s: ", for the start of a message.
inline std::string at_time(double t) {
  char text[48];
  std::snprintf(text, sizeof text, "at t = %.6g s: ", t);
  return text;
}

}  // namespace perilune
