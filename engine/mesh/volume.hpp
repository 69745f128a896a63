// SPDX-License-Identifier: MIT
// What a closed surface encloses, as integrals over its volume.
#pragma once
#include <string>

#include "mesh/shells.hpp"

namespace perilune::mesh {

/// In the unit of the file and its powers, along its axes.
struct Volume {
  double volume = 0, area = 0;
  Point center = {};                   // of the volume
  std::array<double, 6> inertia = {};  // about the centre, of the density 1: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz
  Point lowest = {}, highest = {};     // corners of the box around it
  bool is_inside_out = false;          // as the file has it: its integrals were negative
};

/// Exact up to rounding, by tetrahedra between the triangles and a point near them. Shells inside others are cavities
/// if their triangles face inwards. Throws Error where a surface is not closed, encloses nothing, or a shell would
/// count twice or be subtracted from nothing.
Volume volume_of(const Mesh& mesh);

}  // namespace perilune::mesh
