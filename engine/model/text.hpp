// SPDX-License-Identifier: MIT
// Numbers in messages about a model.
#pragma once
#include <cstdio>
#include <string>

namespace perilune::model {

inline std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

}  // namespace perilune::model
