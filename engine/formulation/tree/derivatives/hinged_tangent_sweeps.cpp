// SPDX-License-Identifier: MIT
// The sweeps of HingedTangent.
#include "formulation/tree/derivatives/link_tangent.hpp"
#include "formulation/tree/derivatives/wide.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

template <class List>
PERILUNE_INLINE auto* parent_of(const List& list, int parent) {
  return parent < 0 ? nullptr : &list[static_cast<std::size_t>(parent)];
}

struct BearJoints {
  PERILUNE_INLINE static bool run(const HingedLinks& links, std::span<JointWrench> joints) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const HingedState& s = links.states[k];
      joints[k] = {times(s.N, s.alpha) + times(s.B, s.a) + s.moment,
                   transposed_times(s.B, s.alpha) + times(s.M, s.a) + s.force};
    }
    return true;
  }
};

template <class Direction>
struct MoveTangents {
  using Own = LinkTangent<Direction>;
  using Vector = typename Direction::Vector;
  using Number = typename Direction::Number;
  PERILUNE_INLINE static bool run(const TangentSweep<Direction>& sweep, const Node& x, double* z) {
    for (std::size_t k = 0; k < sweep.links.fixed.size(); ++k) {
      const HingedLink& link = sweep.links.fixed[k];
      const HingedState& s = sweep.links.states[k];
      Own& own = sweep.tangents[k];
      if (link.turns) turn(sweep, link, s, own, x.v[link.angle], z);
      own.moment = own.force = Direction::zero();
      if (link.turns && sweep.wants[k].motion) put(sweep, link, s, own, z);
    }
    return true;
  }
  PERILUNE_INLINE static void turn(const TangentSweep<Direction>& sweep, const HingedLink& link, const HingedState& s,
                                   Own& own, double rate, const double* z) {
    const Direction& direction = sweep.direction;
    own.angle = direction.at(z, link.angle);
    const Number by_rate = direction.at(z, sweep.n + link.angle);
    const Four &e = s.axis, &d = s.from_parent;
    own.xi = scaled(own.angle, e);
    own.o = Direction::zero();
    own.omega = scaled(by_rate, e) + scaled(own.angle, cross(s.omega, e));
    own.v = scaled(own.angle, cross(s.v, e));
    own.alpha = scaled(own.angle, cross(s.alpha, e));
    own.a = scaled(own.angle, cross(s.a, e));
    const Own* parent = parent_of(sweep.tangents, link.parent);
    const HingedState* there = parent_of(sweep.links.states, link.parent);
    if (own.is_shifted) {
      own.o += own.by_parent + own.by_link;
      add_shift(own.by_link, s, own);
      if (there) add_shift(own.by_parent, *there, own);
    }
    if (!parent) return;
    const Vector &of_parent = parent->omega, carried = cross(of_parent, d);
    const Four& omega = there->omega;
    own.xi += parent->xi;
    own.o += parent->o + cross(parent->xi, d);
    own.omega += of_parent;
    own.v += parent->v + carried;
    own.alpha += parent->alpha + cross(scaled(rate, of_parent) + scaled(by_rate, omega), e);
    own.a += parent->a + cross(parent->alpha, d) + cross(of_parent, cross(omega, d)) + cross(omega, carried);
  }
  /// Of a shift that turns with this link.
  PERILUNE_INLINE static void add_shift(const Vector& by, const HingedState& with, Own& own) {
    const Vector carried = cross(with.omega, by);
    own.v += carried;
    own.a += cross(with.alpha, by) + cross(with.omega, carried);
  }
  PERILUNE_INLINE static void put(const TangentSweep<Direction>& sweep, const HingedLink& link, const HingedState& s,
                                  const Own& own, double* z) {
    const Direction& direction = sweep.direction;
    const Four v_r = s.v + cross(s.omega, s.reference);
    const auto of_p = scaled(0.5, turned(own.xi, s.p));
    direction.put_three(own.o + cross(own.xi, s.reference), z, link.body);
    direction.put_list(of_p, z, link.body + 3);
    direction.put_three(own.v + cross(own.omega, s.reference) + cross(own.xi, v_r), z, sweep.n + link.body);
    const auto turning = turned(own.omega + cross(own.xi, s.omega), s.p) + turned(s.omega, of_p);
    direction.put_list(scaled(0.5, turning), z, sweep.n + link.body + 3);
  }
};

template <class Direction>
struct GatherTangents {
  using Own = LinkTangent<Direction>;
  using Vector = typename Direction::Vector;
  using Number = typename Direction::Number;
  PERILUNE_INLINE static bool run(const TangentSweep<Direction>& sweep, const double* applied, const double* more) {
    const Direction& direction = sweep.direction;
    for (std::size_t k = sweep.links.fixed.size(); k-- > 0;) {
      const HingedLink& link = sweep.links.fixed[k];
      const HingedState& s = sweep.links.states[k];
      Own& own = sweep.tangents[k];
      add_inertial(link, s, sweep.own[k], own);
      if (sweep.wants[k].is_pulled) add_applied(direction, link, s, applied, more, own);
      if (!link.turns) continue;
      own.push = -dot(s.axis, own.moment);
      if (applied) own.push += direction.at(more, link.angle);
      if (own.is_shifted) own.push -= dot(s.axis, cross(own.by_link, sweep.joints[k].force));
      Own* parent = parent_of(sweep.tangents, link.parent);
      if (!parent) continue;
      // As the parent's axes see what the joint bears.
      const Number share = own.push * s.inverse;
      const Vector turn = scaled(own.angle, s.axis);
      const Vector force = own.force + scaled(share, s.U_force) + cross(turn, sweep.joints[k].force);
      parent->force += force;
      parent->moment +=
          own.moment + scaled(share, s.U_moment) + cross(turn, sweep.joints[k].moment) + cross(s.from_parent, force);
      if (own.is_shifted) parent->moment += cross(own.by_link + own.by_parent, sweep.joints[k].force);
    }
    return true;
  }
  PERILUNE_INLINE static void add_inertial(const HingedLink& link, const HingedState& s, const LinkAdjoint& inertia,
                                           Own& own) {
    const Columns& N = inertia.N;
    const Vector weight = cross(own.xi, link.weight);
    own.force += scaled(link.mass, own.a) + weight;
    own.moment += times(N, own.alpha) + cross(own.omega, times(N, s.omega)) + cross(s.omega, times(N, own.omega));
    if (link.is_balanced) return;
    const Four& h = inertia.first_moment;
    own.force += cross(own.alpha, h) + cross(own.omega, cross(s.omega, h)) + cross(s.omega, cross(own.omega, h));
    own.moment += cross(h, own.a) + cross(times(s.A, link.centre), weight);
  }
  PERILUNE_INLINE static void add_applied(const Direction& direction, const HingedLink& link, const HingedState& s,
                                          const double* applied, const double* more, Own& own) {
    const Vector of_r = direction.three(more, link.body) - cross(own.xi, three_at(applied + link.body));
    const Four back = conjugate(s.p), there = product(four_at(applied + link.body + 3), back);
    const auto change = product(direction.four_from(more, link.body + 3), back);
    own.force -= of_r;
    own.moment -= cross(s.reference, of_r) + scaled(0.5, turning_part(change)) -
                  scaled(0.25, scaled(there[0], own.xi) + cross(own.xi, turning_part(there)));
  }
};

template <class Direction>
struct AccelerateTangents {
  using Own = LinkTangent<Direction>;
  using Number = typename Direction::Number;
  PERILUNE_INLINE static bool run(const TangentSweep<Direction>& sweep, double* a) {
    for (std::size_t k = 0; k < sweep.links.fixed.size(); ++k) {
      const HingedLink& link = sweep.links.fixed[k];
      const HingedState& s = sweep.links.states[k];
      Own& own = sweep.tangents[k];
      if (link.turns) {
        own.by_rest_alpha = own.by_rest_a = Direction::zero();
        if (const Own* parent = parent_of(sweep.tangents, link.parent)) {
          own.by_rest_alpha = parent->by_rest_alpha;
          own.by_rest_a = parent->by_rest_a + cross(parent->by_rest_alpha, s.from_parent);
        }
        own.second = (own.push - dots(s.U_moment, own.by_rest_alpha, s.U_force, own.by_rest_a)) * s.inverse;
        own.by_rest_alpha += scaled(own.second, s.axis);
        sweep.direction.put(own.second, a, link.angle);
      }
      const LinkWants& wants = sweep.wants[k];
      if (wants.accelerations || wants.multipliers) {
        own.alpha += own.by_rest_alpha;
        own.a += own.by_rest_a;
      }
      if (wants.multipliers) {
        own.moment += times(s.N, own.by_rest_alpha) + times(s.B, own.by_rest_a);
        own.force += transposed_times(s.B, own.by_rest_alpha) + times(s.M, own.by_rest_a);
      }
      if (wants.accelerations) put(sweep.direction, link, s, own, a);
    }
    return true;
  }
  PERILUNE_INLINE static void put(const Direction& direction, const HingedLink& link, const HingedState& s,
                                  const Own& own, double* a) {
    const Four &rho = s.reference, a_r = s.a + cross(s.alpha, rho) + s.turning;
    const auto own_a =
        own.a + cross(own.alpha, rho) + cross(own.omega, cross(s.omega, rho)) + cross(s.omega, cross(own.omega, rho));
    const auto of_p = scaled(0.5, turned(own.xi, s.p));
    const Number by_omega = 0.5 * dot(s.omega, own.omega);
    direction.put_three(own_a + cross(own.xi, a_r), a, link.body);
    const auto turning = turned(own.alpha + cross(own.xi, s.alpha), s.p) + turned(s.alpha, of_p);
    direction.put_list(scaled(0.5, turning) - scaled_list(by_omega, s.p) - scaled(0.25 * dot(s.omega, s.omega), of_p),
                       a, link.body + 3);
  }
};

template <class Direction>
struct FindMultipliers {
  using Own = LinkTangent<Direction>;
  using Vector = typename Direction::Vector;
  using Number = typename Direction::Number;
  PERILUNE_INLINE static bool run(const TangentSweep<Direction>& sweep, std::span<const Link> tree, const Node& x,
                                  const double* z, const double* applied, const double* more, double* lambda) {
    const Direction& direction = sweep.direction;
    for (const Link& link : tree) direction.put(Number{}, lambda, link.normalization);
    for (std::size_t k = tree.size(); k-- > 0;) {
      const HingedState* parent = parent_of(sweep.links.states, tree[k].parent);
      const Number along = along_parameters(sweep, k, x, z, applied, more);
      add(direction, 0.5 * along, lambda, tree[k].normalization);
      if (!sweep.links.fixed[k].turns) continue;
      direction.put(applied ? -direction.at(more, tree[k].angle) : Number{}, lambda, tree[k].turn);
      take_joint(sweep, tree, k, parent, lambda);
    }
    return true;
  }
  PERILUNE_INLINE static void add(const Direction& direction, const Number& x, double* lambda, int i) {
    direction.put(direction.at(lambda, i) + x, lambda, i);
  }
  /// What acts on a link along its Euler parameters, as HingedTree::find_multipliers() has it.
  PERILUNE_INLINE static Number along_parameters(const TangentSweep<Direction>& sweep, std::size_t k, const Node& x,
                                                 const double* z, const double* applied, const double* more) {
    const HingedLink& link = sweep.links.fixed[k];
    const HingedState& s = sweep.links.states[k];
    const Own& own = sweep.tangents[k];
    const Four centre = times(s.A, link.centre), &omega = s.omega;
    // About the centre of mass the inertia is less than about o.
    const Number turning =
        dot(omega, times(sweep.own[k].N, own.omega)) -
        link.mass * (dot(omega, own.omega) * dot(centre, centre) - dot(omega, centre) * dot(centre, own.omega));
    const Vector of_centre = own.a + cross(own.alpha, centre) + cross(own.omega, cross(omega, centre)) +
                             cross(omega, cross(own.omega, centre));
    const Vector inertial = scaled(link.mass, of_centre) + cross(own.xi, link.weight);
    const Number along = 4 * turning - 2 * dot(centre - s.reference, inertial);
    if (!applied) return along;
    const int p = link.body + 3;
    return along + dot_list(four_at(applied + p), sweep.direction.four_from(z, p)) +
           dot_list(four_at(x.q + p), sweep.direction.four_from(more, p));
  }
  PERILUNE_INLINE static void take_joint(const TangentSweep<Direction>& sweep, std::span<const Link> tree,
                                         std::size_t k, const HingedState* parent, double* lambda) {
    const Link& link = tree[k];
    const HingedState& s = sweep.links.states[k];
    const Own& own = sweep.tangents[k];
    const JointWrench& joint = sweep.joints[k];
    // As space sees what the joint bears, and as the parent's axes do.
    const Vector turn = scaled(own.angle, s.axis);
    const Vector force_in_space = own.force + cross(own.xi, joint.force),
                 force_on_parent = own.force + cross(turn, joint.force);
    Vector moment = own.moment;
    Number of_own = dot(s.reference, own.force), of_parent{};
    if (parent) of_parent = dot(s.from_parent - parent->reference, force_on_parent);
    if (own.is_shifted) {
      moment += cross(own.by_link, joint.force);
      of_own += dot(joint.force, own.by_link);
      of_parent += dot(joint.force, own.by_parent);
    }
    const Direction& direction = sweep.direction;
    add(direction, -of_own, lambda, link.normalization);
    if (parent) add(direction, -of_parent, lambda, tree[static_cast<std::size_t>(link.parent)].normalization);
    for (const Link::Reaction& each : link.forces) {
      direction.put(component(each, s, parent, own.force, force_on_parent, force_in_space), lambda, each.multiplier);
    }
    const Vector moment_on_parent = moment + cross(turn, joint.moment),
                 moment_in_space = moment + cross(own.xi, joint.moment);
    for (const Link::Reaction& each : link.torques) {
      direction.put(component(each, s, parent, moment, moment_on_parent, moment_in_space), lambda, each.multiplier);
    }
  }
  PERILUNE_INLINE static Number component(const Link::Reaction& each, const HingedState& s, const HingedState* parent,
                                          const Vector& of_link, const Vector& of_parent, const Vector& of_space) {
    const Four fixed = three_at(each.direction.data());
    if (each.frame == Link::Frame::Link) return dot(times(s.A, fixed), of_link);
    if (each.frame == Link::Frame::Parent && parent) return dot(times(parent->A, fixed), of_parent);
    return dot(fixed, of_space);
  }
};

}  // namespace

void bear_joints(const HingedLinks& links, std::span<JointWrench> joints, bool is_wide) {
  in_registers<BearJoints>(is_wide, links, joints);
}
template <class Direction>
void find_multiplier_tangents(const TangentSweep<Direction>& sweep, std::span<const Link> tree, const Node& x,
                              const double* z, const double* applied, const double* more, double* lambda,
                              bool is_wide) {
  in_registers<FindMultipliers<Direction>>(is_wide, sweep, tree, x, z, applied, more, lambda);
}
template <class Direction>
void move_tangents(const TangentSweep<Direction>& sweep, const Node& x, double* z, bool is_wide) {
  in_registers<MoveTangents<Direction>>(is_wide, sweep, x, z);
}
template <class Direction>
void gather_tangents(const TangentSweep<Direction>& sweep, const double* applied, const double* more, bool is_wide) {
  in_registers<GatherTangents<Direction>>(is_wide, sweep, applied, more);
}
template <class Direction>
void accelerate_tangents(const TangentSweep<Direction>& sweep, double* a, bool is_wide) {
  in_registers<AccelerateTangents<Direction>>(is_wide, sweep, a);
}

#define PERILUNE_SWEEPS(...)                                                                                   \
  template void find_multiplier_tangents(const TangentSweep<__VA_ARGS__>&, std::span<const Link>, const Node&, \
                                         const double*, const double*, const double*, double*, bool);          \
  template void move_tangents(const TangentSweep<__VA_ARGS__>&, const Node&, double*, bool);                   \
  template void gather_tangents(const TangentSweep<__VA_ARGS__>&, const double*, const double*, bool);         \
  template void accelerate_tangents(const TangentSweep<__VA_ARGS__>&, double*, bool);
PERILUNE_SWEEPS(OneDirection)
PERILUNE_SWEEPS(Directions<2>)
PERILUNE_SWEEPS(Directions<3>)
PERILUNE_SWEEPS(Directions<4>)
#undef PERILUNE_SWEEPS

}  // namespace perilune::formulation
