// SPDX-License-Identifier: MIT
// Nonlinear regressions of the Statistical Reference Datasets of the National Institute of Standards and Technology
// (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml): data, two starts each, and what is certified of the
// answer.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "optimize/fit/least_squares.hpp"

namespace least_squares_test {

struct Regression {
  std::string name;
  std::vector<double> y, x;
  std::vector<std::vector<double>> starts;
  std::vector<double> parameters, deviations;  // certified, to eleven digits
  double sum_of_squares, residual_deviation;   // certified, to eleven digits
  /// The model at b and x, with its derivatives by b.
  std::function<double(const Eigen::VectorXd& b, double x, Eigen::RowVectorXd& slopes)> model;
};

const std::vector<Regression>& nist_regressions();

/// The regression as a problem without bounds, from one of its starts.
perilune::optimize::LeastSquaresProblem problem_of(const Regression& regression, std::size_t start);

}  // namespace least_squares_test
