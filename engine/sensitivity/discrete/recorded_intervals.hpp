// SPDX-License-Identifier: MIT
// The discrete adjoint over intervals of a finished motion, of any form and integrator: what is carried across the
// boundaries is read from the steps (intervals/carried.hpp).
#pragma once
#include "sensitivity/gradient.hpp"
#include "sensitivity/intervals/interval_result.hpp"

namespace perilune::sensitivity {

/// The integrals of the objectives without their terminal parts, which the end of the motion adds, and nothing for
/// `homogeneous` more.
Problem problem_of_columns(const Problem& problem, Eigen::Index homogeneous);

/// Simulates from `run`, which `prepare` gave.
Gradient recorded_interval_adjoint(const Problem& problem, Evaluation& run, const std::vector<int>& over,
                                   const IntervalOptions& options);

}  // namespace perilune::sensitivity
