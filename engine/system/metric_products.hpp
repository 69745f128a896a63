// SPDX-License-Identifier: MIT
// Derivatives of M(q, d) a + Phi_q(q, t, d)^T lambda, as products: of inertia and of the constraints' forces alone,
// which a discrete Lagrangian needs at several points of a step without the forces there.
#pragma once
#include <span>
#include <vector>

#include "system/product_steps.hpp"

namespace perilune::system {

/// One object per thread. After its making nothing is allocated, but for more directions at once than ever before.
class MetricProducts {
 public:
  explicit MetricProducts(const System& system);

  /// The q and d of `out` += the gradient by these of w^T (M a + Phi_q^T lambda) at the time and the positions of `at`.
  /// Without lambda, which may be null, elements whose masses are always the same take no part.
  void add_gradient(const Kinematics& at, const Data& data, const double* w, const double* a, const double* lambda,
                    PointGradient out);
  /// rows += the derivatives along the q and d of each direction, n + m numbers each behind each other.
  void add_tangent(const Kinematics& at, const Data& data, std::span<const Direction> along, const double* a,
                   const double* lambda, double* rows);

 private:
  struct Steps {
    ProductSteps gradient, tangent;
  };
  Steps masses_, all_;  // of the elements whose masses change, and of those with constraints, too
  ProductRun run_;
  std::size_t size_;  // n + m
};

}  // namespace perilune::system
