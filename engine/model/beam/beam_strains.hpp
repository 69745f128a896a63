// SPDX-License-Identifier: MIT
// Strains of a beam with shear and torsion between two sections, as expressions of the bodies that the sections are.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// Of a line between two sections whose strains do not change on its way: a helix, in the plane an arc of a circle. The
/// sections' x axes are along the undeformed line. Valid below a whole turn between the two.
struct BeamStrains {
  Vector stretch;    // Gamma = R^T r' - e_1: elongation and shear, in the plane 2 components, in space 3 (-)
  Vector curvature;  // K (1/m): in the plane 1 component; in space torsion, then bending about the sections' y and z
};

/// a, b: coordinates of the bodies (planar 3 or spatial 7) at the ends of an element of the length l (m). Moving both
/// as one rigid body changes no strain, however far it turns.
BeamStrains beam_strains(const Vector& a, const Vector& b, const Symbol& l);

}  // namespace perilune::model
