// SPDX-License-Identifier: MIT
// What motors, drivers and springs of angles do, as arrows of pictures show it.
#pragma once
#include "output/scene/scene.hpp"

namespace perilune::output {

/// A motor, a driver, or a spring of an angle, and one of the bodies that it moves: of two the one declared last.
struct DriveSource {
  /// How the nodes give what acts on the body.
  enum class Form {
    AboutAxis,  // a torque about the z axis of the place
    Torque,     // a torque along the axes of space: 1 component in the plane, 3 in space
    OnBody,     // generalized forces on its coordinates
    OnSlope,    // the same on the slope of a beam's node; then the slope itself
    Along,  // the force on a coordinate to which the body is tied; then of each tie its slopes by that coordinate, and
            // by the body's Euler parameters if it turns the body, by its position otherwise
  };
  std::string name, kind;  // "motor", "torque"
  bool is_spring;          // nothing drives it
  bool turns;              // a torque (N m), else a force (N)
  SceneEnd at;             // at the joint between what it moves, else the body's reference point
  Form form;
  std::vector<expr::NodeId> nodes;
};

std::vector<DriveSource> drives_of(model::Model& model, const Scene& scene);

/// The torque or the force on the body about the place, in space: from the values of the nodes at the coordinates q.
Triple value_of(const DriveSource& drive, const Scene& scene, const double* q, const std::vector<double>& values);

}  // namespace perilune::output
