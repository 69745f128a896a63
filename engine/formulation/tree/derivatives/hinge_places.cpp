// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/hinge_places.hpp"

#include <algorithm>

#include "model/element/registry.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

bool HingePlaces::are_of(const system::Elements& elements) {
  return elements.kernel.get() == &model::kernel_of("coincidence/ground-body/3") ||
         elements.kernel.get() == &model::kernel_of("coincidence/body-body/3");
}

std::optional<HingePlaces> HingePlaces::of(const std::vector<system::Elements>& elements, const Link& link,
                                           std::size_t number) {
  if (link.joint != Link::Joint::Hinge) return std::nullopt;
  for (const system::Elements& each : elements) {
    if (!are_of(each)) continue;
    const int nq = each.kernel->coordinate_count();
    for (int e = 0; e < each.batch.count; ++e) {
      if (each.batch.multipliers[static_cast<std::size_t>(3 * e)] != link.forces.front().multiplier) continue;
      HingePlaces out;
      out.number_ = number;
      const bool is_second = each.batch.coordinates[static_cast<std::size_t>(e * nq + nq - 7)] == link.body;
      const int* columns = each.datum.data() + 6 * e;
      std::copy_n(columns + (is_second ? 0 : 3), 3, out.on_parent_);
      std::copy_n(columns + (is_second ? 3 : 0), 3, out.on_link_);
      if (std::all_of(columns, columns + 6, [](int column) { return column < 0; })) return std::nullopt;
      return out;
    }
  }
  return std::nullopt;
}

namespace {

/// The adjoint of a shift that turns with omega and alpha, and virtually with mu.
Four of_shift(const MotionAdjoint& of, const Four& omega, const Four& alpha, const Four& mu) {
  return of.o + cross(of.v + cross(of.a, omega), omega) + cross(of.a, alpha) + cross(of.mu_v, mu);
}

}  // namespace

void HingePlaces::add(const HingedState& s, const LinkAdjoint& own, const HingedState* parent,
                      const LinkAdjoint* parents, double* of_data) const {
  const Four by_link = transposed_times(s.A, of_shift(own.of, s.omega, s.alpha, own.mu_omega));
  const Four by_parent =
      parent ? transposed_times(parent->A, of_shift(own.of, parent->omega, parent->alpha, parents->mu_omega))
             : own.of.o;
  for (int i = 0; i < 3; ++i) {
    if (on_link_[i] >= 0) of_data[on_link_[i]] -= by_link[i];
    if (on_parent_[i] >= 0) of_data[on_parent_[i]] += by_parent[i];
  }
}

}  // namespace perilune::formulation
