// Bounded minimization: every problem must end at the optimum that is known by hand, and never leave its bounds.
#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "error.hpp"
#include "optimize/lbfgsb.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace perilune::optimize;
using Catch::Matchers::Contains;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Function = std::function<double(const VectorXd&, VectorXd&)>;

VectorXd vec(std::initializer_list<double> values) {
  VectorXd v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

VectorXd all(Index n, double value) { return VectorXd::Constant(n, value); }

// Minimizes, and checks what holds for every minimization however it ends.
Result solve(const VectorXd& start, const VectorXd& lower, const VectorXd& upper, const Function& function,
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

bool converged(const Result& result) {
  return result.reason == Reason::ProjectedGradient || result.reason == Reason::RelativeDecrease;
}

void check_near(const VectorXd& x, const VectorXd& expected, double tolerance) {
  INFO("x = " << x.transpose());
  CHECK((x - expected).lpNorm<Eigen::Infinity>() <= tolerance);
}

double rosenbrock(const VectorXd& x, VectorXd& gradient) {
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

VectorXd rosenbrock_start(Index n) {
  VectorXd x = all(n, 1);
  for (Index i = 0; i < n; i += 2) x[i] = -1.2;
  return x;
}

Function bowl(const VectorXd& centre, const VectorXd& stiffness) {
  return [=](const VectorXd& x, VectorXd& gradient) {
    gradient = stiffness.cwiseProduct(x - centre);
    return 0.5 * gradient.dot(x - centre);
  };
}

}  // namespace

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
      // For n = 5 this start also leads to a local minimum near (-1, 1, 1, 1, 1): start on the other side.
      VectorXd start = rosenbrock_start(n);
      if (n == 5) start[0] = start[2] = start[4] = 0.5;
      const Result result = solve(start, lower, upper, rosenbrock);
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
  const Result result = solve(vec({-1.2, 1}), all(2, -2), all(2, 2), function);
  CHECK(result.reason != Reason::EvaluationLimit);
  check_near(result.x, all(2, 1), 1e-3);
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
