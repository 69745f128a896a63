// SPDX-License-Identifier: MIT
// Least squares of residuals that fail, are interrupted, wrong, noisy or without influence; and what is refused.
#include <stdexcept>
#include <string>
#include <vector>

#include "error.hpp"
#include "least_squares_problems.hpp"

using namespace least_squares_test;
using Reason = LeastSquaresReason;

TEST_CASE("Steps into a region where the residuals do not exist are shortened", "[least_squares]") {
  enum class Failure { Value, Infinite, Jacobian, Exception };
  const auto failure = GENERATE(Failure::Value, Failure::Infinite, Failure::Jacobian, Failure::Exception);
  // Fits log(1 - x) to log(0.1), which whole steps from the left overshoot.
  const Residuals residuals = [=](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = vec({0.0});
    if (jacobian) *jacobian = MatrixXd::Constant(1, 1, 1);
    if (x[0] >= 1) {
      if (failure == Failure::Exception) throw perilune::NumericalError("The simulation failed.");
      if (failure == Failure::Value) r[0] = not_a_number;
      if (failure == Failure::Infinite) r[0] = infinity;
      if (failure == Failure::Jacobian && jacobian) (*jacobian)(0, 0) = not_a_number;
      return;
    }
    r[0] = std::log1p(-x[0]) - std::log(0.1);
    if (jacobian) (*jacobian)(0, 0) = -1 / (1 - x[0]);
  };
  for (const double start : {0.0, -300.0, 0.999}) {
    for (const double upper : {infinity, 5.0}) {
      const LeastSquaresResult result = solve(vec({start}), vec({-infinity}), vec({upper}), residuals);
      INFO(result.message);
      CHECK(converged(result));
      check_near(result.x, vec({0.9}), 1e-12);
      CHECK(result.evaluations < 80);
    }
  }
}

TEST_CASE("A failing region beside the way to the answer", "[least_squares]") {
  int failures = 0;
  const Residuals residuals = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    if ((x - vec({0.6, 0.1})).norm() < 0.17) {
      ++failures;
      throw perilune::NumericalError("The simulation failed.");
    }
    rosenbrock(x, r, jacobian);
  };
  const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -2), all(2, 3), residuals);
  CHECK(failures > 0);
  CHECK(converged(result));
  check_near(result.x, all(2, 1), 1e-8);
}

TEST_CASE("Residuals that fall right up to where they fail stall there and say so", "[least_squares]") {
  const Residuals residuals = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = vec({x[0] > 0.77 ? not_a_number : x[0] - 2});
    if (jacobian) *jacobian = MatrixXd::Constant(1, 1, 1);
  };
  const LeastSquaresResult result = solve(vec({0}), vec({-infinity}), vec({infinity}), residuals);
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("failed"));
  check_near(result.x, vec({0.77}), 1e-9);
  CHECK(result.evaluations < 300);
}

TEST_CASE("A wrong Jacobian stalls and says so", "[least_squares]") {
  const Residuals residuals = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    rosenbrock(x, r, jacobian);
    if (jacobian) *jacobian *= -1;
  };
  const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), residuals);
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("Jacobian is wrong"));
}

TEST_CASE("Noise of the residuals ends the search near the answer", "[least_squares]") {
  // Residuals that a simulation knows to about 1e-6, in a way that changes with x.
  const Residuals residuals = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r.resize(6);
    if (jacobian) jacobian->resize(6, 2);
    for (Index i = 0; i < 6; ++i) {
      const double t = 0.5 * static_cast<double>(i), decay = std::exp(-x[1] * t);
      r[i] = x[0] * decay - 3 * std::exp(-0.7 * t) + (i % 2 ? 0.05 : -0.05) + 1e-6 * std::sin(1e7 * (x[0] + x[1]) + t);
      if (jacobian) jacobian->row(i) << decay, -t * x[0] * decay;
    }
  };
  LeastSquaresProblem problem{vec({1, 1}), all(2, 0), all(2, 10), residuals, {}, 1e-4};
  const LeastSquaresResult result = solve(problem);
  INFO(result.message);
  CHECK(converged(result));
  CHECK(result.evaluations < 40);
  CHECK(result.projected_gradient < 1e-2);
  CHECK(result.reason == Reason::Noise);
  CHECK_THAT(result.message, Contains("hides"));
}

TEST_CASE("Variables without influence are told", "[least_squares]") {
  const Residuals residuals = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = vec({x[0] - 1, 2 * x[0] - 3, x[0]});
    if (!jacobian) return;
    jacobian->setZero(3, 2);
    jacobian->col(0) << 1, 2, 1;
  };
  const LeastSquaresResult result = solve(vec({5, 7}), all(2, -10), all(2, 10), residuals);
  CHECK(converged(result));
  check_near(result.x, vec({7.0 / 6, 7}), 1e-9);
  CHECK_THAT(result.message, Contains("do not depend on 1 variable"));
}

TEST_CASE("A plateau where a variable has lost its influence is no answer", "[least_squares]") {
  // y = a (1 - exp(-b t)) at large b is the constant a, and nothing leads back to where b matters.
  const std::vector<double> t{1, 2, 3, 5, 7, 10}, y{109, 149, 149, 191, 213, 224};
  const Residuals residuals = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r.resize(6);
    if (jacobian) jacobian->resize(6, 2);
    for (Index i = 0; i < 6; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double decay = std::exp(-x[1] * t[k]);
      r[i] = x[0] * (1 - decay) - y[k];
      if (jacobian) jacobian->row(i) << 1 - decay, x[0] * t[k] * decay;
    }
  };
  const LeastSquaresResult result = solve(vec({100, 25}), all(2, -infinity), all(2, infinity), residuals);
  INFO(result.message);
  CHECK(result.x[0] == Approx(172.5).epsilon(1e-6));  // the mean of y
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("lost its influence"));
}

TEST_CASE("Fits stay within the limit of evaluations", "[least_squares]") {
  for (int limit = 1; limit < 20; ++limit) {
    LeastSquaresOptions options;
    options.max_evaluations = limit;
    const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), rosenbrock, options);
    CHECK(result.reason == Reason::EvaluationLimit);
    CHECK(result.evaluations == limit);
    CHECK_THAT(result.message, Contains("max_evaluations"));
  }
}

TEST_CASE("The last evaluation of a fit is not wasted on a point without its Jacobian", "[least_squares]") {
  LeastSquaresOptions options;
  options.max_evaluations = 2;
  const LeastSquaresResult result =
      solve(vec({1}), vec({-infinity}), vec({infinity}), linear(MatrixXd::Ones(3, 1), all(3, 1.05)), options);
  CHECK(result.iterations == 1);
  check_near(result.x, vec({1.05}), 1e-14);
}

TEST_CASE("An interrupt keeps the best point of a fit", "[least_squares]") {
  SECTION("during an evaluation") {
    int calls = 0;
    bool armed = true;
    const Residuals residuals = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
      if (armed && ++calls == 12) {
        armed = false;
        throw perilune::Interrupted();
      }
      rosenbrock(x, r, jacobian);
    };
    const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), residuals);
    CHECK(result.reason == Reason::Interrupted);
    CHECK(result.evaluations == 12);
    CHECK(result.cost < result.initial);
  }
  SECTION("between iterations") {
    LeastSquaresOptions options;
    options.on_iteration = [](const LeastSquaresIterate& iterate) {
      if (iterate.iteration == 3) throw perilune::Interrupted();
    };
    const LeastSquaresResult result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), rosenbrock, options);
    CHECK(result.reason == Reason::Interrupted);
    CHECK(result.iterations == 3);
    CHECK(result.cost < result.initial);
  }
  SECTION("before there is any point") {
    const LeastSquaresProblem problem{vec({0}), vec({-1}), vec({1}),
                                      [](const VectorXd&, VectorXd&, MatrixXd*) { throw perilune::Interrupted(); }};
    CHECK_THROWS_AS(least_squares(problem), perilune::Interrupted);
  }
}

TEST_CASE("Other exceptions of the residuals pass through", "[least_squares]") {
  const LeastSquaresProblem problem{vec({0}), vec({-1}), vec({1}), [](const VectorXd&, VectorXd&, MatrixXd*) {
                                      throw std::logic_error("a fault of the caller");
                                    }};
  CHECK_THROWS_AS(least_squares(problem), std::logic_error);
}

TEST_CASE("What makes no sense as a fit is refused with a sentence", "[least_squares]") {
  const Residuals two = linear(MatrixXd::Identity(2, 2), all(2, 1));
  const auto refused = [](const LeastSquaresProblem& problem, const std::string& part,
                          const LeastSquaresOptions& options = {}) {
    CHECK_THROWS_WITH(least_squares(problem, options), Contains(part));
    CHECK_THROWS_AS(least_squares(problem, options), perilune::Error);
  };
  const LeastSquaresProblem good{all(2, 0), all(2, -1), all(2, 1), two};
  LeastSquaresProblem bad = good;
  bad.evaluate = nullptr;
  refused(bad, "no function");
  bad = good;
  bad.lower = all(3, -1);
  refused(bad, "3 lower");
  bad = good;
  bad.lower[1] = 2;
  refused(bad, "above its upper bound");
  bad = good;
  bad.start[0] = not_a_number;
  refused(bad, "index 0");
  bad = good;
  bad.loss = {RobustLoss::Kind::Huber, 0};
  refused(bad, "scale of a robust loss");
  bad = good;
  bad.noise = -1;
  refused(bad, "noise");
  bad = good;
  bad.evaluate = [](const VectorXd&, VectorXd& r, MatrixXd* jacobian) {
    r.resize(0);
    if (jacobian) jacobian->resize(0, 2);
  };
  refused(bad, "no residuals");
  bad.evaluate = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = vec({x.sum()});
    if (jacobian) *jacobian = MatrixXd::Ones(1, 2);
  };
  refused(bad, "2 free variables but only 1 residuals");
  bad.evaluate = [](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = x;
    if (jacobian) *jacobian = MatrixXd::Ones(2, 1);
  };
  refused(bad, "2 rows and 1 columns");
  int calls = 0;
  bad.evaluate = [&](const VectorXd& x, VectorXd& r, MatrixXd* jacobian) {
    r = VectorXd::Constant(2 + calls++, x[0] - 1);
    if (jacobian) *jacobian = MatrixXd::Ones(r.size(), 2);
  };
  CHECK_THROWS_WITH(least_squares(bad), Contains("must not depend on the variables"));
  bad.evaluate = [](const VectorXd&, VectorXd& r, MatrixXd* jacobian) {
    r = all(2, not_a_number);
    if (jacobian) jacobian->setOnes(2, 2);
  };
  CHECK_THROWS_AS(least_squares(bad), perilune::NumericalError);
  LeastSquaresOptions options;
  options.max_evaluations = 0;
  refused(good, "max_evaluations", options);
  options = {};
  options.relative_step = -1;
  refused(good, "relative_step", options);
}
