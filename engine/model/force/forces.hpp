// SPDX-License-Identifier: MIT
// Forces given by expressions: gathered in space as generalized forces on coordinates, and declared as elements.
#pragma once
#include <map>

#include "model/model.hpp"

namespace perilune::model {

/// Expressions of generalized force by coordinate. Forces in N and torques in N m, components in space; a torque has 1
/// component in a planar model and 3 in a spatial one. What acts on ground has no effect. Throws Error when a place
/// does not fit.
class GeneralizedForce {
 public:
  explicit GeneralizedForce(Model& model) : model_(model) {}

  void add_force(const Place& on, const Vector& force);
  /// On the body of the place.
  void add_torque(const Place& on, const Vector& torque);
  /// The force at b and its opposite on the body of a at the same point of space, so that the pair has no moment. Where
  /// a is a point, the opposite acts at that point.
  void add_force_pair(const Place& a, const Place& b, const Vector& force);
  void add_torque_pair(const Place& a, const Place& b, const Vector& torque);
  /// The force conjugate to a scalar, an expression of positions: it does the work force * (change of `measure`).
  void add_along(const Symbol& measure, const Symbol& force);
  /// The force conjugate to a rate, an expression linear in velocities: its power is force * rate.
  void add_along_rate(const Symbol& rate, const Symbol& force);
  void add_on_coordinate(int coordinate, const Symbol& force);

  const std::map<int, Symbol>& terms() const { return terms_; }

 private:
  void add_all(const int* coordinates, const Vector& force);

  Model& model_;
  std::map<int, Symbol> terms_;
};

/// Of all that it acts on (W): positive where it does work on the mechanism.
Symbol power_of(const Model& model, const GeneralizedForce& force);

/// (r_b - r_a) x force: planar 1 component, spatial 3.
Vector moment(const Vector& arm, const Vector& force);

/// User law: force components (space frame, N) at a place and, for bodies, a torque (N m; planar 1, spatial 3
/// components in space). The expressions may read time, coordinates, velocities and parameters.
void add_force(Model& model, const std::string& name, const Place& on, const Vector& force, const Vector& torque);
/// The same with its reaction on another body: the opposite torque, and the opposite force at the same point of space
/// (at the point itself where `reaction_on` is a point). Empty force or torque: none.
void add_force_pair(Model& model, const std::string& name, const Place& on, const Place& reaction_on,
                    const Vector& force, const Vector& torque);

/// Any generalized force, as a law element. `potential`: the energy that it stores, for the energy signals. what: one
/// of registered_laws() (element/registry.hpp), in words: "bump stop".
void add_law(Model& model, const std::string& name, const char* what, const GeneralizedForce& force,
             const Symbol& potential = 0.0);
/// The element of a law, for who adds it. Throws Error where the force acts on nothing or reads what no law can.
Element law_element(const Model& model, const std::string& name, const char* what, const GeneralizedForce& force);

}  // namespace perilune::model
