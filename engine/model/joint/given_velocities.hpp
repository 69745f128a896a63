// SPDX-License-Identifier: MIT
// What holds velocities and leaves positions free: knife edges, and drives with a given speed.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// The place of b does not move sideways against what a carries there: across.(v_b - v_a) = 0, with the edge along
/// `axis`, a direction in the body frame of b, on the plane normal to the z axis of a. Signals lateral_force, speed.
/// Throws Error where b does not turn, or the edge is normal to the plane.
void add_knife_edge(Model& model, const std::string& name, const Place& a, const Place& b, const Vector& axis);
/// Prescribes the rate of an expression of coordinates as an expression of time. Signals force, power.
void add_speed_driver(Model& model, const std::string& name, const Symbol& what, const Symbol& law);

}  // namespace perilune::model
