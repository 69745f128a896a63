// SPDX-License-Identifier: MIT
// Adjoints of a finished run and their derivatives along some directions: by one sweep, by groups of directions, or
// over intervals.
#pragma once
#include "sensitivity/discrete/backward.hpp"

namespace perilune::sensitivity {

/// A finished run of which all is recorded.
struct TwiceFollowed {
  const Problem& problem;
  const Evaluation& run;
  NodeRecord& nodes;
  const TangentRecord& tangents;
  std::size_t directions;                // of the tangents
  const system::SecondOrder& products;   // copied for every thread
  const std::string& title;              // what it is, for processes
  const formulation::Memory& memory;     // of the motion that made the run: others go on as that would
};

/// At the start of the run, with all that was gathered on the way.
struct SecondAdjoints {
  AdjointBundle first;
  std::vector<AdjointBundle> seconds;  // by direction
  long linearizations = 0;
  std::string warning;

  template <class Archive>
  friend void archive_fields(Archive& archive, SecondAdjoints& part) {
    archive(part.first, part.seconds, part.linearizations, part.warning);
  }
};

/// `threads`: of each process, at most; 0: as many as run_jobs has. Each takes some directions, and finds the first
/// adjoint and the linearizations for these: the same bits for any number.
SecondAdjoints second_adjoints(const TwiceFollowed& motion, int threads);

/// The same over intervals of time, up to rounding. First the first adjoint is found as RecordedIntervals does; then all
/// intervals are gone through once more, apart from each other, with the first adjoint that comes to the end of each,
/// and with second ones that are zero there. What the second ones that do come there add goes by the same transitions
/// as the first: for any number of directions these are found once.
SecondAdjoints second_adjoints_over_intervals(const TwiceFollowed& motion, const DiscreteAdjoint& method,
                                              bool has_own_rate);

}  // namespace perilune::sensitivity
