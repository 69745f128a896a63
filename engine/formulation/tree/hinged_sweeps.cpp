// SPDX-License-Identifier: MIT
// The sweeps of HingedTree.

#include <cmath>

#include "formulation/tree/derivatives/wide.hpp"
#include "formulation/tree/hinged_tree.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

PERILUNE_INLINE const HingedState* parent_of(const HingedLinks& links, const HingedLink& link) {
  return link.parent < 0 ? nullptr : &links.states[static_cast<std::size_t>(link.parent)];
}

struct Place {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Node& x) {
    for (std::size_t k = 0; k < links.fixed.size(); ++k) {
      const HingedLink& link = links.fixed[k];
      if (link.turns) place(link, links.states[k], parent_of(links, link), x);
    }
    return true;
  }
  PERILUNE_INLINE static void place(const HingedLink& link, HingedState& s, const HingedState* parent, const Node& x) {
    double *q = x.q + link.body, *v = x.v + link.body;
    const double rate = x.v[link.angle];
    Four p = all(s.cosine) * link.by_cosine + all(s.sine) * link.by_sine;
    if (parent) p = product(parent->p, p);
    p *= all(1.5 - 0.5 * dot(p, p));  // to length 1, from which it is as far as rounding: so that this does not add up
    if (dot(p, four_at(q + 3)) < 0) p = -p;
    s.p = p;
    s.A = axes_of(p);
    if (parent) {
      s.axis = times(parent->A, link.axis);
      s.from_parent = times(parent->A, link.place);
      const Four carried = cross(parent->omega, s.from_parent);
      s.o = parent->o + s.from_parent;
      s.v = parent->v + carried;
      s.omega = parent->omega + all(rate) * s.axis;
      s.of_alpha = all(rate) * cross(parent->omega, s.axis);
      s.of_a = cross(parent->omega, carried);
    } else {
      s.axis = link.axis;
      s.o = s.from_parent = link.place;
      s.omega = all(rate) * s.axis;
      s.v = s.of_alpha = s.of_a = all(0);
    }
    s.reference = times(s.A, link.reference);
    const Four slipping = cross(s.omega, s.reference);
    s.turning = cross(s.omega, slipping);
    put_three(s.o + s.reference, q);
    put_four(p, q + 3);
    put_three(s.v + slipping, v);
    put_four(all(0.5) * turned(s.omega, p), v + 3);
  }
};

struct Load {
  PERILUNE_INLINE static bool run(const HingedLinks& links) {
    for (std::size_t k = 0; k < links.fixed.size(); ++k) load(links.fixed[k], links.states[k]);
    return true;
  }
  PERILUNE_INLINE static void load(const HingedLink& link, HingedState& s) {
    const Columns& A = s.A;
    const Columns& J = link.inertia;
    Columns of_own;  // inertia times A^T
    if (link.is_principal) {
      of_own = {A.x * all(J.x[0]), A.y * all(J.y[1]), A.z * all(J.z[2])};
    } else {
      of_own = {times(A, J.x), times(A, J.y), times(A, J.z)};
    }
    s.N = times_transposed(of_own, A);
    s.M = diagonal(link.mass);
    s.moment = cross(s.omega, times(s.N, s.omega));
    s.force = -link.weight;
    if (link.is_balanced) {
      s.B = {all(0), all(0), all(0)};
      return;
    }
    const Four c = times(A, link.centre), first_moment = all(link.mass) * c;
    s.B = cross_columns(first_moment);
    s.force += cross(s.omega, cross(s.omega, first_moment));
    s.moment -= cross(c, link.weight);
  }
};

struct Gather {
  PERILUNE_INLINE static bool run(const HingedLinks& links) {
    for (std::size_t k = links.fixed.size(); k-- > 0;) {
      const HingedLink& link = links.fixed[k];
      if (!link.turns) continue;
      HingedState* parent = link.parent < 0 ? nullptr : &links.states[static_cast<std::size_t>(link.parent)];
      if (!gather(links.states[k], parent)) return false;
    }
    return true;
  }
  PERILUNE_INLINE static bool gather(HingedState& s, HingedState* parent) {
    s.U_moment = times(s.N, s.axis);
    s.U_force = transposed_times(s.B, s.axis);
    const double D = dot(s.axis, s.U_moment);
    if (!(D > least_inertia * (s.N.x[0] + s.N.y[1] + s.N.z[2]))) return false;
    s.inverse = 1 / D;
    s.push -= dot(s.axis, s.moment);
    if (!parent) return true;
    // What is left to the parent: the hinge's own motion takes its share.
    const Four of_moment = all(s.inverse) * s.U_moment, of_force = all(s.inverse) * s.U_force;
    const Columns N = less_product(s.N, of_moment, s.U_moment), B = less_product(s.B, of_moment, s.U_force),
                  M = less_product(s.M, of_force, s.U_force);
    const Four force = s.force + all(s.push) * of_force + transposed_times(B, s.of_alpha) + times(M, s.of_a);
    const Four& d = s.from_parent;
    parent->force += force;
    parent->moment += s.moment + all(s.push) * of_moment + times(N, s.of_alpha) + times(B, s.of_a) + cross(d, force);
    const Columns shifted = B + crossed(d, M);
    parent->M = parent->M + M;
    parent->B = parent->B + shifted;
    parent->N = parent->N + (N - times_cross(B, d) - transposed(times_cross(shifted, d)));
    return true;
  }
};

struct Accelerate {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Node& x) {
    Four rest = all(0);  // 0, or NaN if any number is not finite
    for (std::size_t k = 0; k < links.fixed.size(); ++k) {
      const HingedLink& link = links.fixed[k];
      HingedState& s = links.states[k];
      if (link.turns) move(s, parent_of(links, link));
      if (link.turns) x.a[link.angle] = s.second;
      double* a = x.a + link.body;
      put_three(s.a + cross(s.alpha, s.reference) + s.turning, a);
      put_four(all(0.5) * turned(s.alpha, s.p) - all(0.25 * dot(s.omega, s.omega)) * s.p, a + 3);
      const Four all_of = s.alpha + s.a;
      rest += all_of - all_of;
    }
    return sum(rest) == 0;
  }
  PERILUNE_INLINE static void move(HingedState& s, const HingedState* parent) {
    s.alpha = s.of_alpha;
    s.a = s.of_a;
    if (parent) {
      s.alpha += parent->alpha;
      s.a += parent->a + cross(parent->alpha, s.from_parent);
    }
    s.second = (s.push - sum(s.U_moment * s.alpha + s.U_force * s.a)) * s.inverse;
    s.alpha += all(s.second) * s.axis;
  }
};

// From leaves to roots, as a link's normalization takes what its children's joints pull along p.
struct FindMultipliers {
  PERILUNE_INLINE static bool run(const HingedLinks& links, std::span<const Link> tree, const Node& x,
                                  const double* applied) {
    for (const Link& link : tree) x.lambda[link.normalization] = 0;
    for (std::size_t k = tree.size(); k-- > 0;) {
      const Link& link = tree[k];
      const HingedState& s = links.states[k];
      double along = along_parameters(link, links.fixed[k], s);
      if (applied) along += dot(s.p, four_at(applied + link.body + 3));
      x.lambda[link.normalization] += 0.5 * along;
      if (!links.fixed[k].turns) continue;
      x.lambda[link.turn] = applied ? -applied[link.angle] : 0;
      take_joint(link, tree, s, parent_of(links, links.fixed[k]), x.lambda);
    }
    return true;
  }
  /// Along p the inertia is 0, the gyroscopic terms 2 omega.J omega, and a place's Jacobian twice its arm.
  PERILUNE_INLINE static double along_parameters(const Link& link, const HingedLink& fixed, const HingedState& s) {
    const double* J = link.inertia.data();  // about the centre of mass, symmetric
    const Four omega = transposed_times(s.A, s.omega), c = times(s.A, fixed.centre);
    const Four inertial =
        all(fixed.mass) * (s.a + cross(s.alpha, c) + cross(s.omega, cross(s.omega, c))) - fixed.weight;
    const Columns inertia{three_at(J), three_at(J + 3), three_at(J + 6)};
    return 2 * (dot(omega, times(inertia, omega)) - dot(c - s.reference, inertial));
  }
  PERILUNE_INLINE static void take_joint(const Link& link, std::span<const Link> tree, const HingedState& s,
                                         const HingedState* parent, double* lambda) {
    const Four moment = times(s.N, s.alpha) + times(s.B, s.a) + s.moment,
               force = transposed_times(s.B, s.alpha) + times(s.M, s.a) + s.force;
    lambda[link.normalization] -= dot(s.reference, force);
    if (parent) {
      lambda[tree[static_cast<std::size_t>(link.parent)].normalization] -=
          dot(s.from_parent - parent->reference, force);
    }
    for (const Link::Reaction& each : link.forces) lambda[each.multiplier] = component(each, s, parent, force);
    for (const Link::Reaction& each : link.torques) lambda[each.multiplier] = component(each, s, parent, moment);
  }
  PERILUNE_INLINE static double component(const Link::Reaction& each, const HingedState& s, const HingedState* parent,
                                          const Four& of) {
    const Four fixed = three_at(each.direction.data());
    if (each.frame == Link::Frame::Link) return dot(times(s.A, fixed), of);
    if (each.frame == Link::Frame::Parent && parent) return dot(times(parent->A, fixed), of);
    return dot(fixed, of);
  }
};

}  // namespace

bool has_wide_registers() {
#if defined(__x86_64__)
  static const bool has_them = __builtin_cpu_supports("avx2");
  return has_them;
#else
  return false;
#endif
}

void place_links(const HingedLinks& links, const Node& x, bool is_wide) { in_registers<Place>(is_wide, links, x); }
void load_links(const HingedLinks& links, bool is_wide) { in_registers<Load>(is_wide, links); }
bool gather_links(const HingedLinks& links, bool is_wide) { return in_registers<Gather>(is_wide, links); }
void find_multipliers(const HingedLinks& links, std::span<const Link> tree, const Node& x, const double* applied,
                      bool is_wide) {
  in_registers<FindMultipliers>(is_wide, links, tree, x, applied);
}
bool accelerate_links(const HingedLinks& links, const Node& x, bool is_wide) {
  return in_registers<Accelerate>(is_wide, links, x);
}

}  // namespace perilune::formulation
