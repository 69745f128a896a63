// SPDX-License-Identifier: MIT
// Supports that move as told: a body without mass whose place and turn are laws of time, with the forces that this
// takes.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Expressions of time and parameters.
struct Support {
  Vector position;     // of the reference point (m)
  Symbol angle = 0.0;  // about the axis (rad); zero: its frame is parallel to that of space
  Vector axis = {};    // in space, of unit length; spatial only
};

/// Signals beside those of a body: force_x..., of what moves it on it, and the torque about its reference point. Throws
/// Error where a law reads what moves.
Place add_support(Model& model, const std::string& name, const Support& support);

}  // namespace perilune::model
