// SPDX-License-Identifier: MIT
// Springs, dampers, actuators and stops: along a line, or along any expression of positions.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// What a spring, damper and actuator do against the growth of a length or an angle (N or N m): the sum of the three,
/// expressions of the length or angle, its rate and anything else that a law may read.
struct Resistance {
  Symbol elastic = 0.0, viscous = 0.0, actuator = 0.0;
  Symbol potential = 0.0;  // energy stored by `elastic` (J)
};

/// Limits of a length, an angle or a displacement s (nullptr: none). Contact begins at the limit, with a force of
/// stiffness * penetration + damping * its rate against it. With a width w > 0 the penetration d > 0 counts as
/// w (u^3 - u^4 / 2) for u = d / w < 1 and as d - w / 2 beyond (C2 in s), and damping is scaled by the slope of that.
struct BumpStop {
  const Symbol* lower = nullptr;
  const Symbol* upper = nullptr;
  Symbol stiffness = 0.0, damping = 0.0;
  const Symbol* width = nullptr;  // nullptr: sharp
};

/// A spring, damper and actuator along the line from a to b: the force on b towards a is
///   f = stiffness (l - free_length) + damping l' + force + what `more` says of the length l and its rate l'.
/// Without a free length it is the distance of the declared positions. The numbers are expressions of parameters, an
/// element with derivatives by hand; `more` is a law beside it, where there is any. Signals length, rate, force,
/// dissipation. Throws Error where both are on one object or nothing moves.
void add_spring(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol& stiffness,
                const Symbol* free_length, const Symbol& damping, const Symbol& force, const Resistance& more = {});
/// The same by a law on an angle, an expression of positions (rad): the torque works on what the angle depends on, such
/// as both bodies of a joint. Signals angle, rate, torque, dissipation. `turns`: else it is a displacement (m), and the
/// torque a force along it (N).
void add_torsion_spring(Model& model, const std::string& name, const Symbol& angle, const Resistance& resistance,
                        bool turns = true);
/// Stops of `measure`, an expression of positions. Signals force (against its growth), dissipation.
void add_bump_stop(Model& model, const std::string& name, const Symbol& measure, const BumpStop& stop);

}  // namespace perilune::model
