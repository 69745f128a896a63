// SPDX-License-Identifier: MIT
// What an impact did, by the names of joints: impulses as their signals say forces.
#pragma once
#include <string>
#include <vector>

#include "model/model.hpp"
#include "simulation/run.hpp"

namespace perilune::simulation {

/// The integral over an impact of a signal of a joint or constraint that is linear in its multipliers: "force_x" (N s),
/// "torque" (N m s), "lambda" (s times its unit). NaN where redundant constraints leave it undetermined.
struct Impulse {
  std::string joint, signal;
  double value;
};

/// For each phase of a motion, of the impact that it begins with; empty for the first. Only constraints that act.
std::vector<std::vector<Impulse>> impulses(const model::Model& model, const Evaluation& run);

}  // namespace perilune::simulation
