// SPDX-License-Identifier: MIT
// Beams with shear and torsion, whose nodes are rigid bodies.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/beam/beam_line.hpp"
#include "model/beam/beam_strains.hpp"
#include "model/beam/section.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// A uniform beam, straight or curved, that is declared without load. It may turn and move like a rigid body at the
/// start.
struct ShearBeamShape {
  BeamCourse course;                  // of two elements at least
  Symbol young, poisson, density;     // Pa, -, kg/m^3
  Section section;                    // in space with a torsion constant; `across` is for bending about y
  Symbol shear_factor;                // the share of the area that carries shear
  std::optional<Vector> up;           // in space: near the section's y axis, in which its height is, all along the beam
  Symbol damping;                     // s: stress is E (strain + damping strain')
  Vector velocity, angular_velocity;  // of its first end (m/s), and in space (rad/s: planar 1 component)
};

/// One that was declared.
struct ShearBeam {
  ShearBeamShape shape;
  BeamLine line;
  std::vector<Place> nodes;
  std::vector<BeamStrains> natural;  // of the elements as declared, which strain nothing; none where it is straight
};

/// Geometrically exact (Reissner 1972, Simo 1985): elements whose strains (beam_strains.hpp) do not change on their
/// way, so that no motion as a rigid body strains them. To the compliance in shear, 1 / (k G A), the element adds
/// l^2 / (12 E I), what bending that changes along it gives (MacNeal 1978): a straight beam loaded at its nodes bends
/// exactly as Timoshenko's theory has it whatever the number of elements, and slender ones do not lock. The mass is in
/// the nodes, with the weights of Gregory's quadrature (node_weights), so that the centre of mass and the moment of
/// inertia of a straight one are the line's, and frequencies of bending are of fourth order. A curved one is stressed
/// by the difference to its strains as declared; without `up` its sections do not turn about it on their way.
///
/// Nodes name_1, name_2, ... are bodies whose x axis is along the beam. Signals: name.strain_energy (J), name.length,
/// the sum of the chords (m).
const ShearBeam& add_shear_beam(Model& model, const std::string& name, const ShearBeamShape& shape);

/// The one of this name, or null.
const ShearBeam* find_shear_beam(const Model& model, const std::string& name);

/// What a cross-section does. Forces and moments are along the axes of the section, on the part towards the first end.
struct ShearBeamStation {
  Vector position, slope;  // r (m) and r'; the cubic through the element's ends and their directions
  Vector forces;           // axial force and shear (N): planar 2, spatial 3
  Vector moments;          // N m: planar 1; spatial torque, about y, about z
  Symbol strain;           // of the line
  Symbol curvature;        // 1/m, of bending; in space its length, with 1e-9 over the element's length as a square
  Symbol energy;           // of all strains, J/m
};
ShearBeamStation station_of(const Model& model, const ShearBeam& beam, const BeamSpot& spot);
/// Strain by bending at the section's outermost fibre, on the side where it is longer: of one that bends unlike about
/// its axes at a corner, where both add up. Nothing where the section does not say where its fibres are. Of such a
/// section each part is never exactly zero, where it would have no derivative: 1e-9 over the element's length is added
/// to the curvature as a square.
std::optional<Symbol> outer_strain(const ShearBeam& beam, const BeamSpot& spot, const ShearBeamStation& at);
/// Shear stress of torsion (Pa) where it is largest in the section, of the torque's sign, without what hinders the
/// section from warping. Nothing in the plane, and where the section has no torsion modulus.
std::optional<Symbol> torsion_stress(const ShearBeam& beam, const ShearBeamStation& at);
/// sqrt(n^2 + 3 t^2) (Pa) with the largest stress n of elongation and bending, `bent` being the strain of bending, and
/// the largest t of torsion. Where both are in one place, as in circles and tubes, it is von Mises' there; it is above
/// that in others. Without what shear forces add.
Symbol von_mises_stress(const Symbol& young, const Symbol& strain, const Symbol& bent, const Symbol& torsion);

}  // namespace perilune::model
