// SPDX-License-Identifier: MIT
// Contact of points, spheres and ellipsoids with planes, terrain, balls and boxes: laws, and what a contact is made of.
#pragma once
#include <optional>

#include "model/contact/contact_gap.hpp"
#include "model/declare.hpp"
#include "model/friction/friction.hpp"

namespace perilune::model {

/// Force against penetration. With the depth d > 0 (m) and its rate v (m/s) it is
///   F = max(0, K d^n (1 + 3/2 alpha v) + D min(1, d / w) (v > 0 ? 1 : c) v).
struct NormalLaw {
  Symbol stiffness = 0.0;         // K, N/m^n
  std::optional<Symbol> modulus;  // E*, Pa: instead, K = 4/3 E* sqrt(R) with the radius R of the contact
  Symbol exponent = 1.0;          // n
  Symbol dissipation = 0.0;       // alpha, s/m
  Symbol damping = 0.0;           // D, N s/m
  Symbol restitution = 1.0;       // c
  std::optional<Symbol> width;    // w, m; without it damping begins at once
};

/// Velocity of the point of the place's body at the end of an arm (in space) from it; a point does not turn.
Vector velocity_at(const Model& model, const Place& place, const Vector& arm);
/// Whether the place is on something that turns.
bool turns(const Place& place);

/// Throws Error where the distance of b from a surface is not finite.
void check_defined(const std::string& who, const Place& b, double distance);

/// The places b against the surface of a.
struct Contact {
  Place a;
  std::vector<Place> b;
  Round round;
  Surface surface;
  NormalLaw normal;
  Friction friction;
  std::vector<Check> checks = {};  // of both laws
};

/// Contact of points, spheres or ellipsoids with a surface. Signals gap, normal_force, dissipation; with friction
/// friction_x...; of a single place slip_x.... Throws Error when one starts deep under the surface.
void add_contact(Model& model, const std::string& name, const Contact& contact);
/// Throws Error where places do not suit the surface, or a terrain what touches it. what: "contact".
TerrainSwitches check_contact(Model& model, const char* what, const std::string& name, const Contact& contact);

}  // namespace perilune::model
