// SPDX-License-Identifier: MIT
// Bounded minimization: every problem must end at the optimum that is known by hand, and never leave its bounds.
#include <random>

#include "lbfgsb_problems.hpp"

using namespace lbfgsb_test;

TEST_CASE("Rosenbrock's function within bounds", "[lbfgsb]") {
  SECTION("the bound keeps the valley's end away") {
    // At x1 = 1.1 the valley asks for x2 = 1.21; there df/dx1 = 2 (1.1 - 1) > 0 pushes against the bound.
    const Result result = solve(vec({-1.2, 1}), vec({1.1, -2}), vec({3, 3}), rosenbrock);
    CHECK(converged(result));
    check_near(result.x, vec({1.1, 1.21}), 1e-8);
    CHECK(result.value == Approx(0.01));
    CHECK(result.gradient[0] == Approx(0.2).epsilon(1e-5));
    CHECK(result.evaluations < 60);
  }
  SECTION("inner optimum, in more variables, bounds on some sides only") {
    for (const Index n : {2, 5, 25}) {
      VectorXd lower = all(n, -infinity), upper = all(n, infinity);
      for (Index i = 0; i < n; i += 3) lower[i] = -1.5;
      for (Index i = 1; i < n; i += 3) upper[i] = 2;
      const Result result = solve(rosenbrock_start(n), lower, upper, rosenbrock);
      CHECK(converged(result));
      check_near(result.x, all(n, 1), 1e-6);
      CHECK(result.evaluations < 40 + 10 * n);
    }
  }
  SECTION("bound active at the first variable of many") {
    for (const Index n : {5, 25}) {
      VectorXd lower = all(n, -5);
      lower[0] = 1.1;
      const Result result = solve(rosenbrock_start(n), lower, all(n, 5), rosenbrock);
      CHECK(converged(result));
      CHECK(result.x[0] == 1.1);
      CHECK(result.gradient[0] > 0);
      CHECK(result.gradient.tail(n - 1).lpNorm<Eigen::Infinity>() < 1e-5);
    }
  }
}

TEST_CASE("A linear objective runs into the corner", "[lbfgsb]") {
  const VectorXd slope = vec({1, -2, 1e-3, -50, 3});
  const Function linear = [&](const VectorXd& x, VectorXd& gradient) {
    gradient = slope;
    return slope.dot(x);
  };
  const Result result = solve(vec({0.3, 0, 700, 5, -1}), vec({-1, -1, 0, -10, -3}), vec({1, 1, 1000, 10, 3}), linear);
  CHECK(result.reason == Reason::ProjectedGradient);
  CHECK(result.x == vec({-1, 1, 0, 10, -3}));
  CHECK(result.evaluations < 40);
}

TEST_CASE("Variables of very different size", "[lbfgsb]") {
  const VectorXd optimum = vec({2.5e4, 0.3, -4e-5});
  const Function function = [&](const VectorXd& x, VectorXd& gradient) {
    const VectorXd size = vec({1e4, 1, 1e-5});
    const VectorXd u = (x - optimum).cwiseQuotient(size);
    gradient = vec({2 * u[0] + u[1], 4 * u[1] + u[0] + 4 * u[1] * u[1] * u[1], 2 * u[2]}).cwiseQuotient(size);
    return u[0] * u[0] + u[0] * u[1] + 2 * u[1] * u[1] + std::pow(u[1], 4) + u[2] * u[2];
  };
  const VectorXd start = vec({1e4, 1, 1e-5});
  const Result free = solve(start, all(3, -infinity), all(3, infinity), function);
  const Result bounded = solve(start, vec({-1e5, -10, -1e-4}), vec({1e5, 10, 1e-4}), function);
  for (const Result& result : {free, bounded}) {
    CHECK(converged(result));
    check_near(result.x.cwiseQuotient(optimum), all(3, 1), 1e-6);
    CHECK(result.evaluations < 40);
  }
}

TEST_CASE("Fixed variables stay, and do not disturb the others", "[lbfgsb]") {
  const Function function = bowl(vec({5, 1, -3}), vec({1e8, 1, 2}));
  const Result result = solve(vec({7, 0, 0}), vec({2, -infinity, -1}), vec({2, infinity, 4}), function);
  CHECK(result.reason == Reason::ProjectedGradient);
  CHECK(result.x[0] == 2);
  check_near(result.x, vec({2, 1, -1}), 1e-8);
  CHECK(result.evaluations < 20);

  const Result nothing_to_do = solve(vec({7, 7}), vec({0.1, 3}), vec({0.1, 3}), rosenbrock);
  CHECK(nothing_to_do.reason == Reason::ProjectedGradient);
  CHECK(nothing_to_do.evaluations == 1);
  CHECK(nothing_to_do.x == vec({0.1, 3}));
}

TEST_CASE("The start may lie on a bound or outside", "[lbfgsb]") {
  const VectorXd lower = vec({1.1, -2}), upper = vec({3, 3});
  for (const VectorXd& start : {vec({1.1, -2}), vec({3, 3}), vec({1.1, 3}), vec({-100, 50}), vec({1e9, -1e9})}) {
    const Result result = solve(start, lower, upper, rosenbrock);
    CHECK(converged(result));
    check_near(result.x, vec({1.1, 1.21}), 1e-7);
    CHECK(result.history.front().x == start.cwiseMax(lower).cwiseMin(upper));
  }
}

TEST_CASE("A start at the optimum returns at once", "[lbfgsb]") {
  const Result inside = solve(all(2, 1), all(2, -2), all(2, 3), rosenbrock);
  CHECK(inside.reason == Reason::ProjectedGradient);
  CHECK(inside.evaluations == 1);
  CHECK(inside.x == all(2, 1));
  const Result in_corner = solve(all(2, 1), all(2, 1), all(2, 3), bowl(all(2, 0), all(2, 1)));
  CHECK(in_corner.evaluations == 1);
  CHECK(in_corner.iterations == 0);
}

TEST_CASE("Ill-conditioned quadratics", "[lbfgsb]") {
  const Index n = 8;
  VectorXd stiffness(n), centre(n);
  for (Index i = 0; i < n; ++i) {
    stiffness[i] = std::pow(1e6, static_cast<double>(i) / (n - 1));
    centre[i] = 1 + 0.25 * static_cast<double>(i);
  }
  // Rotated, so that scaling the variables cannot undo it.
  const VectorXd axis = VectorXd::LinSpaced(n, -1, 2).normalized();
  const MatrixXd turn = MatrixXd::Identity(n, n) - 2 * axis * axis.transpose();
  const MatrixXd matrix = turn * stiffness.asDiagonal() * turn;
  const Function function = [&](const VectorXd& x, VectorXd& gradient) {
    gradient = matrix * (x - centre);
    return 0.5 * gradient.dot(x - centre);
  };
  const Result result = solve(all(n, 0), all(n, -4), all(n, 4), function);
  CHECK(converged(result));
  check_near(result.x, centre, 1e-6);
  CHECK(result.evaluations < 400);
}

TEST_CASE("Values too small or too large for absolute thresholds", "[lbfgsb]") {
  for (const double factor : {1e-25, 1e25}) {
    Options options;
    options.projected_gradient = 1e-9 * std::min(factor, 1.0);
    const auto scaled = [=](const VectorXd& x, VectorXd& gradient) {
      const double value = factor * rosenbrock(x, gradient);
      gradient *= factor;
      return value;
    };
    const Result result = solve(vec({-1.2, 1}), vec({1.1, -2}), vec({3, 3}), scaled, options);
    CHECK(converged(result));
    check_near(result.x, vec({1.1, 1.21}), 1e-7);
  }
}

TEST_CASE("A projected direction almost orthogonal to the gradient does not jam the search", "[lbfgsb]") {
  // Here the projection of the subspace minimum is the corner of the bounds, step after step, while the objective falls
  // along the gradient: a line search alone would end where the way to the corner is level.
  const VectorXd size = vec({1722.64, 1.59715}), centre = vec({1.23476, 0.324532}), weight = vec({0.969669, 1.77494});
  const Function function = [&](const VectorXd& x, VectorXd& gradient) {
    const VectorXd u = x.cwiseQuotient(size), d = u - centre;
    const double first = 3 * u[0], second = 3 * u[1] + u[0];
    gradient = weight.cwiseProduct(d) - vec({3 * std::sin(first) + std::sin(second), 3 * std::sin(second)});
    gradient = gradient.cwiseQuotient(size);
    return 0.5 * d.dot(weight.cwiseProduct(d)) + std::cos(first) + std::cos(second);
  };
  const VectorXd lower = vec({-infinity, -2.1767}), upper = vec({1651.16, 2.88655});
  const Result result = solve(vec({-4327.13, 1.52998}), lower, upper, function);
  CHECK(converged(result));
  const VectorXd step =
      (result.x - result.gradient.cwiseProduct(size).cwiseProduct(size)).cwiseMax(lower).cwiseMin(upper);
  check_near((step - result.x).cwiseQuotient(size), all(2, 0), 1e-6);
}

TEST_CASE("Random bounded convex quadratics satisfy the optimality conditions", "[lbfgsb]") {
  std::mt19937 random(7);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random()) / 4294967296.0);
  };
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(random() % 12);
    const MatrixXd factor = MatrixXd::NullaryExpr(n, n, [&] { return uniform(-1, 1); });
    const MatrixXd matrix = factor * factor.transpose() + std::pow(10, uniform(-3, 0)) * MatrixXd::Identity(n, n);
    const VectorXd linear = VectorXd::NullaryExpr(n, [&] { return uniform(-3, 3); });
    VectorXd lower(n), upper(n), start(n);
    for (Index i = 0; i < n; ++i) {
      lower[i] = random() % 4 == 0 ? -infinity : uniform(-2, 0.5);
      upper[i] = random() % 4 == 0 ? infinity : std::max(lower[i], -2.0) + (random() % 8 == 0 ? 0 : uniform(0, 2));
      start[i] = uniform(-3, 3);
    }
    const Function function = [&](const VectorXd& x, VectorXd& gradient) {
      gradient = matrix * x + linear;
      return 0.5 * x.dot(gradient + linear);
    };
    Options options;
    options.memory = 3 + static_cast<int>(random() % 10);
    const Result result = solve(start, lower, upper, function, options);
    INFO("trial " << trial << ", n = " << n << ": " << result.message);
    CHECK(converged(result));
    // Free variables have no gradient left; at a bound the gradient points out of the bounds.
    for (Index i = 0; i < n; ++i) {
      const double gradient = result.gradient[i];
      if (result.x[i] > lower[i]) CHECK(gradient < 1e-5);
      if (result.x[i] < upper[i]) CHECK(gradient > -1e-5);
    }
  }
}
