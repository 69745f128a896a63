// SPDX-License-Identifier: MIT
// What a cross-section of a flexible line does, as expressions of the coordinates.
#pragma once
#include "model/beam/cables.hpp"

namespace perilune::model {

struct CableStation {
  Vector position, slope;  // r (m) and r' = dr/dx
  /// Of the line, as its axial force has it: of the chord, or Green's; the mean of Green's over the element where the
  /// line is curved as declared.
  Symbol strain;
  /// r'' (1/m): in the plane its component along the left normal of r', less that as declared, in space its length,
  /// never exactly zero, as it would have no derivative there: 1e-9 over the element's length is added as a square.
  Symbol curvature;
  Symbol axial_force, moment;  // EA strain (N) and EI curvature (N m), without damping
  Symbol energy;               // of both, J/m
};

CableStation station_of(const Model& model, const Cable& cable, const BeamSpot& spot);

/// The station as a place to attach to, of the beam's name.
Place place_at(const std::string& name, const Cable& cable, const BeamSpot& spot);

}  // namespace perilune::model
