// SPDX-License-Identifier: MIT
// Momenta of a model: of its coordinates, and those that moving and turning the whole of it in space conserves.
#pragma once
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

/// M v of an element with mass, by its coordinates; empty for elements without, and for first-order states.
Vector element_momenta(const Model& model, const Element& element);
/// Linear momentum (N s), by axes of space.
Vector linear_momentum(const Model& model);
/// Angular momentum about the origin of space (N m s); one number, about z, in the plane.
Vector angular_momentum(const Model& model);

}  // namespace perilune::model
