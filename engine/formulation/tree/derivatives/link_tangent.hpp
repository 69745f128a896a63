// SPDX-License-Identifier: MIT
// How links in space vary in one direction of a point's proposals and data, or in several at once.
#pragma once
#include <span>

#include "formulation/tree/derivatives/directions.hpp"
#include "formulation/tree/derivatives/link_adjoint.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

/// Of a link whose origin is o: a turn xi of its axes, and as these see them, o's motion and accelerations, and the
/// moment about o and force by its joint, which at the point itself are the `joint_` ones.
template <class Direction>
struct LinkTangent {
  using Vector = typename Direction::Vector;
  using Number = typename Direction::Number;
  Vector xi, o, omega, v, alpha, a, moment, force;
  Vector by_rest_alpha, by_rest_a;  // of alpha and a what the joints' second rates make
  Vector by_parent, by_link;        // the shift of the hinge on its bodies
  Number angle, push, second;       // of the joint
  bool is_shifted;
};
struct JointWrench {
  Four moment, force;
};
/// What a link is asked for, beside what its neighbours need; and whether it is pulled by forces, or data of its body
/// change what does.
struct LinkWants {
  bool motion, accelerations, multipliers, is_pulled;
};

template <class Direction>
struct TangentSweep {
  const HingedLinks& links;
  std::span<const LinkAdjoint> own;  // own inertias
  std::span<const JointWrench> joints;
  std::span<const LinkWants> wants;
  std::span<LinkTangent<Direction>> tangents;
  int n;
  Direction direction;
};

/// What joints bear at the point itself.
void bear_joints(const HingedLinks& links, std::span<JointWrench> joints, bool is_wide);
// Each of OneDirection and Directions<2 to 4>.
/// Outwards: motions of links, without the joints' second rates, as far as dq and dv of the joints make them, where
/// those of free bodies and the shifts of hinges are known; dq and dv of bodies in z.
template <class Direction>
void move_tangents(const TangentSweep<Direction>& sweep, const Node& x, double* z, bool is_wide);
/// Inwards: what the joints bear then. `applied`: generalized forces (n), `more`: their tangents (as z), or null both.
template <class Direction>
void gather_tangents(const TangentSweep<Direction>& sweep, const double* applied, const double* more, bool is_wide);
/// Outwards: accelerations, where those of free bodies are known, to da in `a` (as z).
template <class Direction>
void accelerate_tangents(const TangentSweep<Direction>& sweep, double* a, bool is_wide);
/// Inwards: of the multipliers that HingedTree finds, to `lambda` (as z). z: with the tangents of all coordinates.
template <class Direction>
void find_multiplier_tangents(const TangentSweep<Direction>& sweep, std::span<const Link> tree, const Node& x,
                              const double* z, const double* applied, const double* more, double* lambda, bool is_wide);

}  // namespace perilune::formulation

#pragma GCC diagnostic pop
