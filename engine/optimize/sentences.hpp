// SPDX-License-Identifier: MIT
// Pieces of the sentences in which optimizers and fits tell what they found.
#pragma once
#include <string>
#include <vector>

#include "format/text.hpp"

namespace perilune::optimize {

/// With three significant digits.
inline std::string number(double value) { return format::significant(value, 3); }

/// 1 step, 2 steps.
template <class Count>
std::string plural(Count count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// a, b and c.
inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  }
  return text;
}

}  // namespace perilune::optimize
