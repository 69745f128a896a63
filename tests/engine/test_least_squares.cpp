// SPDX-License-Identifier: MIT
// Least squares within bounds: certified regressions, optima known by hand, and robust losses.
#include <random>

#include "least_squares_problems.hpp"
#include "nist_regressions.hpp"

using namespace least_squares_test;

TEST_CASE("Certified nonlinear regressions from both starts", "[least_squares]") {
  LeastSquaresOptions options;
  options.max_evaluations = 2000;  // MGH17 takes more than a thousand from where its exponentials overflow
  for (const Regression& regression : nist_regressions()) {
    const VectorXd certified =
        Eigen::Map<const VectorXd>(regression.parameters.data(), static_cast<Index>(regression.parameters.size()));
    for (std::size_t start = 0; start < regression.starts.size(); ++start) {
      const LeastSquaresProblem problem = problem_of(regression, start);
      // The data are those of the certificate: they give its sum of squares at its parameters.
      VectorXd residuals;
      problem.evaluate(certified, residuals, nullptr);
      INFO(regression.name << " from start " << start + 1);
      CHECK(residuals.squaredNorm() == Approx(regression.sum_of_squares).epsilon(1e-10));

      const LeastSquaresResult result = solve(problem, options);
      INFO(result.message);
      CHECK(converged(result));
      check_near(result.x.cwiseQuotient(certified), all(certified.size(), 1), 2e-7);
      CHECK(2 * result.cost == Approx(regression.sum_of_squares).epsilon(1e-10));
      const auto dof = static_cast<double>(residuals.size() - certified.size());
      CHECK(std::sqrt(2 * result.cost / dof) == Approx(regression.residual_deviation).epsilon(1e-10));
    }
  }
}

TEST_CASE("A regression within bounds that hold its answer", "[least_squares]") {
  // The bounds are far from the answer, and the first step leaves a smaller box along its edges.
  const Regression& misra = nist_regressions().front();
  for (const double reach : {3.0, 50.0}) {
    LeastSquaresProblem problem = problem_of(misra, 0);
    problem.lower = vec({100, 1e-5});
    problem.upper = vec({100 * reach, 1e-5 * 60 * reach});
    const LeastSquaresResult result = solve(problem);
    CHECK(converged(result));
    CHECK(result.x[0] == Approx(misra.parameters[0]).epsilon(1e-7));
    CHECK(result.x[1] == Approx(misra.parameters[1]).epsilon(1e-7));
  }
}

TEST_CASE("Rosenbrock's residuals", "[least_squares]") {
  SECTION("without bounds") {
    const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -infinity), all(2, infinity), rosenbrock);
    CHECK(converged(result));
    check_near(result.x, all(2, 1), 1e-12);
    CHECK(result.evaluations < 60);
  }
  SECTION("the bound keeps the valley's end away") {
    // At x1 = 1.1 the first residual vanishes at x2 = 1.21; the second, -0.1 with slope -1, pushes against the bound.
    const LeastSquaresResult result = solve(vec({-1.2, 1}), vec({1.1, -2}), vec({3, 3}), rosenbrock);
    CHECK(converged(result));
    CHECK(result.x[0] == 1.1);
    CHECK(result.x[1] == Approx(1.21).epsilon(1e-9));
    CHECK(2 * result.cost == Approx(0.01).epsilon(1e-9));
    const VectorXd gradient = result.jacobian.transpose() * result.residuals;
    CHECK(gradient[0] == Approx(0.1).epsilon(1e-6));
    CHECK(std::abs(gradient[1]) < 1e-7);
  }
}

TEST_CASE("Powell's singular residuals", "[least_squares]") {
  // The Jacobian is singular at the answer, the origin, where convergence is linear.
  const Residuals powell = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    const double a = x[1] - 2 * x[2], b = x[0] - x[3];
    r = vec({x[0] + 10 * x[1], std::sqrt(5.0) * (x[2] - x[3]), a * a, std::sqrt(10.0) * b * b});
    if (!jacobian) return;
    jacobian->resize(4, 4);
    *jacobian << 1, 10, 0, 0, 0, 0, std::sqrt(5.0), -std::sqrt(5.0), 0, 2 * a, -4 * a, 0, 2 * std::sqrt(10.0) * b, 0, 0,
        -2 * std::sqrt(10.0) * b;
  };
  const LeastSquaresResult result = solve(vec({3, -1, 0, 1}), all(4, -infinity), all(4, infinity), powell);
  CHECK(converged(result));
  check_near(result.x, all(4, 0), 1e-6);
  CHECK(result.evaluations < 120);
}

TEST_CASE("A linear problem is solved in a few steps, whatever its units", "[least_squares]") {
  MatrixXd a(4, 2);
  a << 1, 2, 0, 1, -1, 1, 2, -1;
  const VectorXd b = vec({1, 2, 3, 4});
  const VectorXd expected = (a.transpose() * a).inverse() * a.transpose() * b;
  for (const double unit : {1.0, 1e-9, 1e9}) {
    const VectorXd units = vec({unit, 1 / unit});
    const LeastSquaresResult result =
        solve(0.5 * units, all(2, -infinity), all(2, infinity), linear(a * units.cwiseInverse().asDiagonal(), b));
    CHECK(converged(result));
    check_near(result.x.cwiseQuotient(units), expected, 1e-12);
    CHECK(result.evaluations <= 20);
  }
}

TEST_CASE("Random bounded linear problems satisfy the optimality conditions", "[least_squares]") {
  std::mt19937 random(11);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random()) / 4294967296.0);
  };
  int at_bounds = 0, fixed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(random() % 10), m = n + static_cast<Index>(random() % 10);
    const MatrixXd a = MatrixXd::NullaryExpr(m, n, [&] { return uniform(-1, 1); });
    const VectorXd b = VectorXd::NullaryExpr(m, [&] { return uniform(-3, 3); });
    VectorXd lower(n), upper(n), start(n);
    for (Index i = 0; i < n; ++i) {
      lower[i] = random() % 4 == 0 ? -infinity : uniform(-2, 0.5);
      upper[i] = random() % 4 == 0 ? infinity : std::max(lower[i], -2.0) + (random() % 8 == 0 ? 0 : uniform(0, 2));
      start[i] = uniform(-3, 3);
      fixed += lower[i] == upper[i];
    }
    const LeastSquaresResult result = solve(start, lower, upper, linear(a, b));
    INFO("trial " << trial << ", n = " << n << ": " << result.message);
    CHECK(converged(result));
    const VectorXd gradient = a.transpose() * (a * result.x - b);
    for (Index i = 0; i < n; ++i) {
      if (result.x[i] > lower[i]) CHECK(gradient[i] < 1e-6);
      if (result.x[i] < upper[i]) CHECK(gradient[i] > -1e-6);
      at_bounds += result.x[i] == lower[i] || result.x[i] == upper[i];
    }
    CHECK(result.evaluations < 40);
  }
  CHECK(at_bounds > 200);
  CHECK(fixed > 20);
}

TEST_CASE("Fixed variables stay, and are not counted against the residuals", "[least_squares]") {
  MatrixXd a(2, 3);
  a << 1, 2, 3, 4, 5, 7;
  // With x2 = 1: x1 + 3 x3 = 8 and 4 x1 + 7 x3 = 22 give x1 = 2, x3 = 2.
  const LeastSquaresResult result =
      solve(vec({0, 5, 0}), vec({-infinity, 1, -10}), vec({infinity, 1, 10}), linear(a, vec({10, 27})));
  CHECK(converged(result));
  check_near(result.x, vec({2, 1, 2}), 1e-10);
}

TEST_CASE("Robust losses find the minimum of their own sum", "[least_squares]") {
  // A line with two wild points; the minimum of each loss is found anew by a search that shares nothing with the
  // method: nested golden sections of the loss written out.
  const std::vector<double> t{0, 1, 2, 3, 4, 5, 6, 7}, y{1.1, 2.9, 5.2, 7.05, 30, 10.9, -20, 15.1};
  const auto kind = GENERATE(RobustLoss::Kind::Huber, RobustLoss::Kind::SoftL1, RobustLoss::Kind::Cauchy);
  const double scale = GENERATE(0.3, 2.0);
  const auto loss = [&](double r) {
    const double q = std::abs(r) / scale;
    if (kind == RobustLoss::Kind::Huber) return scale * scale * (q <= 1 ? q * q : 2 * q - 1);
    if (kind == RobustLoss::Kind::SoftL1) return scale * scale * 2 * (std::sqrt(1 + q * q) - 1);
    return scale * scale * std::log(1 + q * q);
  };
  const auto golden = [](const std::function<double(double)>& f, double low, double high) {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    while (high - low > 1e-9) {
      const double a = high - ratio * (high - low), b = low + ratio * (high - low);
      if (f(a) < f(b))
        high = b;
      else
        low = a;
    }
    return (low + high) / 2;
  };
  const auto cost = [&](double slope, double offset) {
    double sum = 0;
    for (std::size_t i = 0; i < t.size(); ++i) sum += 0.5 * loss(slope * t[i] + offset - y[i]);
    return sum;
  };
  const auto best_offset = [&](double slope) {
    return golden([&](double offset) { return cost(slope, offset); }, 0, 2);
  };
  const double slope = golden([&](double s) { return cost(s, best_offset(s)); }, 1, 3);

  LeastSquaresProblem problem;
  problem.start = vec({1.5, 1.5});
  problem.lower = all(2, -10);
  problem.upper = all(2, 10);
  problem.loss = {kind, scale};
  problem.evaluate = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r.resize(8);
    if (jacobian) jacobian->resize(8, 2);
    for (Index i = 0; i < 8; ++i) {
      const auto k = static_cast<std::size_t>(i);
      r[i] = x[0] * t[k] + x[1] - y[k];
      if (jacobian) jacobian->row(i) << t[k], 1;
    }
  };
  const LeastSquaresResult result = solve(problem);
  INFO(result.message);
  CHECK(converged(result));
  // A golden section knows its minimum to the root of the rounding.
  check_near(result.x, vec({slope, best_offset(slope)}), 1e-6);
  CHECK(result.cost == Approx(cost(slope, best_offset(slope))).epsilon(1e-10));
  CHECK(result.evaluations < 60);
  // Without a loss the wild points carry the line away; with one it passes near y = 2 t + 1.
  if (scale < 1) check_near(result.x, vec({2, 1}), 0.15);
  problem.loss = {};
  CHECK(std::abs(solve(problem).x[0] - 2) > 0.5);
}
