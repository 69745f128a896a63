// SPDX-License-Identifier: MIT
// The backward sweep where it begins or ends at a boundary between intervals.
#include <algorithm>
#include <utility>

#include "error.hpp"
#include "sensitivity/discrete/backward.hpp"

namespace perilune::sensitivity {

using formulation::AdjointNode;

std::vector<Seeds> Backward::hand_over(NodeRecord& record) {
  record_ = &record;
  const std::size_t own = slot(-1);
  const int copies = run_.solution.steps.copies;
  seed_rate(0, own);
  std::vector<Seeds> out;
  for (std::size_t o = 0; o < objectives_; ++o) {
    AdjointRing& ring = rings_[o];
    ring.add_data(bundle_.data[o].data());
    const AdjointNode y = ring.node(own);
    Seeds& seeds = out.emplace_back(motion_.system());
    std::copy_n(y.z, 2 * motion_.n(), seeds.z.data());
    std::copy_n(y.a, motion_.n(), seeds.a.data());
    std::copy_n(y.lambda, motion_.m(), seeds.lambda.data());
    std::fill_n(y.z, 2 * motion_.n(), 0.0);
    std::fill_n(y.a, motion_.n(), 0.0);
    std::fill_n(y.lambda, motion_.m(), 0.0);
    // The stage that a point follows has its position and velocity.
    for (int c = 2; c <= copies + 1; ++c) {
      double* z = ring.node(slot(-c)).z;
      for (int i = 0; i < 2 * motion_.n(); ++i) seeds.z[static_cast<std::size_t>(i)] += std::exchange(z[i], 0.0);
    }
    // Nothing else may be left, nor an integrand of a node before the boundary.
    bool is_clear = ring.is_clear();
    for (std::size_t k = 0; k < ring_; ++k) is_clear = is_clear && of_rate(k, o) == 0;
    if (!is_clear) {
      throw Error(
          "the steps refer to more than the point before them, so that intervals cannot be told apart; "
          "mbs.adjoint {} without intervals goes with them");
    }
  }
  return out;
}

void Backward::begin(const Carried& at) {
  first_ = static_cast<std::size_t>(at.first);
  for (std::size_t s = 0; s < ring_; ++s) {
    for (std::size_t o = 0; o < objectives_; ++o) {
      of_total(s, o) = at.of_totals[s];
      of_rate(s, o) = at.of_rates[s];
    }
  }
}

double* Backward::numbers_of(std::size_t ring, const Carried::Block& block) {
  const std::size_t s = static_cast<std::size_t>(block.node) & (ring_ - 1);
  if (block.what == Carried::What::Multiplier) return rings_[ring].node(s).lambda;
  return rings_[ring].part(s, static_cast<integrator::Part>(block.what));
}

void Backward::hand_over(NodeRecord& record, const Carried& at) {
  record_ = &record;
  const auto two_n = static_cast<std::size_t>(2 * motion_.n());
  std::vector<double> kept(two_n);
  for (const Carried::Point& point : at.points) {
    const integrator::Steps::Step& step = run_.solution.steps.steps[point.step];
    motion_.set_choice(step.choice);
    motion_.set_sides(step.sides);
    const auto index = static_cast<std::size_t>(point.node);
    const std::size_t own = index & (ring_ - 1);
    const std::size_t target = point.has_source ? static_cast<std::size_t>(point.source) & (ring_ - 1) : own;
    nodes_ = {record.node(index)};
    slots_ = {own};
    reverse_nodes(integrator::GroupKind::Point, index);
    for (AdjointRing& ring : rings_) {
      if (!ring.is_awake()) continue;
      std::copy_n(ring.node(own).z, two_n, kept.data());
      ring.clear(own);
      double* to = ring.node(target).z;
      for (std::size_t i = 0; i < two_n; ++i) to[i] += kept[i];
    }
  }
  for (std::size_t r = 0; r < rings_.size(); ++r) {
    rings_[r].add_data(bundle_of(r).data[r % objectives_].data());
  }
}

bool Backward::is_clear() const {
  return std::all_of(rings_.begin(), rings_.end(), [](const AdjointRing& ring) { return ring.is_clear(); });
}

}  // namespace perilune::sensitivity
