// SPDX-License-Identifier: MIT
// The intervals of one motion by several processes, of which the first alone simulates: it sends the parts of the
// motion to whoever has nothing to do, and at the end what all need of its end.
#pragma once
#include "sensitivity/intervals/interval_result.hpp"

namespace perilune::sensitivity {

/// As solve_intervals, pipelined and without records. What is sent of a part are its mesh, and the ends of its steps
/// with the sides of switches: `solve` reads no more of it. Of the run the other processes get its ends, its values and
/// what is said of it.
SolvedIntervals feed_intervals(const Problem& problem, Evaluation start, const IntervalOptions& options,
                               const SolveInterval& solve, const std::function<void(const Evaluation& run)>& check);

}  // namespace perilune::sensitivity
