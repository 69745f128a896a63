// SPDX-License-Identifier: MIT
// Minimization of a smooth function within bounds on its variables by Newton's method with exact products of the
// Hessian, in a trust region, built to survive failing evaluations as L-BFGS-B is here.
#pragma once
#include <Eigen/Core>
#include <functional>

#include "optimize/lbfgsb.hpp"

namespace perilune::optimize {

struct NewtonProblem {
  Problem objective;
  /// The second derivatives of the objective at x times a direction (n each), by the user's variables. Asked for where
  /// the objective was evaluated. A NumericalError, or what is not finite, ends the search with the best point so far,
  /// or as an error of the start; Interrupted likewise.
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x, const Eigen::VectorXd& direction)> hessian_product;
};

struct TrustRegionOptions {
  double projected_gradient = 1e-8;                  ///< as of Options
  double relative_decrease = 1e-14;                  ///< as of Options
  int max_evaluations = 1000;                        ///< calls of both functions; never exceeded
  std::function<void(const Iterate&)> on_iteration;  ///< as of Options
};

/// Returns and throws as the minimization of a Problem. What the gradient calls a minimum is looked at along at most
/// ten directions (Result::least_curvature): from a saddle point or a maximum the search goes on.
Result minimize(const NewtonProblem& problem, const TrustRegionOptions& options = {});

}  // namespace perilune::optimize
