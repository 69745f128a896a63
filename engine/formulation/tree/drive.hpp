// SPDX-License-Identifier: MIT
// A constraint stated as an expression by which a joint's own motion is known as time goes: a driver.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// Phi, Phi', Phi'' at a = 0 and Phi_q of one constraint alone.
class Drive {
 public:
  /// None where the elements are no such constraint.
  static bool is_one(const system::Elements& elements);
  explicit Drive(const system::Elements& elements);

  int multiplier() const { return multiplier_; }
  const std::vector<int>& coordinates() const { return batch_.coordinates; }

  void evaluate(double t, const double* q, const double* v, const system::Data& data);
  double value() const { return value_; }
  double rate() const { return rate_; }
  double bias() const { return bias_; }
  /// By `count` coordinates from `first` on.
  template <int count>
  void slopes(int first, double* out) const {
    for (int i = 0; i < count; ++i) out[i] = 0;
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const int i = batch_.coordinates[k] - first;
      if (i >= 0 && i < count) out[i] = slopes_[k];
    }
  }

  /// Whether nothing changes where these bodies are moved together, as one. `first` of their coordinates; q: a position
  /// of all, n of them.
  bool is_relative(std::span<const int> bodies, bool is_planar, const double* q, std::size_t n,
                   const system::Data& data);

 private:
  std::shared_ptr<const model::Kernel> kernel_;
  model::Batch batch_;
  int multiplier_;
  double value_ = 0, rate_ = 0, bias_ = 0;
  std::vector<double> slopes_, scratch_;
};

/// What is left to correct of a coordinate and of its rate, for Newton's method.
struct DriveStep {
  double position, velocity;
  /// Beside what it is of, after so many corrections: the first ones reach rounding, unless that of places is large.
  bool is_small(double q, double v, int corrections) const;
};
/// Most corrections: laws are linear in what they drive, as a rule.
inline constexpr int most_drive_steps = 20;

}  // namespace perilune::formulation
