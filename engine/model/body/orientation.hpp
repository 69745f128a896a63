// SPDX-License-Identifier: MIT
// Directions and turning of places in space, as expressions of coordinates.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Axes of a place in space, those of its marker where it has any, as the columns of a row-major matrix: 2 x 2 in a
/// planar model, 3 x 3 in a spatial one. Throws Error for a point, which has none.
Vector orientation(const Model& model, const Place& place);

/// Angular velocity of the place's body in space (rad/s): 1 component in a planar model, 3 in a spatial one.
Vector angular_velocity(const Model& model, const Place& place);

/// matrix^T vector and matrix vector, of a square row-major matrix: to and from the components along its columns.
Vector into_axes(const Vector& matrix, const Vector& vector);
Vector out_of_axes(const Vector& matrix, const Vector& vector);

}  // namespace perilune::model
