// SPDX-License-Identifier: MIT
// Cams: a profile that turns with one body and guides another by a roller, a knife edge or a flat face.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// In the plane through a's place normal to its z axis; the profile is polar about that place, from its x axis on.
///   c(phi) = R(phi) (cos phi, sin phi), with the normal n(phi) outwards
/// A roller of the radius r about b's place (0: a knife edge) touches where (b - c).c' = 0, and keeps (b - c).n = r. A
/// flat face through b's place, whose normal f points to the cam, touches where f.c' = 0, and keeps (b - c).f = 0.
struct Cam {
  Place a, b;
  Symbol profile;       // R (m), an expression of profile_angle() and parameters
  Symbol radius = 0.0;  // r
  Vector face = {};     // f, in the frame of b, of unit length; empty: a roller
  bool guides_both_ways = false;
};

/// What a profile is an expression of: from 0 to 2 pi around the cam, then again from 0.
Symbol profile_angle(Graph& graph);

/// Signals normal_force, force_x..., x, y, z, curvature, and the coordinate angle (phi). Throws Error where the profile
/// does not close, is not positive, reads what moves, or where b starts far from it.
void add_cam(Model& model, const std::string& name, const Cam& cam);

}  // namespace perilune::model
