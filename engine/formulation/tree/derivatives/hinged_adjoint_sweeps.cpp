// SPDX-License-Identifier: MIT
// The sweeps of HingedAdjoint.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "formulation/tree/derivatives/link_adjoint.hpp"
#include "formulation/tree/derivatives/wide.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

using Own = std::span<LinkAdjoint>;

template <class List>
PERILUNE_INLINE auto* parent_in(List& list, int parent) {
  return parent < 0 ? nullptr : &list[static_cast<std::size_t>(parent)];
}

/// Whether any of seven numbers is not zero: most bodies have adjoints by their hinges alone.
PERILUNE_INLINE bool are_set(const double* seven) {
  std::uint64_t bits[7], all = 0;
  std::memcpy(bits, seven, sizeof bits);
  for (const std::uint64_t each : bits) all |= each;
  return (all << 1) != 0;  // but for their signs
}

struct KeepInertias {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Own& own) {
    for (std::size_t k = 0; k < links.fixed.size(); ++k) {
      const HingedLink& link = links.fixed[k];
      own[k].N = links.states[k].N;
      own[k].first_moment = all(link.mass) * times(links.states[k].A, link.centre);
    }
    return true;
  }
};

struct GatherDrives {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Own& own, const AdjointNode& y) {
    for (std::size_t k = 0; k < links.fixed.size(); ++k) {
      const HingedLink& link = links.fixed[k];
      const HingedState& s = links.states[k];
      LinkAdjoint& each = own[k];
      each.moment = each.force = all(0);
      if (are_set(y.a + link.body)) {
        BodyMotion x;
        x.p = s.p;
        x.rho = s.reference;
        add_drive(x, y.a + link.body, each.moment, each.force);
      }
      each.push = link.turns ? y.a[link.angle] : 0;
    }
    for (std::size_t k = links.fixed.size(); k-- > 0;) {
      const HingedLink& link = links.fixed[k];
      if (!link.turns) continue;
      const HingedState& s = links.states[k];
      LinkAdjoint& each = own[k];
      each.push += dot(s.axis, each.moment);
      LinkAdjoint* parent = parent_in(own, link.parent);
      if (!parent) continue;
      const Four share = all(each.push * s.inverse), force = each.force - share * s.U_force;
      parent->force += force;
      parent->moment += each.moment - share * s.U_moment + cross(s.from_parent, force);
    }
    return true;
  }
};

struct MoveVirtually {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Own& own, double* mu) {
    for (std::size_t k = 0; k < links.fixed.size(); ++k) {
      const HingedLink& link = links.fixed[k];
      const HingedState& s = links.states[k];
      LinkAdjoint& each = own[k];
      if (link.turns) {
        each.mu_omega = each.mu_v = all(0);
        if (const LinkAdjoint* parent = parent_in(own, link.parent)) {
          each.mu_omega = parent->mu_omega;
          each.mu_v = parent->mu_v + cross(parent->mu_omega, s.from_parent);
        }
        each.rate = (each.push - sum(s.U_moment * each.mu_omega + s.U_force * each.mu_v)) * s.inverse;
        each.mu_omega += all(each.rate) * s.axis;
        mu[link.angle] = each.rate;
      }
      put_three(each.mu_v + cross(each.mu_omega, s.reference), mu + link.body);
      put_four(all(0.5) * turned(each.mu_omega, s.p), mu + link.body + 3);
    }
    return true;
  }
};

struct GatherAdjoints {
  PERILUNE_INLINE static bool run(const HingedLinks& links, const Own& own, const Node& x, const AdjointNode& y, int n,
                                  const double* applied) {
    const Four none = all(0);
    for (LinkAdjoint& each : own) each.of = {none, none, none, none, none, none, none, none};
    for (std::size_t k = links.fixed.size(); k-- > 0;) {
      const HingedLink& link = links.fixed[k];
      const HingedState& s = links.states[k];
      LinkAdjoint& each = own[k];
      add_own(link, s, each, y, n, applied);
      if (link.turns) take_joint(link, links, s, each, own, x, y, n);
    }
    return true;
  }
  /// Of the link alone: the adjoints of its coordinates, less those of mu . (M a - Q).
  PERILUNE_INLINE static void add_own(const HingedLink& link, const HingedState& s, LinkAdjoint& own,
                                      const AdjointNode& y, int n, const double* applied) {
    const double *of_q = y.z + link.body, *of_v = of_q + n, *of_a = y.a + link.body;
    const bool has_q = are_set(of_q), has_v = are_set(of_v), has_a = are_set(of_a),
               is_pulled = applied && are_set(applied + link.body);
    if (has_q || has_v || has_a || is_pulled) {
      const BodyMotion x = body_motion(s, own);
      if (has_q) add_position(x, of_q, own.of);
      if (has_v) add_velocity(x, of_v, own.of);
      if (has_a) add_acceleration(x, of_a, own.of);
      if (is_pulled) add_virtual(x, applied + link.body, own.of);
    }
    const Four &omega = s.omega, &mu = own.mu_omega, &mu_v = own.mu_v, turning = times(own.N, omega);
    const Four mass = all(link.mass);
    own.of.mu_omega -= times(own.N, s.alpha) + cross(omega, turning);
    own.of.mu_v -= mass * s.a - link.weight;
    own.of.alpha -= times(own.N, mu);
    own.of.a -= mass * mu_v;
    own.of.omega -= cross(turning, mu) + times(own.N, cross(mu, omega));
    own.of.xi -= cross(link.weight, mu_v);
    if (link.is_balanced) return;
    const Four &h = own.first_moment, c = times(s.A, link.centre), around = cross(omega, h);
    own.of.mu_omega -= cross(h, s.a) - cross(c, link.weight);
    own.of.mu_v -= cross(s.alpha, h) + cross(omega, around);
    own.of.alpha -= cross(h, mu_v);
    own.of.a -= cross(mu, h);
    own.of.omega -= cross(around, mu_v) + cross(h, cross(mu_v, omega));
    own.of.xi -= cross(link.weight, cross(mu, c));
  }
  PERILUNE_INLINE static void take_joint(const HingedLink& link, const HingedLinks& links, const HingedState& s,
                                         const LinkAdjoint& own, const Own& all_own, const Node& x,
                                         const AdjointNode& y, int n) {
    const MotionAdjoint& of = own.of;
    double *q = y.z + link.body, *v = q + n;
    const Four by_turn = of.xi + cross(of.omega, s.omega) + cross(of.v, s.v) + cross(of.alpha, s.alpha) +
                         cross(of.a, s.a) + cross(of.mu_omega, own.mu_omega) + cross(of.mu_v, own.mu_v);
    y.z[link.angle] += dot(s.axis, by_turn);
    Four by_rate = of.omega;
    std::fill_n(q, 7, 0.0);
    std::fill_n(v, 7, 0.0);
    if (LinkAdjoint* parent = parent_in(all_own, link.parent)) {
      const Four &omega = links.states[static_cast<std::size_t>(link.parent)].omega, &d = s.from_parent;
      by_rate += cross(of.alpha, omega);
      MotionAdjoint& to = parent->of;
      to.xi += of.xi + cross(d, of.o);
      to.o += of.o;
      to.omega += of.omega + cross(d, of.v + cross(of.a, omega)) + cross(all(x.v[link.angle]) * s.axis, of.alpha) +
                  cross(cross(omega, d), of.a);
      to.v += of.v;
      to.alpha += of.alpha + cross(d, of.a);
      to.a += of.a;
      to.mu_omega += of.mu_omega + cross(d, of.mu_v);
      to.mu_v += of.mu_v;
    }
    y.z[n + link.angle] += dot(s.axis, by_rate);
  }
};

}  // namespace

void keep_inertias(const HingedLinks& links, Own own, bool is_wide) { in_registers<KeepInertias>(is_wide, links, own); }
void gather_drives(const HingedLinks& links, Own own, const AdjointNode& y, bool is_wide) {
  in_registers<GatherDrives>(is_wide, links, own, y);
}
void move_virtually(const HingedLinks& links, Own own, double* mu, bool is_wide) {
  in_registers<MoveVirtually>(is_wide, links, own, mu);
}
void gather_adjoints(const HingedLinks& links, Own own, const Node& x, const AdjointNode& y, int n,
                     const double* applied, bool is_wide) {
  in_registers<GatherAdjoints>(is_wide, links, own, x, y, n, applied);
}

}  // namespace perilune::formulation
