// SPDX-License-Identifier: MIT
// Problems for the tests of bounded minimization, and the checks that hold for every minimization.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>

#include "optimize/lbfgsb.hpp"

namespace lbfgsb_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace perilune::optimize;
using Catch::Matchers::Contains;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Function = std::function<double(const VectorXd&, VectorXd&)>;

inline VectorXd vec(std::initializer_list<double> values) {
  VectorXd v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

inline VectorXd all(Index n, double value) { return VectorXd::Constant(n, value); }

// Minimizes, and checks what holds for every minimization however it ends.
inline Result solve(const VectorXd& start, const VectorXd& lower, const VectorXd& upper, const Function& function,
                    const Options& options = {}) {
  int calls = 0, outside = 0;
  double lowest = infinity;
  const Problem problem{start, lower, upper, [&](const VectorXd& x, VectorXd& gradient) {
                          ++calls;
                          outside += !((x.array() >= lower.array()).all() && (x.array() <= upper.array()).all());
                          const double value = function(x, gradient);
                          if (std::isfinite(value) && gradient.allFinite()) lowest = std::min(lowest, value);
                          return value;
                        }};
  const Result result = minimize(problem, options);
  INFO(result.message);
  CHECK(outside == 0);
  CHECK(calls == result.evaluations);
  CHECK(calls <= options.max_evaluations);
  CHECK((result.x.array() >= lower.array()).all());
  CHECK((result.x.array() <= upper.array()).all());
  VectorXd gradient = VectorXd::Zero(start.size());
  CHECK(function(result.x, gradient) == result.value);
  CHECK(gradient == result.gradient);
  CHECK(result.value <= lowest + 2e-15 * std::abs(lowest));
  CHECK(result.value <= result.initial);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations + 1);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    CHECK(result.history[i].value <= result.history[i - 1].value + 1e-14 * std::abs(result.initial));
    CHECK(result.history[i].evaluations > result.history[i - 1].evaluations);
  }
  return result;
}

inline bool converged(const Result& result) {
  return result.reason == Reason::ProjectedGradient || result.reason == Reason::RelativeDecrease;
}

inline void check_near(const VectorXd& x, const VectorXd& expected, double tolerance) {
  INFO("x = " << x.transpose());
  CHECK((x - expected).lpNorm<Eigen::Infinity>() <= tolerance);
}

inline double rosenbrock(const VectorXd& x, VectorXd& gradient) {
  double value = 0;
  gradient.setZero(x.size());
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const double valley = x[i + 1] - x[i] * x[i], away = 1 - x[i];
    value += 100 * valley * valley + away * away;
    gradient[i] += -400 * x[i] * valley - 2 * away;
    gradient[i + 1] += 200 * valley;
  }
  return value;
}

inline VectorXd rosenbrock_start(Index n) {
  VectorXd x = all(n, 1);
  for (Index i = 0; i < n; i += 2) x[i] = -1.2;
  return x;
}

inline Function bowl(const VectorXd& centre, const VectorXd& stiffness) {
  return [=](const VectorXd& x, VectorXd& gradient) {
    gradient = stiffness.cwiseProduct(x - centre);
    return 0.5 * gradient.dot(x - centre);
  };
}

}  // namespace lbfgsb_test
