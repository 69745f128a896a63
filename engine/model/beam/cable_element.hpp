// SPDX-License-Identifier: MIT
// Beam element of Euler and Bernoulli by absolute nodal coordinates, without shear and torsion (Ebrahimi 2019, section
// 2): a cubic line between two nodes with positions and slopes as coordinates, q = (r_i, t_i, r_j, t_j) with t = dr/dx,
// x the undeformed arc length from 0 to l. All its energies are integrals over quadratic forms of the four vectors.
#pragma once
#include "model/beam/cable_axial.hpp"
#include "model/beam/cable_bending.hpp"
#include "model/beam/cable_curved.hpp"
#include "model/beam/cable_shapes.hpp"
