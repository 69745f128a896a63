// SPDX-License-Identifier: MIT
// Joints, and the elementary constraints that they are made of.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A joint between the markers a and b. kind: one of joint_kinds() (joint_kinds.hpp). One with a thread moves by `lead`
/// (m) per turn, from the declared position; others have none. Signals: the relative coordinates that it leaves free
/// (angle of b's x axis from a's about z, full turns counted; displacement of b along a's z axis, along x in the
/// plane), and force_x..., torque_x...: what the joint does to b, at b's place, along a's axes.
void add_joint(Model& model, const std::string& kind, const std::string& name, const Place& a, const Place& b,
               const Symbol* lead = nullptr);

/// |rB - rA|^2 - L^2 = 0. Without a length it is the distance of the declared positions.
void add_distance(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol* length);
/// rB - rA = 0: a planar revolute or a spherical joint, without the signals of a joint.
void add_coincidence(Model& model, const std::string& name, const Place& a, const Place& b);
/// The angle between an axis of a and an axis of b (their local directions, of unit length) has this cosine.
void add_dot1(Model& model, const std::string& name, const Place& a, const Vector& on_a, const Place& b,
              const Vector& on_b, const Symbol& cosine);
/// The component of r_B - r_A along a unit direction of a is `distance` (m).
void add_dot2(Model& model, const std::string& name, const Place& a, const Vector& on_a, const Place& b,
              const Symbol& distance);

}  // namespace perilune::model
