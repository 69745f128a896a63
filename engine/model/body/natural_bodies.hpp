// SPDX-License-Identifier: MIT
// Rigid bodies in natural coordinates, and vectors that such bodies have in common. q = (r, u, v, w): the reference
// point and the body axes as vectors of space. What two bodies share needs no constraint: with a point and an axis in
// common they are hinged.
#pragma once
#include <array>
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

/// A free unit vector n of a spatial model: coordinates `name.x`, `name.y`, `name.z` and n.n - 1 = 0. `direction`: at
/// the start, of any length but zero; `angular_velocity`: what turns it at the start (rad/s, in space).
FreeVector add_vector(Model& model, const std::string& name, const Vector& direction, const Vector& angular_velocity);

/// How a body starts and what it shares; empty where nothing is given.
struct NaturalStart {
  Vector at = {}, orientation = {}, velocity = {}, angular_velocity = {};  // as of add_spatial_body
  std::optional<Place> position = {};                  // a point, or a natural body with the same reference point
  std::array<std::optional<FreeVector>, 3> axes = {};  // u, v, w
};

/// The axis u, v, w (0, 1, 2) of a natural body.
FreeVector axis_of_natural(const Place& body, std::size_t axis);

/// A spatial rigid body with the mass properties of add_spatial_body: x, y, z of the reference point and u_x, u_y, ...
/// w_z as far as they are its own. Six constraints keep the axes orthonormal, of which those are left out that shared
/// vectors have already. The mass matrix is constant. Of what is not shared, the start follows from `orientation` and
/// `angular_velocity`; these must agree with what is shared. Without them two shared axes give the third; one is
/// reached from that of space by the shortest turn, and the body does not spin about it. Throws Error where the start
/// contradicts what is shared.
Place add_natural_body(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                       const NaturalStart& start, const Vector& center_of_mass = {});

}  // namespace perilune::model
