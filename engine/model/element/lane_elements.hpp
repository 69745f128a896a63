// SPDX-License-Identifier: MIT
// What elements contribute to the equations of several systems that differ in their data alone, one in each lane.
#pragma once
#include <functional>

#include "expr/wide.hpp"
#include "model/element/kernel.hpp"

namespace perilune::model {

/// Points of the motions of these systems: the numbers of one kind for all of them (expr::lane_count) stand side by
/// side, lane l of number i at i * lane_count + l. Data and blocks likewise.
struct LaneKinematics {
  const double* t = nullptr;
  const double* q = nullptr;
  const double* v = nullptr;
};

/// Kernel::evaluate in lanes, with the bits that it has for each alone. For one thread.
using EvaluateLanes =
    std::function<void(const Batch& batch, const LaneKinematics& at, const double* data, const Blocks& blocks)>;
/// By these registers. Empty for elements that are not made for it: those whose hand-derived blocks are no templates
/// over their scalar, and forces that read accelerations or reactions. Constant ones need none. The kernel has to live
/// as long.
EvaluateLanes lanes_of(const Kernel& kernel, expr::Registers registers);

}  // namespace perilune::model
