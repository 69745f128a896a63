// SPDX-License-Identifier: MIT
// Flexible lines by absolute nodal coordinates, and what holds their slopes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/beam/beam_line.hpp"

namespace perilune::model {

/// How the axial force follows from the coordinates (cable_element.hpp).
enum class CableAxial { Chord, Green, Printed };

/// A uniform line, in the plane also a curved one, that is declared without load. It may turn and move like a rigid
/// body at the start.
struct CableShape {
  BeamCourse course;
  Symbol young, density, area, second_moment;  // Pa, kg/m^3, m^2, m^4
  std::optional<Symbol> fibre;                 // m, from the line to the outermost fibre; for stresses
  Symbol damping;                              // s: stress is E (strain + damping strain')
  CableAxial axial = CableAxial::Chord;        // of straight ones
  Vector velocity;                             // of its first end (m/s)
  Vector angular_velocity;                     // rad/s: 1 component in the plane, 3 in space
};

/// One that was declared.
struct Cable {
  CableShape shape;
  BeamLine line;
  std::vector<Place> nodes;
  std::vector<Vector> natural;  // the coordinates of each element as declared; none where it is straight
};

/// Declares nodes name_1, name_2, ... with the coordinates x, y (and z) and slope_x, slope_y (slope_z), and the
/// elements between them (cable_element.hpp). Its nodes are points that anything may attach to. Signals:
/// name.strain_energy, that of bending and, unless printed, of stretching (J); name.length, the sum of the chords (m).
const Cable& add_cable(Model& model, const std::string& name, const CableShape& shape);

/// The one of this name, or null.
const Cable* find_cable(const Model& model, const std::string& name);

/// Clamps a node to a body or the ground where it is declared: its position and the direction of its slope stay what
/// they are in the body's frame. Unlike the source's weld (Ebrahimi 2019, (42)), which holds the slope's length, too,
/// the end may stretch, so that a uniform pull gives a uniform strain. Multipliers: lambda_x... (N) in the direction of
/// space, slope_1 (and slope_2) (N m) along normals of the declared slope.
void add_clamp(Model& model, const std::string& name, const Place& node, const Place& body);

}  // namespace perilune::model
