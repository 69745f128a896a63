// SPDX-License-Identifier: MIT
// Tires: a wheel on a plane or a terrain, with a normal spring-damper and, where wanted, slip forces.
#pragma once
#include <optional>

#include "model/contact/contact.hpp"

namespace perilune::model {

/// Forces along the ground (Zhu 2014, eqs. 5.7 to 5.10) with the normal force N:
///   F_x = mu_x N clip(kappa / kappa_c), F_y = mu_y N clip(alpha / alpha_c), both scaled onto the ellipse
///   (F_x / mu_x)^2 + (F_y / mu_y)^2 = N^2 where they lie outside; clip(s) = min(max(s, -1), 1).
struct TireSlip {
  Symbol friction_x = 1.0, friction_y = 1.0;  // mu_x along the wheel's path, mu_y across
  Symbol critical_slip = 0.1;                 // kappa_c
  Symbol critical_angle = 0.1;                // alpha_c, rad
  Symbol least_speed = 0.1;                   // m/s; slips are relative to no less speed than this
};

/// N = max(0, K d + D d') for d = radius - r > 0, with the distance r of the wheel centre from the ground.
struct Tire {
  Place ground, wheel;  // the wheel's place is its centre
  Vector axis;          // of the wheel, in its body frame, unit length
  Symbol radius, stiffness, damping = 0.0;
  /// A plane, or a terrain; where that is vertical, N acts along the z axis of ground whatever the slope.
  Surface surface;
  std::optional<TireSlip> slip;
};

/// A wheel on the ground; spatial models only. Signals deflection, normal_force, dissipation; with slip forces slip,
/// slip_angle, longitudinal_force, lateral_force. Throws Error where the wheel is none, or starts under the ground.
void add_tire(Model& model, const std::string& name, const Tire& tire);

}  // namespace perilune::model
