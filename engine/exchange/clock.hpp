// SPDX-License-Identifier: MIT
// When the sampled numbers of a plant take new values. Who moves it from outside stops anywhere, and may go in steps of
// any length: which ticks have been is remembered as their numbers, and never told from the time.
#pragma once
#include <vector>

#include "system/system.hpp"

namespace perilune::exchange {

class Clock {
 public:
  /// Of each sampled number, the number of its next tick; whole.
  using Numbers = std::vector<double>;

  explicit Clock(const system::System& system);
  /// The next ticks of a motion that starts at t (s), one there included. Throws Error where t is so far from the first
  /// ticks that they cannot be told.
  Numbers at_start(double t) const;
  /// When the next tick is (s); infinite where nothing is sampled.
  double next(const Numbers& numbers) const;
  /// Who ticks at t or should have done so before: numbers in System::sampled().
  std::vector<int> due(const Numbers& numbers, double t) const;
  /// Its next tick (s).
  double time(const Numbers& numbers, int k) const;
  /// How far times may be apart that are one (s): sums of steps are not exact.
  double rounding(double t) const;

 private:
  const std::vector<system::System::Sampled>& sampled_;
  double shortest_;  // period, s
};

}  // namespace perilune::exchange
