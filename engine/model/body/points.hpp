// SPDX-License-Identifier: MIT
// Points in natural coordinates, and bars between them.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A natural-coordinate point: coordinates `name.x`, `name.y` (and `name.z`), m. `mass` (kg) may be 0.
Place add_point(Model& model, const std::string& name, const Vector& at, const Vector& velocity, const Symbol& mass);

/// A uniform rigid bar between two points (ground or natural-coordinate): consistent mass and constant length.
/// Without a length it is the distance of the declared positions.
void add_bar(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol& mass,
             const Symbol* length);

}  // namespace perilune::model
