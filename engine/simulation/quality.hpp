// SPDX-License-Identifier: MIT
// The figures of the audit (audit.hpp).
#pragma once

namespace perilune::simulation {

/// Largest figures of a run, over its mesh points.
struct Quality {
  bool is_known = false;       // a run was audited
  bool knows_energy = true;    // the work that belongs to the kinetic energy
  double energy = 0;           // J: what energies are compared with
  double energy_error = 0;     // J: of the kinetic energy beside the work done, if that is known
  double constraint_work = 0;  // J: of constraint forces, beside that of drivers
  double position_drift = 0;   // m (rad)
  double velocity_drift = 0;   // m/s (rad/s)
  double normalization = 0;    // of Euler parameters and other coordinates of one body
  double pivot_ratio = 1;      // smallest over largest pivot, the least of them
  /// Of a motion that this one goes on with.
  void add(const Quality& next);
};

}  // namespace perilune::simulation
