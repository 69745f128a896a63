// SPDX-License-Identifier: MIT
// Bounded minimization of objectives that fail, are interrupted, wrong, noisy or unbounded; and what is refused.
#include <stdexcept>
#include <string>
#include <vector>

#include "error.hpp"
#include "lbfgsb_problems.hpp"

using namespace lbfgsb_test;

TEST_CASE("A linear objective without bounds ends, and says why", "[lbfgsb]") {
  const Function linear = [](const VectorXd& x, VectorXd& gradient) {
    gradient = all(2, 1);
    return x.sum();
  };
  Options options;
  options.max_evaluations = 20;
  const Result limited = solve(vec({1, 1}), all(2, -infinity), all(2, infinity), linear, options);
  CHECK(limited.reason == Reason::EvaluationLimit);
  CHECK(limited.value < -1e6);
  const Result overflown = solve(vec({1, 1}), all(2, -infinity), all(2, infinity), linear);
  CHECK(overflown.reason == Reason::Stalled);
  CHECK_THAT(overflown.message, Contains("without end"));
}

TEST_CASE("Steps into a region where the objective does not exist are shortened", "[lbfgsb]") {
  enum class Failure { Value, Infinite, Gradient, Exception };
  const auto failure = GENERATE(Failure::Value, Failure::Infinite, Failure::Gradient, Failure::Exception);
  const Function function = [=](const VectorXd& x, VectorXd& gradient) {
    if (x[0] >= 1) {
      gradient[0] = failure == Failure::Gradient ? not_a_number : 0;
      if (failure == Failure::Exception) throw perilune::NumericalError("The simulation failed.");
      return failure == Failure::Value ? not_a_number : failure == Failure::Infinite ? infinity : -1e9;
    }
    gradient[0] = -10 + 1 / (1 - x[0]);
    return -10 * x[0] - std::log1p(-x[0]);
  };
  for (const double start : {0.0, -300.0, 0.999999}) {
    for (const double upper : {infinity, 5.0}) {
      const Result result = solve(vec({start}), vec({-infinity}), vec({upper}), function);
      CHECK(converged(result));
      check_near(result.x, vec({0.9}), 1e-8);
      CHECK(result.evaluations < 40);
    }
  }
}

TEST_CASE("A failing region beside the way to the optimum", "[lbfgsb]") {
  // The simulation fails inside a disc that the first steps run into.
  int failures = 0;
  const Function function = [&](const VectorXd& x, VectorXd& gradient) {
    if ((x - vec({0.5, 0.9})).norm() < 0.35) {
      ++failures;
      throw perilune::NumericalError("The simulation failed.");
    }
    return rosenbrock(x, gradient);
  };
  const Result result = solve(vec({0.2, 2}), all(2, -2), all(2, 3), function);
  CHECK(failures > 0);
  CHECK(converged(result));
  check_near(result.x, all(2, 1), 1e-6);
}

TEST_CASE("An objective that falls right up to where it fails stalls there and says so", "[lbfgsb]") {
  const Function function = [](const VectorXd& x, VectorXd& gradient) {
    gradient[0] = -1;
    return x[0] > 0.77 ? not_a_number : -x[0];
  };
  const Result result = solve(vec({0}), vec({-infinity}), vec({infinity}), function);
  CHECK(result.reason == Reason::Stalled);
  CHECK_THAT(result.message, Contains("failed"));
  check_near(result.x, vec({0.77}), 1e-9);
  CHECK(result.evaluations < 300);
}

TEST_CASE("The evaluation limit is never exceeded", "[lbfgsb]") {
  for (int limit = 1; limit < 30; ++limit) {
    Options options;
    options.max_evaluations = limit;
    options.check_gradient = true;
    const Result result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), rosenbrock, options);
    CHECK(result.reason == Reason::EvaluationLimit);
    CHECK(result.evaluations == limit);
    CHECK_THAT(result.message, Contains("max_evaluations"));
  }
}

TEST_CASE("An interrupt keeps the best point", "[lbfgsb]") {
  SECTION("during an evaluation") {
    int calls = 0;
    bool armed = true;
    const Function function = [&](const VectorXd& x, VectorXd& gradient) {
      if (armed && ++calls == 12) {
        armed = false;
        throw perilune::Interrupted();
      }
      return rosenbrock(x, gradient);
    };
    const Result result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), function);
    CHECK(result.reason == Reason::Interrupted);
    CHECK(result.evaluations == 12);
    CHECK(result.value < result.initial);
  }
  SECTION("between iterations") {
    Options options;
    options.on_iteration = [](const Iterate& iterate) {
      if (iterate.iteration == 3) throw perilune::Interrupted();
    };
    const Result result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), rosenbrock, options);
    CHECK(result.reason == Reason::Interrupted);
    CHECK(result.iterations == 3);
    CHECK(result.value < result.initial);
  }
  SECTION("before there is any point") {
    const Problem problem{vec({0}), vec({-1}), vec({1}),
                          [](const VectorXd&, VectorXd&) -> double { throw perilune::Interrupted(); }};
    CHECK_THROWS_AS(minimize(problem), perilune::Interrupted);
  }
}

TEST_CASE("Every iteration is reported", "[lbfgsb]") {
  std::vector<double> values;
  Options options;
  options.on_iteration = [&](const Iterate& iterate) {
    CHECK(iterate.iteration == static_cast<int>(values.size()));
    values.push_back(iterate.value);
  };
  const Result result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), rosenbrock, options);
  REQUIRE(values.size() == result.history.size());
  CHECK(values.front() == result.initial);
  CHECK(result.history.back().projected_gradient <= 1e-8);
}

TEST_CASE("The gradient check tells a right gradient from a wrong one", "[lbfgsb]") {
  Options options;
  options.check_gradient = true;
  SECTION("right, inside and in a corner of the bounds") {
    for (const VectorXd& start : {vec({-1.2, 1}), vec({-2, 2}), vec({2, -2})}) {
      const Result result = solve(start, all(2, -2), all(2, 2), rosenbrock, options);
      REQUIRE(result.gradient_check);
      CHECK(result.gradient_check->relative_error < 1e-7);
      CHECK_THAT(result.message, !Contains("disagrees"));
      check_near(result.x, all(2, 1), 1e-6);
    }
  }
  SECTION("wrong sign of everything, of one component; a component forgotten") {
    for (const VectorXd& wrong : {vec({-1, -1}), vec({1, -1}), vec({1, 5})}) {
      const Function function = [&](const VectorXd& x, VectorXd& gradient) {
        const double value = bowl(vec({1, 2}), vec({1, 3}))(x, gradient) + 7;
        gradient = wrong[1] == 5 ? vec({gradient[0], gradient[0] + 4}) : VectorXd(gradient.cwiseProduct(wrong));
        return value;
      };
      const Result result = solve(vec({0.5, 0.5}), all(2, -10), all(2, 10), function, options);
      REQUIRE(result.gradient_check);
      CHECK(result.gradient_check->relative_error > 0.01);
      CHECK(result.reason == Reason::Stalled);
      CHECK(result.evaluations < 300);
      CHECK_THAT(result.message, Contains("disagrees"));
    }
  }
  SECTION("not possible where no variable has room") {
    CHECK_FALSE(solve(all(2, 0), all(2, 0), all(2, 0), rosenbrock, options).gradient_check);
  }
}

TEST_CASE("A noisy objective ends without using up its evaluations", "[lbfgsb]") {
  // Noise far above rounding, as from a simulation with loose tolerances; the optimum is found to its square root.
  const Function function = [](const VectorXd& x, VectorXd& gradient) {
    const double noise = 1e-9 * std::sin(1e9 * x.sum());
    return 1 + rosenbrock(x, gradient) + noise;
  };
  const Result unknown = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), function);
  CHECK(unknown.reason != Reason::EvaluationLimit);
  check_near(unknown.x, all(2, 1), 1e-3);
  // Where the noise is known, gradients decide below it: sooner, and at the optimum.
  const Result known = minimize({vec({-1.2, 1}), all(2, -2), all(2, 2), function, 1e-9});
  CHECK(known.reason != Reason::Stalled);
  CHECK(known.evaluations < unknown.evaluations);
  check_near(known.x, all(2, 1), 1e-7);
}

TEST_CASE("A jump of the objective ends the search where no more than a relevant decrease is left", "[lbfgsb]") {
  // The gradient promises to fall on both sides of the jump, so no step between satisfies the search.
  const Function function = [](const VectorXd& x, VectorXd& gradient) {
    gradient = vec({2 * (x[0] - 1), 0.2 * x[1]});
    return 100 + (x[0] - 1) * (x[0] - 1) + 0.1 * x[1] * x[1] + (x[0] > 0.3 ? 50 : 0);
  };
  Options options;
  options.relative_decrease = 1e-3;
  const Result result = solve(vec({-3, 1}), all(2, -10), all(2, 10), function, options);
  CHECK(result.reason == Reason::RelativeDecrease);
  CHECK(result.value < 100.49 + 0.2);
  CHECK(result.evaluations < 60);
}

TEST_CASE("Converged elsewhere than at the lowest value is said", "[lbfgsb]") {
  // One value on the way is far too low, as from a simulation that missed what happens.
  const Function function = [&](const VectorXd& x, VectorXd& gradient) {
    gradient[0] = 2 * (x[0] - 1000);
    return (x[0] - 1000) * (x[0] - 1000) - (x[0] > 0 && x[0] < 1 ? 1e6 : 0);
  };
  const Result result = solve(vec({0}), vec({-infinity}), vec({infinity}), function);
  CHECK(result.reason == Reason::ProjectedGradient);
  CHECK(std::abs(result.gradient[0]) > 1e-3);
  CHECK_THAT(result.message, Contains("the best point is another one"));
}

TEST_CASE("A start that cannot be evaluated is a numerical error", "[lbfgsb]") {
  Problem problem{vec({0}), vec({-1}), vec({1}), [](const VectorXd&, VectorXd&) { return not_a_number; }};
  CHECK_THROWS_AS(minimize(problem), perilune::NumericalError);
  problem.evaluate = [](const VectorXd&, VectorXd&) -> double { throw perilune::NumericalError("The model broke."); };
  CHECK_THROWS_AS(minimize(problem), perilune::NumericalError);
}

TEST_CASE("Problems and options that make no sense are refused", "[lbfgsb]") {
  const Function function = bowl(all(2, 0), all(2, 1));
  const VectorXd zero = all(2, 0), one = all(2, 1);
  const auto refuse = [&](const Problem& problem, const Options& options, const std::string& why) {
    CHECK_THROWS_WITH(minimize(problem, options), Contains(why));
    CHECK_THROWS_AS(minimize(problem, options), perilune::Error);
  };
  refuse({zero, all(3, 0), one, function}, {}, "3 lower");
  refuse({zero, zero, all(1, 1), function}, {}, "1 upper");
  refuse({VectorXd(), VectorXd(), VectorXd(), function}, {}, "no variables");
  refuse({zero, vec({0, 2}), one, function}, {}, "index 1");
  refuse({zero, vec({not_a_number, 0}), one, function}, {}, "index 0");
  refuse({zero, zero, vec({1, not_a_number}), function}, {}, "index 1");
  refuse({vec({0, not_a_number}), zero, one, function}, {}, "index 1");
  refuse({zero, vec({0, infinity}), all(2, infinity), function}, {}, "index 1");
  refuse({zero, zero, one, nullptr}, {}, "no function");
  Options options;
  options.max_evaluations = 0;
  refuse({zero, zero, one, function}, options, "max_evaluations");
  options = {};
  options.memory = 0;
  refuse({zero, zero, one, function}, options, "memory");
  options = {};
  options.relative_decrease = not_a_number;
  refuse({zero, zero, one, function}, options, "relative_decrease");
  const auto wrong_size = [](const VectorXd&, VectorXd& gradient) {
    gradient.resize(5);
    return 0.0;
  };
  refuse({zero, zero, one, wrong_size}, {}, "5 entries");
}

TEST_CASE("Other exceptions of the objective pass through", "[lbfgsb]") {
  const Problem problem{vec({0}), vec({-1}), vec({1}),
                        [](const VectorXd&, VectorXd&) -> double { throw std::logic_error("a bug"); }};
  CHECK_THROWS_AS(minimize(problem), std::logic_error);
}
