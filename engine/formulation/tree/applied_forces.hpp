// SPDX-License-Identifier: MIT
// The generalized forces of all that acts on the bodies of a tree without mass and constraint.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class AppliedForces {
 public:
  AppliedForces(const system::System& system, std::vector<system::Elements> elements)
      : elements_(std::move(elements)),
        force_(static_cast<std::size_t>(system.coordinate_count()), 0.0),
        scratch_(system.scratch_size()) {
    blocks_.force = force_.data();
    blocks_.scratch = scratch_.data();
  }
  AppliedForces(const AppliedForces&) = delete;
  AppliedForces& operator=(const AppliedForces&) = delete;

  bool are_none() const { return elements_.empty(); }
  void evaluate(const Node& x, const system::Data& data) {
    if (elements_.empty() && !has_more_) return;
    std::fill(force_.begin(), force_.end(), 0.0);
    const model::Kinematics here{x.t, x.q, x.v, nullptr, nullptr};
    for (const system::Elements& each : elements_) {
      each.kernel->evaluate(each.batch, here, data.packed.data(), blocks_);
    }
  }
  /// Until the next evaluation.
  void add(int i, double force) {
    has_more_ = true;
    force_[static_cast<std::size_t>(i)] += force;
  }
  double operator[](int i) const { return force_[static_cast<std::size_t>(i)]; }
  const double* at(int i) const { return force_.data() + i; }

 private:
  std::vector<system::Elements> elements_;
  std::vector<double> force_;    // n
  bool has_more_ = false;        // than that of the elements
  std::vector<double> scratch_;  // of kernels
  model::Blocks blocks_;
};

}  // namespace perilune::formulation
