// SPDX-License-Identifier: MIT
// Residuals of a fit and their derivatives, and the search for the least of them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "optimize/fit/fit_statistics.hpp"
#include "optimize/fit/least_squares.hpp"
#include "studies/fit_data.hpp"
#include "studies/minimization.hpp"

namespace perilune::lua {

struct FitProblem {
  std::vector<NamedRun> experiments;
  FitSignals signals;
  std::vector<FitSeries> series;   // of an experiment one behind the other
  std::vector<double> deviations;  // of the measurements, by signal; what residuals are divided by
  std::vector<double> parameters;  // of the whole model
  std::vector<int> over;
  std::vector<optimize::Variable> variables;
  optimize::RobustLoss loss;
  std::shared_ptr<Warned> warned = std::make_shared<Warned>();
  std::string fingerprint;  // of the model and the experiments, where several processes share these

  std::size_t count() const;
  Eigen::VectorXd present() const;
  /// (model - measurement) / deviation, series after series, and their Jacobian; all experiments at the same time.
  void evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) const;
};

struct FitFound {
  optimize::LeastSquaresResult result;
  optimize::FitStatistics statistics;
  int runs = 0;                   // simulations of one experiment
  int runs_with_derivatives = 0;  // of these
  int rounds = 1;                 // of the deviations
};

/// Deviations that are not given are those of what the fit leaves: it is repeated with them until they stay. They are
/// in `problem.deviations` at the end. Throws Error where the problem makes no sense, NumericalError where the start
/// cannot be simulated.
FitFound solve(FitProblem& problem, double confidence, const optimize::LeastSquaresOptions& options);

}  // namespace perilune::lua
