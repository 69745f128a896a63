// SPDX-License-Identifier: MIT
// Newton's method at a point whose forces read the accelerations and multipliers that follow from them.
#pragma once
#include <limits>

#include "system/system.hpp"

namespace perilune::formulation {

class ImplicitNewton {
 public:
  /// At time t, for the sentence of a failure.
  ImplicitNewton(double t, const system::System& system) : t_(t), system_(system) {}
  /// Before each step: the residual M a + Phi_q^T lambda - Q (n) where the system was evaluated.
  void judge(const system::Workspace& at, const double* residual, const double* a);
  /// The largest residual judged last, relative to the largest force.
  double imbalance() const { return imbalance_; }
  /// a and lambda less a step of n + m numbers. True where they are right to rounding: they change no more, or the
  /// residual judged was nothing beside the forces, which tells where loads are zero. a is null, and the step one of
  /// lambda alone, where accelerations are known. Throws StepFailure where steps do not become small.
  bool correct(const double* step, double* a, double* lambda);
  /// Whether the next step asks for the matrix of where it begins: the last one was not small beside the one before.
  bool is_slow() const { return is_slow_; }

 private:
  double t_;
  const system::System& system_;
  int iteration_ = 0;
  double imbalance_ = std::numeric_limits<double>::infinity();
  bool is_slow_ = true;
  double before_ = std::numeric_limits<double>::infinity();  // the last step, relative
};

}  // namespace perilune::formulation
