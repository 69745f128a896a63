// SPDX-License-Identifier: MIT
// Bushings: elastic and damping matrices between two places with axes.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Elastic connection of two places with axes. x holds the displacement of b from a along the axes of a (m) and the
/// turning of b against a: in space twice the vector part of the relative Euler parameters, 2 sin(theta / 2) n, along
/// the axes of a, which bodies with Euler parameters have through half a turn, too; planar the angle (rad). The
/// generalized force on x is -(stiffness x + damping x'), with row-major 6 x 6 or, planar, 3 x 3 matrices, the
/// stiffness symmetric. Signals x, y, z, rx, ry, rz (planar x, y, angle), the forces on b fx, ..., tx, ... (planar fx,
/// fy, torque) conjugate to them, and dissipation.
void add_bushing(Model& model, const std::string& name, const Place& a, const Place& b,
                 const std::vector<Symbol>& stiffness, const std::vector<Symbol>& damping);

}  // namespace perilune::model
