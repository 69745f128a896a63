// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/hinged_adjoint.hpp"

#include <algorithm>
#include <utility>

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

HingedAdjoint::HingedAdjoint(const system::System& system, std::shared_ptr<const system::Data> data,
                             const JointTree& tree, const TreeChoice& choice)
    : system_(system),
      data_(std::move(data)),
      choice_(choice),
      n_(system.coordinate_count()),
      adjoints_(tree.links.size()),
      virtual_motion_(static_cast<std::size_t>(n_)) {
  const std::vector<system::Elements> elements = system.elements();
  std::vector<char> is_touched(static_cast<std::size_t>(n_), 0);
  for (const system::Elements& each : tree.forces) {
    forces_.emplace_back(system, each);
    for (const int i : each.batch.coordinates) is_touched[static_cast<std::size_t>(i)] = 1;
  }
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Link& link = tree.links[k];
    const auto first = is_touched.begin() + link.body;
    reads_motion_.push_back(std::any_of(first, first + 7, [](char each) { return each != 0; }));
    pulls_.push_back(reads_motion_.back());
    if (const auto masses = BodyMasses::of(elements, link, k)) {
      masses_.push_back(*masses);
      pulls_.back() = 1;
      std::fill(first, first + 7, 1);
    }
    if (HingeWeights::are_wanted(elements, link)) {
      hinges_.emplace_back(system, elements, link, k);
    } else if (const auto places = HingePlaces::of(elements, link, k)) {
      places_.push_back(*places);
    }
  }
  for (int i = 0; i < n_; ++i) {
    if (is_touched[static_cast<std::size_t>(i)]) pulled_.push_back(i);
  }
}

bool HingedAdjoint::turn_hinges(const system::System& system, const JointTree& tree) {
  const std::vector<system::Elements> elements = system.elements();
  return std::any_of(tree.links.begin(), tree.links.end(),
                     [&](const Link& link) { return HingeWeights::are_wanted(elements, link); });
}

void HingedAdjoint::keep_inertias(const HingedLinks& links, bool is_wide) {
  formulation::keep_inertias(links, adjoints_, is_wide);
}

/// Virtual motions of bodies that hang on nothing.
bool HingedAdjoint::float_free(const HingedLinks& links) {
  for (std::size_t k = 0; k < links.fixed.size(); ++k) {
    if (links.fixed[k].turns) continue;
    LinkAdjoint& own = adjoints_[k];
    if (!solve_free(links.states[k], own.moment, own.force, own.mu_omega, own.mu_v)) return false;
  }
  return true;
}

void HingedAdjoint::linearize_elements(const Node& x) {
  for (ElementSlopes& each : forces_) each.linearize(x, *data_);
}

/// Of bodies the derivatives by data alone: those by coordinates are the sweeps'.
void HingedAdjoint::add_elements(const HingedLinks& links, double* z) const {
  for (const ElementSlopes& each : forces_) each.subtract_transposed(virtual_motion_.data(), z);
  for (const BodyMasses& each : masses_) {
    each.subtract_transposed(links.states[each.link()], adjoints_[each.link()], z + 2 * n_);
  }
}

void HingedAdjoint::add_forces(const HingedLinks& links, const double* z, int count, double* out) const {
  for (const ElementSlopes& each : forces_) each.subtract_product(z, count, out);
  for (const BodyMasses& each : masses_) {
    each.subtract_product(links.states[each.link()], z + 2 * n_ * count, count, out);
  }
}

/// The adjoints of a free body's motion as those of its coordinates, of whose Euler parameters one follows from the
/// others.
void HingedAdjoint::finish_free(const HingedLinks& links, const Node& x, double* z) const {
  for (std::size_t k = 0; k < links.fixed.size(); ++k) {
    const HingedLink& link = links.fixed[k];
    if (link.turns) continue;
    const HingedState& s = links.states[k];
    const MotionAdjoint& of = adjoints_[k].of;
    double *q = z + link.body, *v = q + n_;
    const double *p = x.q + link.body + 3, *rate = x.v + link.body + 3;
    put_three(of.o, q);
    put_three(of.v, v);
    const Four xi = of.xi - cross(s.omega, of.omega) - cross(s.v, of.v);
    put_four(all(2) * (turned(xi, s.p) - turned(of.omega, four_at(rate))), q + 3);
    put_four(all(2) * turned(of.omega, s.p), v + 3);
    const int left_out = choice_.chosen(k).parameters[0];
    const double by_rate = v[3 + left_out] / p[left_out],
                 by_place = (q[3 + left_out] - by_rate * rate[left_out]) / p[left_out];
    for (int i = 0; i < 4; ++i) {
      q[3 + i] -= by_place * p[i] + by_rate * rate[i];
      v[3 + i] -= by_rate * p[i];
    }
    q[3 + left_out] = v[3 + left_out] = 0;
  }
}

bool HingedAdjoint::find(const HingedLinks& links, const Node& x, const AdjointNode& y, const double* applied,
                         bool is_wide) {
  const auto is_zero = [](double each) { return each == 0; };
  if (!std::all_of(y.lambda, y.lambda + system_.constraint_count(), is_zero)) return false;
  gather_drives(links, adjoints_, y, is_wide);
  if (!float_free(links)) return false;
  move_virtually(links, adjoints_, virtual_motion_.data(), is_wide);
  add_elements(links, y.z);
  gather_adjoints(links, adjoints_, x, y, n_, applied, is_wide);
  for (const HingePlaces& each : places_) {
    const int parent = links.fixed[each.link()].parent;
    const auto p = static_cast<std::size_t>(parent);
    each.add(links.states[each.link()], adjoints_[each.link()], parent < 0 ? nullptr : &links.states[p],
             parent < 0 ? nullptr : &adjoints_[p], y.z + 2 * n_);
  }
  for (HingeWeights& each : hinges_) {
    each.add(links.states[each.link()], adjoints_[each.link()], virtual_motion_.data(), x, *data_, y.z + 2 * n_);
  }
  finish_free(links, x, y.z);
  return true;
}

}  // namespace perilune::formulation
