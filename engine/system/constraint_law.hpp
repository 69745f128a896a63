// SPDX-License-Identifier: MIT
// What the rows of the constraints in an equation of motion ask for:
//   acceleration Phi'' + rate Phi' + position Phi - compliance lambda = 0
// and those on velocities alone, Psi(q, v, t) = 0, which have no position to be pulled back to:
//   acceleration Psi' + velocity_rate Psi - compliance kappa = 0
#pragma once

namespace perilune::system {

struct ConstraintLaw {
  double acceleration = 1;
  double rate = 0;           // 1/s
  double position = 0;       // 1/s^2
  double compliance = 0;     // m/s^2 per unit of the multiplier
  double velocity_rate = 0;  // 1/s
};

}  // namespace perilune::system
