// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/hinged_tangent.hpp"

#include <algorithm>

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

constexpr int together = 4;  // directions

template <class Work>
void for_each_few(int count, Work&& work) {
  int number = 0;
  for (; number + together <= count; number += together) work(Directions<together>{count, number});
  if (count - number == 3) work(Directions<3>{count, number});
  if (count - number == 2) work(Directions<2>{count, number});
  if (count - number == 1) work(OneDirection{count, number});
}

}  // namespace

HingedTangent::HingedTangent(const system::System& system, const JointTree& tree, const TreeChoice& choice)
    : tree_(tree), choice_(choice), n_(system.coordinate_count()), joints_(tree.links.size()) {}

void HingedTangent::find_wants(const HingedLinks& links, const HingedAdjoint& elements, const TangentsRead* read) {
  const auto are_same = [](const TangentsRead& a, const TangentsRead& b) {
    return a.multipliers == b.multipliers && a.motions == b.motions && a.accelerations == b.accelerations;
  };
  if (!wants_.empty() && !read == !read_ && (!read || are_same(*read, *read_))) return;
  read_ = read ? std::optional(*read) : std::nullopt;
  wants_.clear();
  for (std::size_t k = 0; k < links.fixed.size(); ++k) {
    const int body = links.fixed[k].body;
    const auto is_any = [body](const std::vector<char>& list) {
      const auto first = list.begin() + body;
      return std::any_of(first, first + 7, [](char each) { return each != 0; });
    };
    // Of a free body later nodes are proposed by all.
    const bool is_free = !links.fixed[k].turns;
    const bool multipliers = !read || read->multipliers;
    wants_.push_back({multipliers || is_any(read->motions) || elements.reads_motion(k),
                      !read || is_free || is_any(read->accelerations), multipliers, elements.pulls(k)});
  }
}

template <class Direction>
TangentSweep<Direction> HingedTangent::sweep_of(const HingedLinks& links, const HingedAdjoint& elements,
                                                const Direction& direction) {
  const std::size_t size = links.fixed.size();
  const auto first = Direction::size == together ? static_cast<std::size_t>(direction.number / together) * size : 0;
  auto& tangents = std::get<std::vector<LinkTangent<Direction>>>(tangents_);
  if (tangents.size() < first + size) tangents.resize(first + size);
  return {links, elements.inertias(), joints_, wants_, std::span(tangents).subspan(first, size), n_, direction};
}

/// Of free bodies: one of the Euler parameters follows from the others.
template <class Direction>
void HingedTangent::begin_free(const TangentSweep<Direction>& sweep, const Node& x, double* z) const {
  const Direction& direction = sweep.direction;
  for (std::size_t k = 0; k < sweep.links.fixed.size(); ++k) {
    const HingedLink& link = sweep.links.fixed[k];
    LinkTangent<Direction>& own = sweep.tangents[k];
    own.is_shifted = false;
    if (link.turns) continue;
    const HingedState& s = sweep.links.states[k];
    const int left_out = choice_.chosen(k).parameters[0], first = link.body + 3;
    const double *p = x.q + first, *rate = x.v + first;
    typename Direction::Number of_p{}, of_rate{};
    for (int i = 0; i < 4; ++i) {
      if (i == left_out) continue;
      of_p -= p[i] * direction.at(z, first + i);
      of_rate -= p[i] * direction.at(z, n_ + first + i) + rate[i] * direction.at(z, first + i);
    }
    of_p /= p[left_out];
    direction.put(of_p, z, first + left_out);
    direction.put((of_rate - rate[left_out] * of_p) / p[left_out], z, n_ + first + left_out);
    const auto dp = direction.four_from(z, first), rates = direction.four_from(z, n_ + first);
    own.alpha = own.a = Direction::zero();
    own.xi = scaled(2.0, turning_part(product(dp, conjugate(s.p))));
    own.o = direction.three(z, link.body);
    own.omega = scaled(2.0, turning_part(product(rates, conjugate(s.p)) + product(four_at(rate), conjugate(dp)))) -
                cross(own.xi, s.omega);
    own.v = direction.three(z, n_ + link.body) - cross(own.xi, s.v);
  }
}

template <class Direction>
void HingedTangent::shift_hinges(const TangentSweep<Direction>& sweep, const std::vector<HingePlaces>& places,
                                 const double* of_data) const {
  for (const HingePlaces& each : places) {
    const HingedState* s = sweep.links.states.data();
    const int parent = sweep.links.fixed[each.link()].parent;
    LinkTangent<Direction>& own = sweep.tangents[each.link()];
    own.is_shifted = true;
    const auto shift = each.shift(s[each.link()], parent < 0 ? nullptr : s + parent, of_data, sweep.direction);
    own.by_parent = shift.by_parent;
    own.by_link = shift.by_link;
  }
}

template <class Direction>
bool HingedTangent::float_free(const TangentSweep<Direction>& sweep) const {
  for (std::size_t k = 0; k < sweep.links.fixed.size(); ++k) {
    if (sweep.links.fixed[k].turns) continue;
    LinkTangent<Direction>& own = sweep.tangents[k];
    own.by_rest_alpha = own.by_rest_a = Direction::zero();
    for (int lane = 0; lane < Direction::size; ++lane) {
      Four alpha, a;
      if (!solve_free(sweep.links.states[k], -Direction::lane(own.moment, lane), -Direction::lane(own.force, lane),
                      alpha, a)) {
        return false;
      }
      Direction::set_lane(own.by_rest_alpha, lane, alpha);
      Direction::set_lane(own.by_rest_a, lane, a);
    }
  }
  return true;
}

bool HingedTangent::find(const HingedLinks& links, const Node& x, int count, const TangentNode& y,
                         const HingedAdjoint& elements, const double* applied, bool is_wide) {
  bear_joints(links, joints_, is_wide);
  find_wants(links, elements, y.read);
  for_each_few(count, [&](const auto& direction) {
    const auto sweep = sweep_of(links, elements, direction);
    begin_free(sweep, x, y.z);
    shift_hinges(sweep, elements.places(), y.z + 2 * n_ * count);
    move_tangents(sweep, x, y.z, is_wide);
  });
  if (!elements.has_elements()) applied = nullptr;
  if (applied) {
    const std::size_t size = static_cast<std::size_t>(n_ * count);
    if (more_.size() != size) more_.assign(size, 0.0);
    for (const int i : elements.pulled()) std::fill_n(more_.data() + i * count, count, 0.0);  // the rest stays zero
    elements.add_forces(links, y.z, count, more_.data());
  }
  bool has_masses = true;
  for_each_few(count, [&](const auto& direction) {
    const auto sweep = sweep_of(links, elements, direction);
    gather_tangents(sweep, applied, more_.data(), is_wide);
    has_masses = has_masses && float_free(sweep);
    if (!has_masses) return;
    accelerate_tangents(sweep, y.x, is_wide);
    if (y.read && !y.read->multipliers) return;
    find_multiplier_tangents(sweep, tree_.links, x, y.z, applied, more_.data(), y.x + n_ * count, is_wide);
  });
  return has_masses;
}

}  // namespace perilune::formulation
