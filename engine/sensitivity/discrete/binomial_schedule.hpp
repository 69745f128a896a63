// SPDX-License-Identifier: MIT
// Reversal of a sequence of units (steps, or several of them) with few states kept: A. Griewank and A. Walther,
// Algorithm 799: revolve, ACM Transactions on Mathematical Software 26, 2000. No schedule repeats fewer units.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace perilune::sensitivity {

/// The most units that can be reversed with so many kept states if none is passed more than `repetitions` times on the
/// way to others: the binomial coefficient of both and one of them. Limited to the largest size_t.
std::size_t most_units(std::size_t states, std::size_t repetitions);

class BinomialSchedule {
 public:
  /// At most `states` >= 1 are kept at a time, that before unit 0 among them, which is there from the beginning.
  BinomialSchedule(std::size_t units, std::size_t states) : left_(units), states_(states) {}

  /// From the state kept before unit `from` to where unit `to` begins. There, the state is kept; or else the unit is
  /// reversed, and no state at it or behind is needed any more.
  struct Move {
    std::size_t from, to;
    bool keeps;
  };
  /// Null when all is reversed.
  std::optional<Move> next();

 private:
  std::vector<std::size_t> kept_{0};
  std::size_t left_, states_;
};

}  // namespace perilune::sensitivity
