// SPDX-License-Identifier: MIT
// How far bodies have turned, by the usual few numbers: expressions of coordinates (rad).
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Roll, pitch and yaw of a spatial body, of the ground or of a marker: A = Rz(yaw) Ry(pitch) Rx(roll), first about z,
/// then about the new y, then about the newest x. Yaw and roll are within half a turn and jump there; pitch is within a
/// quarter. At a quarter turn, where roll and yaw turn about one axis, roll is zero; derivatives have no meaning there.
Vector roll_pitch_yaw(const Model& model, const Place& body);
/// The axis of the turn from the axes of space to those of a body with Euler parameters, times its angle, which is at
/// most half a turn and jumps there: 2 atan(|e| / e0) e / |e|. Components are the same in space and in the body.
Vector rotation_vector(const Model& model, const Place& body);
/// The same turn as its axis, of unit length, and its angle (rad), from 0 to half a turn: three components and one.
/// Both are rounded off where the angle is below some 1e-13 rad, where the axis is zero; it jumps to its opposite at
/// half a turn.
Vector axis_angle(const Model& model, const Place& body);
/// The turn of b from a, bodies or markers, about `axis`, a direction in the frame of a: that part of the turn which
/// is about the axis (the twist of swing and twist), within half a turn, where it jumps. Undefined where b lies half
/// a turn about a normal of the axis. In the plane, where the axis is empty, the difference of the angles; full turns
/// count.
Symbol turn_about(const Model& model, const Place& a, const Place& b, const Vector& axis);

}  // namespace perilune::model
