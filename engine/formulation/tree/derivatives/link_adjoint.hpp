// SPDX-License-Identifier: MIT
// What adjoints of a link in space are, and how those of its coordinates in a system become these.
#pragma once
#include <span>

#include "formulation/tree/four.hpp"
#include "formulation/tree/hinged_tree.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

/// Adjoints of a motion of a link whose origin is o: of a turn of its axes, of o, and of omega, v, alpha and a of o and
/// the virtual motion of o as these axes see them.
struct MotionAdjoint {
  Four xi, o, omega, v, alpha, a, mu_omega, mu_v;
};

/// A link in a sweep for adjoints.
struct LinkAdjoint {
  MotionAdjoint of;     // with all that hangs on the link
  Columns N;            // its own inertia about o, in space
  Four first_moment;    // mass times the centre's place from o
  Four mu_omega, mu_v;  // virtual motion, of o
  Four moment, force;   // that drive it
  double push, rate;    // on its joint; of its joint, s
};

PERILUNE_INLINE Four conjugate(const Four& p) { return p * four(1, -1, -1, -1); }
/// Of b p* the vector part, and the scalar part.
PERILUNE_INLINE Four turning_part(const Four& b_by_p) { return shuffled<1, 2, 3, 0>(b_by_p) * four(1, 1, 1, 0); }

/// Adds what adjoints of a body's coordinates are worth: q, v, a and mu, seven numbers each, of r and p. Here rho is
/// r - o and, of an ordinary point of a motion, p = (0, omega) p / 2, p'' = (0, alpha) p / 2 - |omega|^2 p / 4, and mu
/// goes like v.
struct BodyMotion {
  Four p, rho, omega, v_r, alpha, a_r, mu_omega, mu_r;
};
PERILUNE_INLINE void add_position(const BodyMotion& x, const double* seed, MotionAdjoint& to) {
  const Four of_r = three_at(seed), of_p = product(four_at(seed + 3), conjugate(x.p));
  to.o += of_r;
  to.xi += cross(x.rho, of_r) + all(0.5) * turning_part(of_p);
}
PERILUNE_INLINE void add_rate(const Four& p, const Four& rho, const Four& omega, const Four& v_r, const double* seed,
                              Four& to_xi, Four& to_omega, Four& to_v) {
  const Four of_r = three_at(seed), of_p = product(four_at(seed + 3), conjugate(p)), turning = turning_part(of_p);
  to_v += of_r;
  to_omega += cross(rho, of_r) + all(0.5) * turning;
  to_xi += cross(v_r, of_r) + all(0.25) * (cross(omega, turning) - all(of_p[0]) * omega);
}
PERILUNE_INLINE void add_velocity(const BodyMotion& x, const double* seed, MotionAdjoint& to) {
  add_rate(x.p, x.rho, x.omega, x.v_r, seed, to.xi, to.omega, to.v);
}
PERILUNE_INLINE void add_virtual(const BodyMotion& x, const double* seed, MotionAdjoint& to) {
  add_rate(x.p, x.rho, x.mu_omega, x.mu_r, seed, to.xi, to.mu_omega, to.mu_v);
}
/// By accelerations alone: moment about o and force.
PERILUNE_INLINE void add_drive(const BodyMotion& x, const double* seed, Four& moment, Four& force) {
  const Four of_r = three_at(seed);
  force += of_r;
  moment += cross(x.rho, of_r) + all(0.5) * turning_part(product(four_at(seed + 3), conjugate(x.p)));
}
PERILUNE_INLINE void add_acceleration(const BodyMotion& x, const double* seed, MotionAdjoint& to) {
  const Four of_r = three_at(seed), of_p = product(four_at(seed + 3), conjugate(x.p)), turning = turning_part(of_p);
  to.a += of_r;
  to.alpha += cross(x.rho, of_r) + all(0.5) * turning;
  to.omega += cross(cross(x.omega, x.rho), of_r) + cross(x.rho, cross(of_r, x.omega)) - all(0.5 * of_p[0]) * x.omega;
  to.xi += cross(x.a_r, of_r) + all(0.25) * (cross(x.alpha, turning) - all(of_p[0]) * x.alpha) -
           all(0.125 * dot(x.omega, x.omega)) * turning;
}

PERILUNE_INLINE BodyMotion body_motion(const HingedState& s, const LinkAdjoint& own) {
  BodyMotion x;
  x.p = s.p;
  x.rho = s.reference;
  x.omega = s.omega;
  x.v_r = s.v + cross(s.omega, s.reference);
  x.alpha = s.alpha;
  x.a_r = s.a + cross(s.alpha, s.reference) + s.turning;
  x.mu_omega = own.mu_omega;
  x.mu_r = own.mu_v + cross(own.mu_omega, s.reference);
  return x;
}

// The sweeps, in wide registers where there are any (hinged_tree.hpp).
/// Inwards: adjoints of accelerations as forces on the links.
void gather_drives(const HingedLinks& links, std::span<LinkAdjoint> own, const AdjointNode& y, bool is_wide);
/// Outwards: virtual motions, where those of free bodies are known, also as numbers like velocities.
void move_virtually(const HingedLinks& links, std::span<LinkAdjoint> own, double* mu, bool is_wide);
/// Inwards: adjoints of coordinates and rates from those of all motions. z stacks those of positions and velocities; of
/// bodies zeros remain. `applied`: generalized forces.
void gather_adjoints(const HingedLinks& links, std::span<LinkAdjoint> own, const Node& x, const AdjointNode& y, int n,
                     const double* applied, bool is_wide);
/// Before the inertias of the links are articulated.
void keep_inertias(const HingedLinks& links, std::span<LinkAdjoint> own, bool is_wide);

}  // namespace perilune::formulation

#pragma GCC diagnostic pop
