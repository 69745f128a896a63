// SPDX-License-Identifier: MIT
// Keeps the tangents of the nodes of a run in one direction of the parameters.
#pragma once
#include <algorithm>

#include "sensitivity/discrete/tangent_listener.hpp"
#include "system/second_order.hpp"

namespace perilune::sensitivity {

/// Listens after `tangents`, which carries along a single direction.
class TangentRecord final : public integrator::StepListener {
 public:
  TangentRecord(TangentListener& tangents, const TangentBundle& bundle, const std::vector<double>& parameter_direction)
      : tangents_(tangents),
        parameters_(parameter_direction),
        n_(static_cast<std::size_t>(bundle.n)),
        m_(static_cast<std::size_t>(bundle.m)),
        data_(bundle.z.begin() + static_cast<std::ptrdiff_t>(2 * n_), bundle.z.end()),
        numbers_(3 * n_ + m_) {}

  void start(const integrator::March& march) override { append(march, -1); }
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March&, std::size_t) override {}
  void accept(const integrator::March& march) override {
    for (std::size_t i = 0; i < march.plan().nodes.size(); ++i) append(march, static_cast<int>(i));
  }

  /// Nodes are numbered as in NodeRecord.
  system::Direction direction(std::size_t index) const {
    const double* q = numbers_.row(index);
    return {q, q + n_, q + 2 * n_, q + 3 * n_, data_.data(), 0};
  }
  system::MotionPoint point(std::size_t index) const {
    const double* q = numbers_.row(index);
    return {0, q, q + n_, q + 2 * n_, q + 3 * n_, parameters_.data()};
  }

 private:
  void append(const integrator::March& march, int i) {
    const formulation::TangentNode y = tangents_.node(march, i);
    std::copy_n(y.x, n_ + m_, std::copy_n(y.z, 2 * n_, numbers_.append()));
  }

  TangentListener& tangents_;
  const std::vector<double>& parameters_;
  std::size_t n_, m_;
  std::vector<double> data_;
  Blocks<double> numbers_;
};

}  // namespace perilune::sensitivity
