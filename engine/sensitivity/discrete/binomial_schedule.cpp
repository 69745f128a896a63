// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/binomial_schedule.hpp"

#include <algorithm>
#include <limits>

namespace perilune::sensitivity {

std::size_t most_units(std::size_t states, std::size_t repetitions) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::size_t fewer = std::min(states, repetitions), more = std::max(states, repetitions);
  std::size_t product = 1;
  for (std::size_t k = 1; k <= fewer; ++k) {
    if (product > most / (more + k)) return most;
    product = product * (more + k) / k;
  }
  return product;
}

namespace {

/// How far to go from a kept state before keeping the next one, with `states` for `units` > 1 (section 2 of the paper:
/// any number between two bounds is optimal; this is the larger one, which leaves less to the states behind).
std::size_t distance(std::size_t units, std::size_t states) {
  if (states == 1) return units - 1;
  std::size_t r = 1;
  while (most_units(states, r) < units) ++r;
  return std::min(most_units(states, r - 1), units - most_units(states - 1, r - 1));
}

}  // namespace

std::optional<BinomialSchedule::Move> BinomialSchedule::next() {
  if (left_ == 0) return std::nullopt;
  while (kept_.back() >= left_) kept_.pop_back();
  const std::size_t from = kept_.back(), units = left_ - from, free = states_ - kept_.size();
  if (units > 1 && free > 0) {
    const std::size_t to = from + distance(units, free + 1);
    kept_.push_back(to);
    return Move{from, to, true};
  }
  --left_;
  return Move{from, left_, false};
}

}  // namespace perilune::sensitivity
