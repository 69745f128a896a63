// SPDX-License-Identifier: MIT
// The adjoint equations of the stabilized index-1 form (Schaffer 2005, eq. 4.194) backward over a stretch of the mesh,
// for many solutions at once.
#pragma once
#include <vector>

#include "sensitivity/continuous/continuous_cost.hpp"
#include "sensitivity/discrete/adjoint.hpp"
#include "sensitivity/stabilized/radau_step.hpp"

namespace perilune::sensitivity {

/// One column for each objective, then homogeneous ones: without costs, so that they may be added to the others in any
/// multiple.
struct AdjointColumns {
  Eigen::MatrixXd mu, rate;                           // n rows: mu and mu' where the sweep stands
  std::vector<std::vector<double>> homogeneous_data;  // gradients by the data that the homogeneous columns gather
  Eigen::Index count() const { return mu.cols(); }
};

class StabilizedSweep {
 public:
  /// `bundle`: gathers what the objectives' columns give. The motion's switches have to be held as in the stretch.
  StabilizedSweep(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle);

  /// From mesh point `last` to `first`; both ends satisfy Phi_q mu = g_lambda and its rate (without costs: zero). There
  /// must be no event between them. Throws NumericalError, Interrupted.
  void run(const std::vector<double>& times, std::size_t first, std::size_t last, AdjointColumns& columns);
  /// Of the motion, in all sweeps so far.
  long linearizations() const { return linearizations_; }

 private:
  StabilizedEquations equations(double t, Eigen::Index columns);
  void add_integrals(double t, const StageSolution& stage, double weight, AdjointColumns& columns);

  LinearizedMotion& motion_;
  AdjointBundle& bundle_;
  CostIntegrands costs_;
  Eigen::Index n_, m_;
  std::size_t objectives_;
  long linearizations_ = 0;
  RadauStep step_;
};

}  // namespace perilune::sensitivity
