// SPDX-License-Identifier: MIT
// What elements contribute to the equations of several systems that differ in their data alone, one in each lane.
#pragma once
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

/// Kernel::evaluate in lanes, with the bits that it has for each alone.
using EvaluateLanes = void (*)(expr::Registers registers, const Batch& batch, const LaneKinematics& at,
                               const double* data, const Blocks& blocks);
/// Null for elements that are not made for it: those whose hand-derived blocks are no templates over their scalar, and
/// laws. Constant ones need none.
EvaluateLanes lanes_of(const Kernel& kernel);

}  // namespace perilune::model
