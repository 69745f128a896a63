// SPDX-License-Identifier: MIT
// Rolling without slip as a constraint: wheels and balls on planes, terrain, balls and cylinders.
#pragma once
#include <variant>

#include "model/contact/contact_gap.hpp"

namespace perilune::model {

/// About the z axis of a's place; spatial models only.
struct Cylinder {
  Symbol radius;
};

/// What rolls about its place b keeps touching the surface of a, where it does not slip against it:
///   gap = 0, t.(v_b + omega_b x arm_b - v_a - omega_a x arm_a) = 0 along two directions t of the surface.
/// In the plane on a line or a circle the second follows from one of positions, which is what is kept.
struct Rolling {
  Place a, b;
  std::variant<Plane, Terrain, Ball, Cylinder> surface;
  bool is_inside = false;  // of the ball or cylinder, which is hollow
  Symbol radius;
  Vector axis = {};  // of a wheel, in the body frame of b, unit length; empty: a ball (in the plane there is no other)
  Symbol crown = 0.0;  // of a wheel: the radius of its edge in a section along its axis
  bool spins = true;   // may turn about the normal
};

/// Signals normal_force, longitudinal_force, lateral_force, friction_x..., x, y, z, speed. Throws Error where places do
/// not suit, the wheel lies flat on the surface, or starts far from it.
void add_rolling(Model& model, const std::string& name, const Rolling& rolling);

}  // namespace perilune::model
