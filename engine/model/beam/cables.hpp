// SPDX-License-Identifier: MIT
// Flexible lines by absolute nodal coordinates, and what holds their slopes.
#pragma once
#include <string>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

/// How the axial force follows from the coordinates (cable_element.hpp).
enum class CableAxial { Chord, Green, Printed };

/// A straight, uniform line that is declared without load. It may turn and move like a rigid body at the start.
struct CableShape {
  Vector from, to;                                             // its ends (m)
  int elements = 1;                                            // of equal length
  Symbol mass_per_length, axial_stiffness, bending_stiffness;  // kg/m, N, N m^2
  Symbol damping;                                              // s: stress is E (strain + damping strain')
  CableAxial axial = CableAxial::Chord;
  Vector velocity;          // of its first end (m/s)
  Vector angular_velocity;  // rad/s: 1 component in the plane, 3 in space
};

/// Declares nodes name_1, name_2, ... with the coordinates x, y (and z) and slope_x, slope_y (slope_z), and the
/// elements between them. Returns the nodes, points that anything may attach to. Signals: name.strain_energy, that of
/// bending and, unless printed, of stretching (J); name.length, the sum of the chords (m).
std::vector<Place> add_cable(Model& model, const std::string& name, const CableShape& shape);

/// Whether a point is a node with a slope, which the coordinates behind its own are.
bool has_slope(const Model& model, const Place& point);

/// Clamps a node to a body or the ground where it is declared: its position and its slope stay what they are in the
/// body's frame (Ebrahimi 2019, (42)). The slope's length stays, too: a clamped end does not stretch. Multipliers:
/// lambda_x... (N) in the direction of space, and slope_x... (N m) along the body's axes.
void add_clamp(Model& model, const std::string& name, const Place& node, const Place& body);

}  // namespace perilune::model
