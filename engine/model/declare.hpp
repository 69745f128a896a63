// SPDX-License-Identifier: MIT
// What functions that declare something have in common.
#pragma once
#include <functional>

#include "model/model.hpp"

namespace perilune::model {

/// Throws Error unless the vector has as many components as the model has dimensions. what: "ground: at".
void check_dimension(const Model& model, const Vector& vector, const char* what);
/// Numbers of expressions of parameters, at the parameters' present values.
std::vector<double> present_values(const Model& model, const Vector& expressions);
/// Throws Error naming the owner if the values have a fault now, and keeps the requirement if parameters can change
/// them.
void require(Model& model, const std::string& owner, const Vector& values,
             std::function<std::string(const double*)> fault);
/// What the numbers of a law must fulfil, for whoever uses the law.
struct Check {
  Vector values;
  std::function<std::string(const double* values)> fault;
};
void require(Model& model, const std::string& owner, const std::vector<Check>& checks);
/// An element of the registry, with expressions of parameters as its data.
void add_element(Model& model, std::string type, const std::string& name, std::vector<int> coordinates,
                 std::vector<int> multipliers, const std::vector<Symbol>& data);
/// One that keeps the coordinates of the object of its name consistent, without data.
void add_inner_constraint(Model& model, std::string type, const std::string& name, std::vector<int> coordinates,
                          std::vector<int> multipliers);
/// Returns whether a stands before b in the element; the registry has one order of every pair.
bool add_two_place_element(Model& model, const std::string& kind, const std::string& name, const Place& a,
                           const Place& b, const std::vector<int>& multipliers, const std::vector<Symbol>& extra_data);

/// `count` numbers from `first` on.
std::vector<int> consecutive(int first, int count);
/// Of these coordinates: declared positions and velocities, positions, velocities, accelerations.
Vector initial_coordinates(const Model& model, const std::vector<int>& coordinates);
Vector initial_velocities(const Model& model, const std::vector<int>& coordinates);
Vector coordinate_symbols(const Model& model, const std::vector<int>& coordinates);
Vector velocity_symbols(const Model& model, const std::vector<int>& coordinates);
Vector acceleration_symbols(const Model& model, const std::vector<int>& coordinates);

}  // namespace perilune::model
