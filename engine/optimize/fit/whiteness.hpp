// SPDX-License-Identifier: MIT
// Whether residuals are white noise, as the standard errors of a fit take for granted.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace perilune::optimize {

/// Residuals that follow each other in time.
struct ResidualSeries {
  std::string name;  ///< for sentences
  Eigen::Index length = 0;
};

/// G. M. Ljung, G. E. P. Box, On a measure of lack of fit in time series models, Biometrika 65 (1978), with
/// autocorrelations about zero: an offset of the residuals is a lack of fit, too.
struct Whiteness {
  double autocorrelation = 0;  ///< at lag 1, from -1 to 1
  int lags = 0;                ///< that the test looks at: a fifth of the series, ten at most; 0 if it is too short
  double statistic = 0;        ///< of Ljung and Box
  double p_value = 1;          ///< the probability that white noise has so large a statistic
  std::string warning;         ///< a sentence if the residuals are not white (p below 0.01), else empty
};

/// The residuals of one series, in their order.
Whiteness whiteness(const std::string& name, const Eigen::VectorXd& residuals);

/// One for each series; the series follow each other in `residuals`. Throws Error if the lengths do not add up.
std::vector<Whiteness> whiteness(const std::vector<ResidualSeries>& series, const Eigen::VectorXd& residuals);

}  // namespace perilune::optimize
