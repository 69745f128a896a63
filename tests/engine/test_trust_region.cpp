// SPDX-License-Identifier: MIT
// Newton's method in a trust region within bounds: known minima, among them those of W. Hock and K. Schittkowski, Test
// Examples for Nonlinear Programming Codes (1981), with bounds alone; saddle points, failures and limits. Products of
// second derivatives are complex steps of gradients by hand.
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "error.hpp"
#include "lbfgsb_problems.hpp"
#include "optimize/newton/box_step.hpp"
#include "optimize/newton/trust_region.hpp"

using namespace lbfgsb_test;
using Eigen::VectorXcd;

namespace {

using Complex = std::complex<double>;

/// The value, and the gradient into the second argument.
using Smooth = std::function<Complex(const VectorXcd&, VectorXcd&)>;

NewtonProblem newton_problem(const Smooth& f, const VectorXd& start, const VectorXd& lower, const VectorXd& upper) {
  NewtonProblem problem;
  problem.objective = {start, lower, upper, [f](const VectorXd& x, VectorXd& gradient) {
                         VectorXcd slope = VectorXcd::Zero(x.size());
                         const double value = f(x.cast<Complex>(), slope).real();
                         gradient = slope.real();
                         return value;
                       }};
  problem.hessian_product = [f](const VectorXd& x, const VectorXd& direction) -> VectorXd {
    constexpr double h = 1e-40;
    VectorXcd slope = VectorXcd::Zero(x.size());
    f(x.cast<Complex>() + Complex(0, h) * direction.cast<Complex>(), slope);
    return slope.imag() / h;
  };
  return problem;
}

/// Minimizes, and checks what holds however it ends.
Result solve_newton(const NewtonProblem& given, const TrustRegionOptions& options = {}) {
  int calls = 0, products = 0, outside = 0;
  const Problem& of = given.objective;
  const auto look = [&](const VectorXd& x) {
    outside += !((x.array() >= of.lower.array()).all() && (x.array() <= of.upper.array()).all());
  };
  NewtonProblem problem = given;
  problem.objective.evaluate = [&](const VectorXd& x, VectorXd& gradient) {
    ++calls;
    look(x);
    return of.evaluate(x, gradient);
  };
  problem.hessian_product = [&](const VectorXd& x, const VectorXd& direction) {
    ++products;
    look(x);
    return given.hessian_product(x, direction);
  };
  const Result result = minimize(problem, options);
  INFO(result.message);
  CHECK(outside == 0);
  CHECK(calls == result.evaluations);
  CHECK(products == result.products);
  CHECK(calls + products <= options.max_evaluations);
  VectorXd gradient = VectorXd::Zero(of.start.size());
  CHECK(of.evaluate(result.x, gradient) == result.value);
  CHECK(gradient == result.gradient);
  CHECK(result.value <= result.initial);
  REQUIRE(static_cast<int>(result.history.size()) == result.iterations + 1);
  for (std::size_t i = 1; i < result.history.size(); ++i)
    CHECK(result.history[i].value <= result.history[i - 1].value + 1e-14 * std::abs(result.initial));
  return result;
}

Complex valley(const VectorXcd& x, VectorXcd& gradient) {
  Complex value = 0;
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const Complex bent = x[i + 1] - x[i] * x[i], away = 1.0 - x[i];
    value += 100.0 * bent * bent + away * away;
    gradient[i] += -400.0 * x[i] * bent - 2.0 * away;
    gradient[i + 1] += 200.0 * bent;
  }
  return value;
}

struct Known {
  std::string name;
  NewtonProblem problem;
  double minimum;
  VectorXd x;
};

std::vector<Known> hock_schittkowski() {
  std::vector<Known> known;
  const double none = infinity, pi = std::acos(-1.0);
  known.push_back({"1", newton_problem(valley, vec({-2, 1}), vec({-none, -1.5}), all(2, none)), 0, all(2, 1)});
  const double a = std::sqrt(598.0 / 1200), b = 400 * a * a * a, x1 = 2 * a * std::cos(std::acos(1 / b) / 3);
  known.push_back({"2, started to the right of the other minimum",
                   newton_problem(valley, vec({2, 1}), vec({-none, 1.5}), all(2, none)),
                   100 * std::pow(1.5 - x1 * x1, 2) + std::pow(1 - x1, 2), vec({x1, 1.5})});
  known.push_back({"3",
                   newton_problem(
                       [](const VectorXcd& x, VectorXcd& g) {
                         const Complex d = x[1] - x[0];
                         g[0] = -2e-5 * d;
                         g[1] = 1.0 + 2e-5 * d;
                         return x[1] + 1e-5 * d * d;
                       },
                       vec({10, 1}), vec({-none, 0}), all(2, none)),
                   0, vec({0, 0})});
  known.push_back({"4",
                   newton_problem(
                       [](const VectorXcd& x, VectorXcd& g) {
                         g[0] = std::pow(x[0] + 1.0, 2);
                         g[1] = 1;
                         return std::pow(x[0] + 1.0, 3) / 3.0 + x[1];
                       },
                       vec({1.125, 0.125}), vec({1, 0}), all(2, none)),
                   8.0 / 3, vec({1, 0})});
  known.push_back({"5",
                   newton_problem(
                       [](const VectorXcd& x, VectorXcd& g) {
                         const Complex d = x[0] - x[1], c = std::cos(x[0] + x[1]);
                         g[0] = c + 2.0 * d - 1.5;
                         g[1] = c - 2.0 * d + 2.5;
                         return std::sin(x[0] + x[1]) + d * d - 1.5 * x[0] + 2.5 * x[1] + 1.0;
                       },
                       vec({0, 0}), vec({-1.5, -3}), vec({4, 3})),
                   -std::sqrt(3.0) / 2 - pi / 3, vec({0.5 - pi / 3, -0.5 - pi / 3})});
  known.push_back({"38",
                   newton_problem(
                       [](const VectorXcd& x, VectorXcd& g) {
                         const Complex p = x[1] - x[0] * x[0], q = x[3] - x[2] * x[2], r = x[1] - 1.0, s = x[3] - 1.0;
                         g[0] = -400.0 * x[0] * p - 2.0 * (1.0 - x[0]);
                         g[1] = 200.0 * p + 20.2 * r + 19.8 * s;
                         g[2] = -360.0 * x[2] * q - 2.0 * (1.0 - x[2]);
                         g[3] = 180.0 * q + 20.2 * s + 19.8 * r;
                         return 100.0 * p * p + std::pow(1.0 - x[0], 2) + 90.0 * q * q + std::pow(1.0 - x[2], 2) +
                                10.1 * (r * r + s * s) + 19.8 * r * s;
                       },
                       vec({-3, -1, -3, -1}), all(4, -10), all(4, 10)),
                   0, all(4, 1)});
  known.push_back({"45",
                   newton_problem(
                       [](const VectorXcd& x, VectorXcd& g) {
                         for (Index i = 0; i < 5; ++i) {
                           g[i] = -1.0 / 120;
                           for (Index k = 0; k < 5; ++k) g[i] *= k == i ? 1.0 : x[k];
                         }
                         return 2.0 - x.prod() / 120.0;
                       },
                       all(5, 2), all(5, 0), vec({1, 2, 3, 4, 5})),
                   1, vec({1, 2, 3, 4, 5})});
  return known;
}

/// x^2 - y^2 + y^4 / 2: a saddle point at zero, minima of -1/2 at y = 1 and y = -1.
Complex saddle(const VectorXcd& x, VectorXcd& g) {
  g[0] = 2.0 * x[0];
  g[1] = -2.0 * x[1] + 2.0 * std::pow(x[1], 3);
  return x[0] * x[0] - x[1] * x[1] + 0.5 * std::pow(x[1], 4);
}

}  // namespace

TEST_CASE("Newton: problems of Hock and Schittkowski with bounds", "[trust_region]") {
  for (const Known& known : hock_schittkowski()) {
    INFO("problem " << known.name);
    const Result result = solve_newton(known.problem);
    INFO(result.message);
    CHECK(converged(result));
    check_near(result.x, known.x, 1e-8 * std::max(1.0, known.x.lpNorm<Eigen::Infinity>()));
    CHECK(std::abs(result.value - known.minimum) <= 1e-8 * std::max(1.0, std::abs(known.minimum)));
    CHECK(result.evaluations <= 80);
  }
}

TEST_CASE("Newton: an inner minimum of ten variables, to the printed digits", "[trust_region]") {
  // Problem 110. Its ten variables are alike at the minimum: 2 ln(x - 2) / (x - 2) - 2 ln(10 - x) / (10 - x) = x / 5.
  const auto logarithms = [](const VectorXcd& x, VectorXcd& g) {
    const Complex product = std::pow(x.prod(), 0.2);
    Complex sum = -product;
    for (Index i = 0; i < x.size(); ++i) {
      const Complex low = std::log(x[i] - 2.0), high = std::log(10.0 - x[i]);
      sum += low * low + high * high;
      g[i] = 2.0 * low / (x[i] - 2.0) - 2.0 * high / (10.0 - x[i]) - 0.2 * product / x[i];
    }
    return sum;
  };
  const Result result = solve_newton(newton_problem(logarithms, all(10, 9), all(10, 2.001), all(10, 9.999)));
  CHECK(converged(result));
  CHECK(std::abs(result.value + 45.77846971) < 1e-8);
  check_near(result.x, all(10, 9.35026583), 1e-8);
  for (const double x : result.x)
    CHECK(std::abs(2 * std::log(x - 2) / (x - 2) - 2 * std::log(10 - x) / (10 - x) - x / 5) < 1e-7);
}

TEST_CASE("Newton: Rosenbrock's function in many variables", "[trust_region]") {
  for (const Index n : {2, 3, 25}) {  // of four to seven there is another minimum
    VectorXd lower = all(n, -infinity), upper = all(n, infinity);
    for (Index i = 0; i < n; i += 3) lower[i] = -1.5;
    for (Index i = 1; i < n; i += 3) upper[i] = 2;
    const NewtonProblem problem = newton_problem(valley, rosenbrock_start(n), lower, upper);
    const Result result = solve_newton(problem);
    INFO(result.message);
    CHECK(converged(result));
    check_near(result.x, all(n, 1), 1e-8);
    CHECK(result.evaluations < minimize(problem.objective).evaluations);
    // Conjugate gradients of a chain need few of its directions.
    CHECK(result.products <= std::min<Index>(n, 20) * result.evaluations);
    CHECK(result.least_curvature > 0);
  }
}

TEST_CASE("Newton: convergence is quadratic", "[trust_region]") {
  TrustRegionOptions options;
  options.projected_gradient = 1e-10;
  const Result result = solve_newton(newton_problem(valley, vec({-1.2, 1}), all(2, -5), all(2, 5)), options);
  check_near(result.x, all(2, 1), 1e-11);
  const auto& history = result.history;
  REQUIRE(history.size() > 4);
  const double before = history[history.size() - 2].projected_gradient, last = history.back().projected_gradient;
  CHECK(last < 1e-2 * before);
}

TEST_CASE("Newton: a quadratic takes one step where the region allows it", "[trust_region]") {
  const VectorXd stiffness = vec({1, 100, 1e4}), centre = vec({0.1, -0.2, 0.15});
  const auto quadratic = [&](const VectorXcd& x, VectorXcd& g) {
    const VectorXcd away = x - centre.cast<Complex>();
    g = stiffness.cast<Complex>().cwiseProduct(away);
    return 0.5 * (g.transpose() * away)(0);
  };
  TrustRegionOptions options;
  options.max_evaluations = 40;
  const Result result = solve_newton(newton_problem(quadratic, all(3, 0), all(3, -1), all(3, 1)), options);
  CHECK(converged(result));
  check_near(result.x, centre, 1e-9);
  CHECK(result.iterations <= 6);
  CHECK(result.least_curvature == Approx(1 * 4));  // the scale of all variables is 2
  CHECK_THAT(result.message, Contains("It is a minimum: the least curvature is 4."));
}

TEST_CASE("Newton: a saddle point or a maximum at the start is left", "[trust_region]") {
  SECTION("a saddle point, and a start from which the gradient leads into it") {
    for (const VectorXd& start : {vec({0, 0}), vec({1, 0}), vec({-0.7, 0})}) {
      const NewtonProblem problem = newton_problem(saddle, start, all(2, -3), all(2, 3));
      const Result result = solve_newton(problem);
      INFO(result.message);
      CHECK(converged(result));
      CHECK(result.value == Approx(-0.5));
      CHECK(std::abs(result.x[1]) == Approx(1));
      CHECK(minimize(problem.objective).value == Approx(0).margin(1e-9));  // gradients alone do not see it
    }
  }
  SECTION("a maximum") {
    const auto hill = [](const VectorXcd& x, VectorXcd& g) {
      Complex sum = 0;
      for (Index i = 0; i < x.size(); ++i) {
        g[i] = -std::sin(x[i]);
        sum += std::cos(x[i]);
      }
      return sum;
    };
    const Result result = solve_newton(newton_problem(hill, all(3, 0), all(3, -2), all(3, 1)));
    for (const double x : result.x) CHECK((x == -2 || x == 1));
  }
  SECTION("at a bound: there is one side to go to") {
    for (const double sign : {1.0, -1.0}) {
      const double low = sign > 0 ? 0 : -2, high = sign > 0 ? 2 : 0;
      const Result result = solve_newton(newton_problem(saddle, vec({0, 0}), vec({-3, low}), vec({3, high})));
      check_near(result.x, vec({0, sign}), 1e-8);
    }
  }
  SECTION("but not where the bounds leave no way down") {
    const Result result = solve_newton(newton_problem(saddle, vec({0, 0}), vec({-3, 0}), vec({3, 0})));
    CHECK(result.reason == Reason::ProjectedGradient);
    CHECK(result.x == vec({0, 0}));
    CHECK_THAT(result.message, Contains("It is a minimum"));
  }
  SECTION("one direction of many") {
    // Beyond the directions that are looked at one by one: the method of Lanczos sees the one that bends down.
    const auto bowl_with_hill = [](const VectorXcd& x, VectorXcd& g) {
      Complex sum = 0;
      for (Index i = 0; i < x.size(); ++i) {
        const double stiffness = i == 17 ? -3 : 1 + static_cast<double>(i) / 40;
        g[i] = stiffness * x[i] + (i == 17 ? 4.0 * std::pow(x[i], 3) : 0.0);
        sum += 0.5 * stiffness * x[i] * x[i] + (i == 17 ? std::pow(x[i], 4) : 0.0);
      }
      return sum;
    };
    const Result result = solve_newton(newton_problem(bowl_with_hill, all(40, 0), all(40, -2), all(40, 2)));
    CHECK(converged(result));
    CHECK(result.value == Approx(-9.0 / 16));  // at x^2 = 3 / 4
  }
}

TEST_CASE("Newton: negative curvature on the way", "[trust_region]") {
  const Result result = solve_newton(newton_problem(saddle, vec({0.5, 1e-3}), all(2, -3), all(2, 3)));
  CHECK(converged(result));
  check_near(result.x, vec({0, 1}), 1e-8);
  CHECK(result.evaluations < 15);
  // Where it goes on to the bounds.
  const auto ridge = [](const VectorXcd& x, VectorXcd& g) {
    g[0] = -x[0] + 0.1;
    g[1] = 2.0 * (x[1] - x[0]);
    g[0] -= 2.0 * (x[1] - x[0]);
    return -0.5 * x[0] * x[0] + 0.1 * x[0] + (x[1] - x[0]) * (x[1] - x[0]);
  };
  const Result corner = solve_newton(newton_problem(ridge, vec({0, 0}), all(2, -1), all(2, 3)));
  CHECK(corner.reason == Reason::ProjectedGradient);
  check_near(corner.x, vec({-1, -1}), 1e-9);
  CHECK_THAT(corner.message, Contains("It is a minimum"));  // what the slope holds at a bound may bend down
}

TEST_CASE("Newton: the step in a box", "[trust_region]") {
  // Of a diagonal model each variable has its own least: -g / h inside, or the better edge where h is negative.
  const VectorXd bend = vec({2, -3, 5, 0.5, -1}), slope = vec({0.4, -0.3, -1, 3, 0.2});
  int products = 0;
  Curvature curvature([&](const VectorXd& d) -> VectorXd {
    ++products;
    CHECK(d.norm() == Approx(1));
    return bend.cwiseProduct(d);
  });
  const BoxStep found = box_step(curvature, slope, all(5, -1), all(5, 1), 1e-12);
  const VectorXd expected = vec({-0.2, 1, 0.2, -1, -1});
  check_near(found.step, expected, 1e-10);
  CHECK(found.promised == Approx(-slope.dot(expected) - 0.5 * expected.dot(bend.cwiseProduct(expected))));
  CHECK(products <= 5);
  // A shorter one from the same point: most of it is known.
  const BoxStep shorter = box_step(curvature, slope, all(5, -0.1), all(5, 0.1), 1e-12);
  check_near(shorter.step, vec({-0.1, 0.1, 0.1, -0.1, -0.1}), 1e-10);
  CHECK(products <= 5);
}

TEST_CASE("Newton: starts on bounds and outside, fixed variables", "[trust_region]") {
  const VectorXd lower = vec({1.1, -2}), upper = vec({3, 3});
  for (const VectorXd& start : {vec({1.1, -2}), vec({3, 3}), vec({1.1, 3}), vec({-100, 50}), vec({1e9, -1e9})}) {
    const Result result = solve_newton(newton_problem(valley, start, lower, upper));
    CHECK(converged(result));
    check_near(result.x, vec({1.1, 1.21}), 1e-8);
  }
  const Result fixed = solve_newton(newton_problem(valley, vec({5, 5}), vec({-2, 2}), vec({2, 2})));
  CHECK(fixed.x[1] == 2);
  CHECK(std::abs(fixed.gradient[0]) < 1e-6);
  const Result nothing = solve_newton(newton_problem(valley, vec({7, 7}), vec({0.1, 3}), vec({0.1, 3})));
  CHECK(nothing.reason == Reason::ProjectedGradient);
  CHECK(nothing.evaluations == 1);
  CHECK(nothing.products == 0);
}

TEST_CASE("Newton: random quadratics in boxes satisfy conditions of both orders", "[trust_region]") {
  std::mt19937 random(11);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random()) / 4294967296.0);
  };
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(random() % 9);
    const bool is_convex = trial % 2 == 0;
    MatrixXd matrix = MatrixXd::NullaryExpr(n, n, [&] { return uniform(-1, 1); });
    matrix = is_convex ? MatrixXd(matrix * matrix.transpose() + 1e-2 * MatrixXd::Identity(n, n))
                       : MatrixXd(matrix + matrix.transpose());
    const VectorXd linear = VectorXd::NullaryExpr(n, [&] { return uniform(-1, 1); });
    const VectorXd lower = VectorXd::NullaryExpr(n, [&] { return uniform(-2, 0); });
    const VectorXd upper = lower + VectorXd::NullaryExpr(n, [&] { return uniform(0.1, 3); });
    const VectorXd start = VectorXd::NullaryExpr(n, [&] { return uniform(-2, 3); });
    const auto quadratic = [&](const VectorXcd& x, VectorXcd& g) {
      g = matrix.cast<Complex>() * x + linear.cast<Complex>();
      return 0.5 * (x.transpose() * (g + linear.cast<Complex>()))(0);
    };
    const Result result = solve_newton(newton_problem(quadratic, start, lower, upper));
    INFO("trial " << trial << ", n = " << n << ": " << result.message);
    CHECK(converged(result));
    std::vector<Index> free;
    for (Index i = 0; i < n; ++i) {
      if (result.x[i] > lower[i]) CHECK(result.gradient[i] < 1e-6);
      if (result.x[i] < upper[i]) CHECK(result.gradient[i] > -1e-6);
      if (result.x[i] > lower[i] && result.x[i] < upper[i]) free.push_back(i);
    }
    if (free.empty()) continue;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(MatrixXd(matrix(free, free)));
    CHECK(parts.eigenvalues()[0] > 0);
  }
}

TEST_CASE("Newton: steps into a region where the objective does not exist are shortened", "[trust_region]") {
  const bool throws = GENERATE(false, true);
  const auto wall = [=](const VectorXcd& x, VectorXcd& g) -> Complex {
    if (x[0].real() >= 1) {
      if (throws) throw perilune::NumericalError("The simulation failed.");
      return not_a_number;
    }
    g[0] = -10.0 + 1.0 / (1.0 - x[0]);
    return -10.0 * x[0] - std::log(1.0 - x[0]);
  };
  for (const double start : {0.0, -300.0, 0.999999}) {
    const Result result = solve_newton(newton_problem(wall, vec({start}), vec({-infinity}), vec({5})));
    CHECK(converged(result));
    check_near(result.x, vec({0.9}), 1e-8);
    CHECK(result.evaluations < 60);
  }
}

TEST_CASE("Newton: an objective that falls right up to where it fails stalls there and says so", "[trust_region]") {
  const auto cliff = [](const VectorXcd& x, VectorXcd& g) -> Complex {
    g[0] = -1;
    return x[0].real() > 0.77 ? Complex(not_a_number) : -x[0];
  };
  const Result result = solve_newton(newton_problem(cliff, vec({0}), vec({-infinity}), vec({infinity})));
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("failed"));
  check_near(result.x, vec({0.77}), 1e-9);
  CHECK(result.evaluations < 300);
}

TEST_CASE("Newton: an objective that falls without end ends, and says why", "[trust_region]") {
  const auto slope = [](const VectorXcd& x, VectorXcd& g) {
    g.setOnes();
    return x.sum();
  };
  const Result result = solve_newton(newton_problem(slope, vec({1, 1}), all(2, -infinity), all(2, infinity)));
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("without end"));
}

TEST_CASE("Newton: where second derivatives are missing", "[trust_region]") {
  NewtonProblem problem = newton_problem(valley, vec({-1.2, 1}), all(2, -2), all(2, 2));
  const auto exact = problem.hessian_product;
  SECTION("at the start") {
    problem.hessian_product = [](const VectorXd&, const VectorXd&) -> VectorXd {
      throw perilune::NumericalError("there are events");
    };
    CHECK_THROWS_AS(minimize(problem), perilune::NumericalError);
    CHECK_THROWS_WITH(minimize(problem), Contains("there are events") && Contains("mbs.lbfgsb {}"));
  }
  SECTION("on the way: the best point is kept") {
    int products = 0;
    problem.hessian_product = [&](const VectorXd& x, const VectorXd& direction) -> VectorXd {
      if (++products > 7) return all(2, not_a_number);
      return exact(x, direction);
    };
    const Result result = solve_newton(problem);
    CHECK(result.reason == Reason::Stalled);
    CHECK(result.value < result.initial);
    CHECK_THAT(result.message, Contains("not a finite number") && Contains("mbs.lbfgsb {} goes on"));
  }
  SECTION("of the wrong size") {
    problem.hessian_product = [](const VectorXd&, const VectorXd&) { return all(3, 0); };
    CHECK_THROWS_WITH(minimize(problem), Contains("3 entries"));
  }
}

TEST_CASE("Newton: the limit counts products, and is never exceeded", "[trust_region]") {
  const NewtonProblem problem = newton_problem(valley, vec({-1.2, 1}), all(2, -2), all(2, 2));
  for (int limit = 1; limit < 30; ++limit) {
    TrustRegionOptions options;
    options.max_evaluations = limit;
    const Result result = solve_newton(problem, options);
    CHECK(result.reason == Reason::EvaluationLimit);
    CHECK(result.evaluations + result.products == limit);
    CHECK_THAT(result.message, Contains("max_evaluations"));
  }
}

TEST_CASE("Newton: an interrupt keeps the best point", "[trust_region]") {
  NewtonProblem problem = newton_problem(valley, vec({-1.2, 1}), all(2, -2), all(2, 2));
  const auto exact = problem.hessian_product;
  int products = 0;
  problem.hessian_product = [&](const VectorXd& x, const VectorXd& direction) -> VectorXd {
    if (++products == 9) throw perilune::Interrupted();
    return exact(x, direction);
  };
  const Result result = solve_newton(problem);
  CHECK(result.reason == Reason::Interrupted);
  CHECK(result.value < result.initial);
  problem.objective.evaluate = [](const VectorXd&, VectorXd&) -> double { throw perilune::Interrupted(); };
  CHECK_THROWS_AS(minimize(problem), perilune::Interrupted);
}

TEST_CASE("Newton: a noisy objective ends", "[trust_region]") {
  NewtonProblem problem = newton_problem(valley, vec({-1.2, 1}), all(2, -2), all(2, 2));
  const auto exact = problem.objective.evaluate;
  problem.objective.evaluate = [&](const VectorXd& x, VectorXd& gradient) {
    return 1 + exact(x, gradient) + 1e-9 * std::sin(1e9 * x.sum());
  };
  const Result unknown = minimize(problem);
  CHECK(unknown.reason != Reason::EvaluationLimit);
  check_near(unknown.x, all(2, 1), 1e-3);
  // Where the noise is known, gradients decide below it.
  for (int k = 0; k < 20; ++k) {
    problem.objective.noise = 1e-5;
    problem.objective.evaluate = [&](const VectorXd& x, VectorXd& gradient) {
      return 1 + exact(x, gradient) + 4e-6 * std::sin((1 + 0.1 * k) * 1e9 * x.sum());
    };
    const Result known = minimize(problem);
    INFO(known.message);
    CHECK(converged(known));
    check_near(known.x, all(2, 1), 1e-7);
  }
}

TEST_CASE("Newton: without curvature along some direction it says that it cannot tell", "[trust_region]") {
  const auto trough = [](const VectorXcd& x, VectorXcd& g) {
    const Complex sum = x[0] + x[1] - 1.0;
    g.setConstant(2.0 * sum);
    return sum * sum;
  };
  const Result result = solve_newton(newton_problem(trough, vec({0, 0}), all(2, -2), all(2, 2)));
  CHECK(converged(result));
  CHECK(result.x.sum() == Approx(1));
  CHECK_THAT(result.message, Contains("do not tell whether it is a minimum"));
}

TEST_CASE("Newton: problems and options that make no sense are refused", "[trust_region]") {
  NewtonProblem problem = newton_problem(valley, vec({0, 0}), all(2, -1), all(2, 1));
  TrustRegionOptions options;
  options.max_evaluations = 0;
  CHECK_THROWS_WITH(minimize(problem, options), Contains("max_evaluations"));
  options = {};
  options.relative_decrease = not_a_number;
  CHECK_THROWS_WITH(minimize(problem, options), Contains("relative_decrease"));
  problem.hessian_product = nullptr;
  CHECK_THROWS_WITH(minimize(problem), Contains("no second derivatives"));
  problem.objective.evaluate = [](const VectorXd&, VectorXd&) { return not_a_number; };
  problem.hessian_product = [](const VectorXd&, const VectorXd& d) { return d; };
  CHECK_THROWS_AS(minimize(problem), perilune::NumericalError);
}
