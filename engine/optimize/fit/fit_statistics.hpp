// SPDX-License-Identifier: MIT
// How well the data of a fit determine its variables.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "optimize/fit/identifiability.hpp"
#include "optimize/fit/robust_loss.hpp"
#include "optimize/fit/whiteness.hpp"

namespace perilune::optimize {

/// The answer of a fit: what least_squares returns, with names.
struct Fit {
  Eigen::VectorXd x;                   ///< variables (n)
  Eigen::VectorXd lower, upper;        ///< their bounds (n); equal where one is fixed
  std::vector<std::string> names;      ///< of the variables (n)
  Eigen::VectorXd residuals;           ///< at x (m), weighted, before the loss
  Eigen::MatrixXd jacobian;            ///< of the residuals (m x n)
  RobustLoss loss = {};                ///< that the fit minimized
  std::vector<ResidualSeries> series;  ///< that the residuals consist of; empty: no test of whiteness
  double confidence = 0.95;            ///< of the intervals
};

/// What the standard error of a variable stands for.
enum class Determined {
  ByData,        ///< it has a standard error
  Fixed,         ///< equal bounds: its standard error is 0
  AtLowerBound,  ///< the bound holds it: its standard error is unknown (NaN), the others are conditional on it
  AtUpperBound,  ///< the same
  NotAtAll       ///< part of a combination that the data cannot tell: its standard error is infinite
};

/// The statistics of a fit to first order about its answer (G. A. F. Seber, C. J. Wild, Nonlinear Regression, 1989,
/// section 2.1), which take for granted that residuals are white and of equal variance once weighted.
struct FitStatistics {
  int degrees_of_freedom = 0;  ///< residuals less the directions of the free variables that the data tell
  /// Standard deviation of the residuals, about 1 where their weights are the true deviations of the measurements; not
  /// a number without degrees of freedom. With a loss that of a fit without one that would be as exact.
  double deviation = 0;
  std::vector<Determined> determined;  ///< per variable
  Eigen::VectorXd standard_errors;     ///< (n), see `determined`
  double half_width = 0;               ///< of the intervals, in standard errors: a quantile of Student's t
  Eigen::VectorXd lowest, highest;     ///< two-sided confidence intervals (n); they ignore the bounds
  Eigen::MatrixXd covariance;          ///< (n x n); zero by what is fixed, not a number where it is unknown
  Eigen::MatrixXd correlation;  ///< (n x n); 1 on the diagonal, 0 by what is fixed, not a number where it is unknown
  Identifiability directions;   ///< all combinations have n coefficients, the rest is of the free variables
  std::vector<Whiteness> whiteness;   ///< per series
  std::vector<std::string> warnings;  ///< sentences: bounds, what the data cannot tell, residuals not white
};

/// With a robust loss the variance is that of P. J. Huber, Robust regression, Annals of Statistics 1 (1973): the mean
/// square of the loss's slope over the square of its mean curvature.
/// Throws Error if sizes do not agree, numbers are not finite or there are fewer residuals than free variables.
FitStatistics fit_statistics(const Fit& fit);

}  // namespace perilune::optimize
