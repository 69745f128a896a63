// SPDX-License-Identifier: MIT
// The way back through a finished run for several objectives: all by the same linearizations, or shared by several
// threads and the processes of a launcher.
#pragma once
#include "sensitivity/discrete/backward.hpp"

namespace perilune::sensitivity {

/// From what `bundle` holds of the end of the run (adjoint.hpp). `nodes`: all of the run. `threads`: of each process,
/// at most; 0: as many as run_jobs has. Each linearizes the nodes for its own objectives: the same bits for any number.
/// `motion`: that made the run.
Gradient reverse_by_objectives(const Problem& problem, const Evaluation& run, Motion& motion, NodeRecord& nodes,
                               AdjointBundle& bundle, const std::vector<int>& over, int threads);

}  // namespace perilune::sensitivity
