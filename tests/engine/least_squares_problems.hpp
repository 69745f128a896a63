// SPDX-License-Identifier: MIT
// Problems for the tests of least squares, and the checks that hold for every search.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>

#include "optimize/fit/least_squares.hpp"

namespace least_squares_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace perilune::optimize;
using Catch::Matchers::Contains;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Residuals = std::function<void(const VectorXd&, VectorXd&, MatrixXd*)>;

inline VectorXd vec(std::initializer_list<double> values) {
  VectorXd v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

inline VectorXd all(Index n, double value) { return VectorXd::Constant(n, value); }

// Solves, and checks what holds for every search however it ends.
inline LeastSquaresResult solve(LeastSquaresProblem problem, const LeastSquaresOptions& options = {}) {
  const Residuals residuals = problem.evaluate;
  const VectorXd lower = problem.lower, upper = problem.upper;
  int calls = 0, with_jacobian = 0, outside = 0;
  problem.evaluate = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    ++calls;
    with_jacobian += jacobian != nullptr;
    outside += !((x.array() >= lower.array()).all() && (x.array() <= upper.array()).all());
    residuals(x, r, jacobian);
  };
  const LeastSquaresResult result = least_squares(problem, options);
  INFO(result.message);
  CHECK(outside == 0);
  CHECK(calls == result.evaluations);
  CHECK(with_jacobian == result.jacobian_evaluations);
  CHECK(calls <= options.max_evaluations);
  CHECK((result.x.array() >= lower.array()).all());
  CHECK((result.x.array() <= upper.array()).all());
  VectorXd r;
  MatrixXd jacobian;
  residuals(result.x, r, &jacobian);
  CHECK(r == result.residuals);
  CHECK(jacobian == result.jacobian);
  if (problem.loss.kind == RobustLoss::Kind::None) CHECK(result.cost == Approx(0.5 * r.squaredNorm()).epsilon(1e-14));
  CHECK(result.cost <= result.initial);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations + 1);
  CHECK(result.history.back().x == result.x);
  CHECK(result.history.back().cost == result.cost);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    CHECK(result.history[i].cost <= result.history[i - 1].cost * (1 + problem.noise + 1e-12));
    CHECK(result.history[i].evaluations > result.history[i - 1].evaluations);
  }
  return result;
}

inline LeastSquaresResult solve(const VectorXd& start, const VectorXd& lower, const VectorXd& upper,
                                const Residuals& residuals, const LeastSquaresOptions& options = {}) {
  return solve(LeastSquaresProblem{start, lower, upper, residuals}, options);
}

inline bool converged(const LeastSquaresResult& result) {
  using Reason = LeastSquaresReason;
  return result.reason == Reason::ProjectedGradient || result.reason == Reason::RelativeStep ||
         result.reason == Reason::RelativeDecrease || result.reason == Reason::Noise;
}

inline void check_near(const VectorXd& x, const VectorXd& expected, double tolerance) {
  INFO("x = " << x.transpose());
  REQUIRE(x.size() == expected.size());
  CHECK((x - expected).lpNorm<Eigen::Infinity>() <= tolerance);
}

// Rosenbrock's function as residuals: half the sum of squares is half the function.
inline void rosenbrock(const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
  r = vec({10 * (x[1] - x[0] * x[0]), 1 - x[0]});
  if (!jacobian) return;
  jacobian->resize(2, 2);
  *jacobian << -20 * x[0], 10, -1, 0;
}

// A x - b.
inline Residuals linear(const MatrixXd& a, const VectorXd& b) {
  return [=](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = a * x - b;
    if (jacobian) *jacobian = a;
  };
}

}  // namespace least_squares_test
