// SPDX-License-Identifier: MIT
// What a joint does to one of its two bodies, along axes of one's choice.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Signals force_x, ... (N) and torque_x, ... (N m; in the plane torque) of `name`: what the joint does to the body of
/// `on`, at the joint's place on it, along the axes of `axes` (a point or null: those of space). On one body they are
/// the opposite of those on the other, whatever the order of their declaration; where the joint slides, the torques
/// differ by the moment of the force between both places. Throws Error where the joint has no such reaction or does not
/// act on `on`.
void add_reaction(Model& model, const std::string& name, const std::string& joint, const Place& on, const Place* axes);

}  // namespace perilune::model
