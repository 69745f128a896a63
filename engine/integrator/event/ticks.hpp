// SPDX-License-Identifier: MIT
// When the sampled numbers of a system take new values during a run.
#pragma once
#include <vector>

#include "system/system.hpp"

namespace perilune::integrator {

/// The ticks from the start of a run, that included, to right before its end: at the end nothing would follow from one,
/// and a run that goes on from there has it at its start.
class Ticks {
 public:
  Ticks(const system::System& system, double start, double end);
  /// When the next tick is (s), or the end of the run.
  double next() const { return next_; }
  /// Whether there is one before the end.
  bool is_left() const { return !due_.empty(); }
  /// Who ticks then: numbers in System::sampled().
  const std::vector<int>& due() const { return due_; }
  /// To the tick after the next.
  void advance();

 private:
  double time(std::size_t k) const;
  void find_next();

  const std::vector<system::System::Sampled>& sampled_;
  double end_, tolerance_, next_;
  std::vector<double> count_;  // of each, the number of its next tick
  std::vector<int> due_;
};

}  // namespace perilune::integrator
