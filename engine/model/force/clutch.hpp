// SPDX-License-Identifier: MIT
// One-way (overrunning) clutches: a torque against turning in one sense only.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A clutch that holds against the growth of `angle` (rad), an expression of positions, and overruns where it falls.
/// With the torque p = stiffness s + damping angle' of its wound-up parts (N m/rad, N m s/rad, both positive):
///   p > 0: the torque against growth is p and s' = angle';  else: the torque is 0 and s' = -s stiffness / damping.
/// Both are continuous where p changes its sign, which is the event name.engages. The winding s is a first-order state,
/// 0 at the start; in statics it is the growth of the angle from its declared value. Stored energy stiffness s^2 / 2.
/// Signals torque, wind_up, dissipation. Throws Error where the angle turns nothing, or reads more than positions.
void add_one_way_clutch(Model& model, const std::string& name, const Symbol& angle, const Symbol& stiffness,
                        const Symbol& damping);

}  // namespace perilune::model
