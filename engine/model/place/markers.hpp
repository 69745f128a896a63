// SPDX-License-Identifier: MIT
// Markers. A marker is a place with axes; a body or the ground without axes counts as a marker with those of its frame.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// `place` with a z axis along `z` (spatial; its own frame, any length) and the x axis as near as possible to `x`, or
/// any normal direction if that is empty.
Place with_axis(const Model& model, const Place& place, const Vector& z, const Vector& x = {});
/// The marker of a body that stands at this position of space, with its axes parallel to those of `axes` (3 x 3, as
/// in Place; {} for a place without axes; planar: {angle}), in the declared configuration. It follows the parameters
/// that the position and the declared pose depend on.
Place attach(const Model& model, const Place& body, const Vector& at, const std::vector<Symbol>& axes);
/// Direction of axis k (0: x, 1: y, 2: z) of a marker: in its body's frame, in space, and in space as declared. Throws
/// Error for a point, which has none.
Vector local_axis(const Model& model, const Place& marker, int k);
Vector axis_of(const Model& model, const Place& marker, int k);
Vector initial_axis(const Model& model, const Place& marker, int k);
/// Angle of a planar marker's x axis in the declared configuration; full turns count.
Symbol initial_angle(const Model& model, const Place& marker);
/// A direction of the place's body, as an expression of coordinates in space.
Vector in_space(const Model& model, const Place& place, const Vector& local);
/// The direction `axis` (space, at the declared configuration) expressed in the frame of the place's body.
Vector to_local_direction(const Model& model, const Place& place, const Vector& axis);

}  // namespace perilune::model
