// SPDX-License-Identifier: MIT
// Independent jobs that simulate one problem at different parameter values.
#pragma once
#include "simulation/problem.hpp"

namespace perilune::simulation {

/// run_jobs(), where each job calls evaluate() of this problem: on each thread several go along together, in registers,
/// where all of the problem is made for it. What a job computes has the same bits in either case.
void run_alike_jobs(const Problem& problem, std::size_t count, const std::function<void(std::size_t)>& job);

/// Whether they do: explicit steps of penalty and index 1, few enough unknowns, on processors with wide registers.
bool go_in_lanes(const Problem& problem);

/// For measurements and tests: from now on none do, or again those that can.
void use_lanes(bool are_used);

}  // namespace perilune::simulation
