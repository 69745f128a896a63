// SPDX-License-Identifier: MIT
// Keeps the tangents of the nodes of a run in some directions of the parameters.
#pragma once
#include "sensitivity/discrete/tangent_listener.hpp"
#include "system/second_order.hpp"

namespace perilune::sensitivity {

/// Listens after `tangents`, which carries them along.
class TangentRecord final : public integrator::StepListener {
 public:
  TangentRecord(TangentListener& tangents, const TangentBundle& bundle)
      : tangents_(tangents),
        count_(static_cast<std::size_t>(bundle.count)),
        n_(static_cast<std::size_t>(bundle.n)),
        m_(static_cast<std::size_t>(bundle.m)),
        size_(3 * n_ + m_),
        parameters_(by_direction(bundle.parameters.data(), bundle.parameters.size() / count_)),
        data_(by_direction(bundle.z.data() + 2 * bundle.half(), bundle.z.size() / count_ - 2 * n_)),
        numbers_(count_ * size_) {}

  void start(const integrator::March& march) override { append(march, -1); }
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March&, std::size_t) override {}
  void accept(const integrator::March& march) override {
    for (std::size_t i = 0; i < march.plan().nodes.size(); ++i) append(march, static_cast<int>(i));
  }

  /// Nodes are numbered as in NodeRecord.
  system::Direction direction(std::size_t index, std::size_t k) const {
    const double* q = numbers_.row(index) + k * size_;
    return {q, q + n_, q + 2 * n_, q + 3 * n_, data_[k].data(), 0};
  }
  system::MotionPoint point(std::size_t index, std::size_t k) const {
    const double* q = numbers_.row(index) + k * size_;
    return {0, q, q + n_, q + 2 * n_, q + 3 * n_, parameters_[k].data()};
  }

 private:
  /// From `count` numbers whose directions are interleaved.
  std::vector<std::vector<double>> by_direction(const double* from, std::size_t count) const {
    std::vector<std::vector<double>> out(count_, std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::vector<double>& of : out) of[i] = *from++;
    }
    return out;
  }
  void append(const integrator::March& march, int i) {
    const formulation::TangentNode y = tangents_.node(march, i);
    double* to = numbers_.append();
    for (std::size_t k = 0; k < count_; ++k, to += size_) {
      for (std::size_t j = 0; j < 2 * n_; ++j) to[j] = y.z[j * count_ + k];
      for (std::size_t j = 0; j < n_ + m_; ++j) to[2 * n_ + j] = y.x[j * count_ + k];
    }
  }

  TangentListener& tangents_;
  std::size_t count_, n_, m_, size_;  // of a direction's numbers at a node
  std::vector<std::vector<double>> parameters_, data_;  // by direction
  Blocks<double> numbers_;
};

}  // namespace perilune::sensitivity
