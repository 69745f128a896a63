// SPDX-License-Identifier: MIT
// Constraints that ask for a jump of velocities or positions where a switch of the model changes its side: a driver
// whose law has a corner is a blow, which the equations of motion do not contain.
#pragma once
#include <optional>
#include <string>

#include "formulation/motion.hpp"

namespace perilune::integrator {

struct ConstraintJump {
  double t;          // s
  int constraint;    // its number in the system
  bool of_position;  // else of the velocity
  double by;         // in the constraint's unit, or that per second
};

/// What the constraints at `x`, less than `since` (s) from where a switch changes its side, ask for with the sides
/// `before` and with those `after`; the first of those that jump.
std::optional<ConstraintJump> constraint_jump(const formulation::Motion& motion, const formulation::Node& x,
                                              const formulation::Sides& before, const formulation::Sides& after,
                                              double since);
/// For the user; without a remedy.
std::string sentence(const ConstraintJump& jump, const formulation::System& system);

}  // namespace perilune::integrator
