// SPDX-License-Identifier: MIT
// The adjoints of the nodes of one objective, in a ring like that of the nodes.
#pragma once
#include <algorithm>
#include <vector>

#include "integrator/march.hpp"

namespace perilune::sensitivity {

class AdjointRing {
 public:
  AdjointRing(const formulation::Motion& motion, std::size_t nodes)
      : n_(static_cast<std::size_t>(motion.n())),
        m_(static_cast<std::size_t>(motion.m())),
        data_(static_cast<std::size_t>(motion.system().data_count())),
        has_own_rate_(motion.has_own_rate()),
        size_(data_ + (has_own_rate_ ? 4 * n_ + 2 * m_ : 3 * n_ + m_)),
        numbers_(size_ * nodes, 0.0) {}

  formulation::AdjointNode node(std::size_t slot) {
    double* z = numbers_.data() + slot * size_;
    double* a = z + 2 * n_ + data_;
    if (!has_own_rate_) return {z, a, a + n_, z + n_, nullptr};
    return {z, a, a + n_, a + n_ + m_, a + 2 * n_ + m_};
  }
  /// Whether the objective depends on any node so far. Until then its adjoints are zero: the extremum of a signal
  /// begins with its peak, and what reads parameters alone never does.
  bool is_awake() const { return is_awake_; }
  void wake() { is_awake_ = true; }
  /// If something was added to a node.
  void wake_by(std::size_t slot) {
    if (is_awake_) return;
    const double* z = numbers_.data() + slot * size_;
    const auto is_set = [](double x) { return x != 0; };
    is_awake_ = std::any_of(z, z + 2 * n_, is_set) || std::any_of(z + 2 * n_ + data_, z + size_, is_set);
  }
  /// Forgets a node that was dealt with; what it gathered for the data stays.
  void clear(std::size_t slot) {
    double* z = numbers_.data() + slot * size_;
    std::fill_n(z, 2 * n_, 0.0);
    std::fill(z + 2 * n_ + data_, z + size_, 0.0);
  }
  /// Nothing is left but what the data gathered.
  bool is_clear() const {
    const auto is_zero = [](double x) { return x == 0; };
    for (std::size_t first = 0; first < numbers_.size(); first += size_) {
      const double* z = numbers_.data() + first;
      if (!std::all_of(z, z + 2 * n_, is_zero) || !std::all_of(z + 2 * n_ + data_, z + size_, is_zero)) return false;
    }
    return true;
  }
  /// Sum over all nodes.
  void add_data(double* out) const {
    for (std::size_t first = 0; first < numbers_.size(); first += size_) {
      const double* from = numbers_.data() + first + 2 * n_;
      for (std::size_t k = 0; k < data_; ++k) out[k] += from[k];
    }
  }
  template <class Archive>
  friend void archive_fields(Archive& archive, AdjointRing& ring) {
    archive(ring.is_awake_, ring.numbers_);
  }
  double* part(std::size_t slot, integrator::Part which) {
    const formulation::AdjointNode y = node(slot);
    switch (which) {
      case integrator::Part::Position:
        return y.z;
      case integrator::Part::Rate:
        return y.u;
      case integrator::Part::Velocity:
        return y.z + n_;
      case integrator::Part::Acceleration:
        return y.a;
    }
    return nullptr;
  }

 private:
  std::size_t n_, m_, data_;
  bool has_own_rate_;
  std::size_t size_;
  bool is_awake_ = false;
  std::vector<double> numbers_;
};

}  // namespace perilune::sensitivity
