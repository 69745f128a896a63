// SPDX-License-Identifier: MIT
// Constraints stated as expressions: drivers, couplings, and the user's own.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Prescribes an expression of coordinates (a joint's angle, a distance, a coordinate) as an expression of time:
/// what - law = 0. The signal `name.force` is the generalized force that this takes, positive along `what`.
void add_driver(Model& model, const std::string& name, const Symbol& what, const Symbol& law);
/// Ties two relative coordinates: b - ratio * a stays what it is in the declared configuration.
void add_coupling(Model& model, const std::string& name, const Symbol& a, const Symbol& b, const Symbol& ratio);
/// An expression of coordinates, time and parameters that stays zero.
void add_constraint(Model& model, const std::string& name, const Symbol& value);
/// An expression of velocities, linear in these, and of coordinates, time and parameters that stays zero. It need not
/// be the rate of a constraint on positions.
void add_velocity_constraint(Model& model, const std::string& name, const Symbol& value);
/// The constraint value = 0 of an object that has its name already, with a multiplier name.lambda, or another. what:
/// "driver", for the Error where the value reads what it cannot, or no coordinate.
void add_relation_element(Model& model, const std::string& name, const char* what, const Symbol& value,
                          const char* multiplier = "lambda");
/// The same on velocities, and linear in these, which is not checked.
void add_velocity_relation_element(Model& model, const std::string& name, const char* what, const Symbol& value,
                                   const char* multiplier = "lambda");

/// Time derivative of an expression of time, positions and velocities; and its value in the declared configuration,
/// as an expression of parameters (positions only, at time 0).
Symbol time_derivative(const Model& model, const Symbol& value);
Symbol declared_value(const Model& model, const Symbol& value);

}  // namespace perilune::model
