// SPDX-License-Identifier: MIT
// The limited-memory model of the curvature and the direction that it suggests within the bounds. The linear algebra
// is LBFGSpp's.
#pragma once
#include <LBFGSpp/BFGSMat.h>
#include <Eigen/Core>

#include "optimize/scaled_objective.hpp"

namespace perilune::optimize {

/// Of LBFGSpp 0.1.0 this uses the BFGS matrix, the Cauchy point and the subspace minimization, but neither its driver
/// nor its line search: those give up with an exception at the first NaN, at a direction that is not one of descent
/// and at a step too small or too large; their interpolation confuses a value with a step; and nothing of what they
/// found can be had afterwards.
class QuasiNewton {
 public:
  /// For `size` variables, keeping up to `memory` corrections.
  QuasiNewton(Eigen::Index size, int memory) : size_(size), memory_(memory) { clear(); }

  void clear();
  bool empty() const { return matrix_.num_corrections() == 0; }

  /// Learns the curvature between two points. Leaves it if the gradient does not clearly increase along the step.
  void learn(const Point& from, const Point& to);

  /// Finds a direction of descent (n) from `point` with point.u + direction within the bounds. Returns false if the
  /// model suggests none: it is empty, or numerically broken.
  bool direction(const ScaledObjective& objective, const Point& point, Eigen::VectorXd& direction) const;

 private:
  // What the model predicts for the objective (in units of unit_) after a step by `direction`.
  double model_change(const Eigen::VectorXd& direction, const Eigen::VectorXd& gradient) const;

  Eigen::Index size_;
  int memory_;
  LBFGSpp::BFGSMat<double, true> matrix_;
  double unit_ = 1;  // of the gradients given to LBFGSpp, whose thresholds are absolute numbers
};

}  // namespace perilune::optimize
