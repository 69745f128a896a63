// SPDX-License-Identifier: MIT
// Rigid bodies; those in natural coordinates are in natural_bodies.hpp. `at` and `velocity` are those of the reference
// point, the origin of the body frame, at the start; `center_of_mass` is in the body frame (m), empty where it is the
// reference point. The inertia is about the centre of mass, parallel to the body axes.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A planar rigid body: coordinates x, y of the reference point (m) and `angle` (rad).
Place add_planar_body(Model& model, const std::string& name, const Symbol& mass, const Symbol& inertia,
                      const Vector& at, const Symbol& angle, const Vector& velocity, const Symbol& angular_velocity,
                      const Vector& center_of_mass = {});

/// A spatial rigid body: coordinates x, y, z of the reference point and Euler parameters e0..e3.
/// inertia: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz (kg m^2; products with the sign of the tensor's entries). orientation: 4
/// Euler parameters (normalized by assembly). angular_velocity: body frame.
Place add_spatial_body(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                       const Vector& at, const std::vector<Symbol>& orientation, const Vector& velocity,
                       const Vector& angular_velocity, const Vector& center_of_mass = {});

/// Throws Error for mass properties that no spatial body has, and keeps what parameters can break.
void check_spatial_mass(Model& model, const std::string& name, const Symbol& mass, const std::vector<Symbol>& inertia,
                        const Vector& center_of_mass);
/// com_x, ...: where the centre of mass is (m).
void add_center_of_mass_signals(Model& model, const Place& body, const Vector& center_of_mass);

/// How pictures show a body that was declared.
void set_shapes(Model& model, const Place& body, const std::vector<Shape>& shapes);

}  // namespace perilune::model
