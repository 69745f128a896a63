// SPDX-License-Identifier: MIT
// Momenta of a model: of its coordinates, and those that moving and turning the whole of it in space conserves.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// M v of an element with mass, by its coordinates; empty for elements without, and for first-order states.
Vector element_momenta(const Model& model, const Element& element);
/// Names of the elements that count; empty: all.
using Members = std::set<std::string>;
/// Linear momentum (N s), by axes of space.
Vector linear_momentum(const Model& model, const Members& of = {});
/// Angular momentum about the origin of space (N m s); one number, about z, in the plane.
Vector angular_momentum(const Model& model, const Members& of = {});
/// J.
Symbol kinetic_energy(const Model& model, const Members& of = {});
/// kg, and the centre of mass in space (m).
Symbol mass_of(const Model& model, const Members& of);
Vector center_of_mass(const Model& model, const Members& of);
/// mass, com_x, momentum_x, angular_momentum_x, kinetic_energy and their like as signals of `name`. Throws Error where
/// a member has no mass.
void add_group_signals(Model& model, const std::string& name, const Members& of);

}  // namespace perilune::model
