// SPDX-License-Identifier: MIT
#include "exchange/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::exchange {

Clock::Clock(const system::System& system)
    : sampled_(system.sampled()), shortest_(std::numeric_limits<double>::infinity()) {
  for (const system::System::Sampled& s : sampled_) shortest_ = std::min(shortest_, s.period);
}

Clock::Numbers Clock::at_start(double t) const {
  constexpr double far = 1e9;  // periods
  Numbers out;
  for (const system::System::Sampled& s : sampled_) {
    if (!(std::abs(t - s.first) / s.period <= far)) {
      throw Error("sampled \"" + s.name + "\" ticks first at " + format::shortest(s.first) +
                  " s, too many periods from the start at " + format::shortest(t) +
                  " s for its ticks to be told; give a first nearby");
    }
    out.push_back(std::max(0.0, std::ceil((t - s.first - rounding(t)) / s.period)));
  }
  return out;
}

double Clock::time(const Numbers& numbers, int k) const {
  const auto at = static_cast<std::size_t>(k);
  return sampled_[at].first + numbers[at] * sampled_[at].period;
}

double Clock::next(const Numbers& numbers) const {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < numbers.size(); ++k) out = std::min(out, time(numbers, static_cast<int>(k)));
  return out;
}

std::vector<int> Clock::due(const Numbers& numbers, double t) const {
  std::vector<int> out;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const int number = static_cast<int>(k);
    if (time(numbers, number) <= t + rounding(t)) out.push_back(number);
  }
  return out;
}

double Clock::rounding(double t) const {
  constexpr double of_period = 1e-9, of_time = 4 * std::numeric_limits<double>::epsilon();
  return std::isfinite(shortest_) ? of_period * shortest_ + of_time * std::abs(t) : 0;
}

}  // namespace perilune::exchange
