// SPDX-License-Identifier: MIT
// Gathers forces and torques in space as generalized forces on coordinates: what every force given by a law is built
// on.
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
  void add_on_coordinate(int coordinate, const Symbol& force);

  const std::map<int, Symbol>& terms() const { return terms_; }

 private:
  void add_all(int first, const Vector& force);
  Vector coordinates(const Place& place, int offset, int count) const;

  Model& model_;
  std::map<int, Symbol> terms_;
};

/// (r_b - r_a) x force: planar 1 component, spatial 3.
Vector moment(const Vector& arm, const Vector& force);

}  // namespace perilune::model
