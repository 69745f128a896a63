// SPDX-License-Identifier: MIT
// Sweeps and minimizations from several starts: the results of one thread, with any number of them.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

#include "error.hpp"
#include "five_bar.hpp"
#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "optimize/design.hpp"
#include "optimize/multi_start.hpp"
#include "optimize/sweep.hpp"
#include "parallel.hpp"
#include "sweep_check.hpp"

using namespace perilune;
using namespace perilune::optimize;
using expr::Symbol;

namespace {

/// Sweeps over both free lengths of the springs.
Sweep five_bar_sweep(const FiveBar& five_bar, const sensitivity::Method& method) {
  Sweep sweep{five_bar.problem, five_bar.lengths, five_bar.over, method, {}};
  sweep.points = design_points(LatinHypercube{9, 3}, {{"L01", 1.8, 2.6}, {"L02", 1.7, 2.4}});
  return sweep;
}

/// A point that is thrown at speed v; sqrt(2 - x) exists where x(1 s) = v is at most 2.
struct Throw : Mechanism {
  Throw() : Mechanism("throw", {0, 0}) {
    const Symbol v = parameter("v", 1);
    add_point(*model, "P", {0.0, 0.0}, {v, 0.0}, 1.0);
    compile();
    terminal("root", sqrt(2.0 - signal("P.x")));
    terminal("distance", signal("P.x"));
    problem.end = 1;
  }
  Sweep sweep(std::optional<sensitivity::Method> method) const {
    return {problem, {1}, {0}, std::move(method), {{0}, {1}, {3}, {1.75}, {2.5}}};
  }
};

}  // namespace

TEST_CASE("jobs run once each, and the exception of the lowest number is thrown", "[parallel]") {
  for (const int threads : {1, 2, 4}) {
    const Threads scope(threads);
    std::vector<std::atomic<int>> runs(100);
    run_jobs(runs.size(), [&](std::size_t k) { ++runs[k]; });
    for (const auto& count : runs) CHECK(count == 1);

    const auto fail = [&](std::size_t k) {
      ++runs[k];
      if (k == 23 || k == 24 || k == 70) throw Error("job " + std::to_string(k));
    };
    CHECK_THROWS_WITH(run_jobs(runs.size(), fail), "job 23");
    for (std::size_t k = 0; k <= 23; ++k) CHECK(runs[k] == 2);
    run_jobs(0, fail);
  }
}

TEST_CASE("an interrupt ends all jobs and is taken", "[parallel]") {
  for (const int threads : {1, 2, 4}) {
    const Threads scope(threads);
    std::atomic<int> ended{0}, begun{0};
    const auto job = [&](std::size_t k) {
      ++begun;
      if (k == 0) {
        for (int wait = 0; wait < 1000000 && begun < threads; ++wait) std::this_thread::yield();
        interrupt_requested = true;
      }
      // All poll until they hear of it, whoever takes the request first.
      for (;;) {
        try {
          check_interrupt();
        } catch (const Interrupted&) {
          ++ended;
          throw;
        }
      }
    };
    CHECK_THROWS_AS(run_jobs(50, job), Interrupted);
    CHECK(ended == begun);
    CHECK(begun < 50);
    CHECK_FALSE(interrupt_requested);
  }
}

TEST_CASE("a sweep has closed-form values, and records what fails", "[sweep]") {
  const Throw ball;
  for (const bool has_gradients : {false, true}) {
    const auto trials = trials_of(
        ball.sweep(has_gradients ? std::optional<sensitivity::Method>(sensitivity::DiscreteAdjoint{}) : std::nullopt));
    for (const std::size_t k : {0u, 1u, 3u}) {
      const double v = trials[k].point[0];
      REQUIRE(trials[k].succeeded());
      CHECK(trials[k].values[0] == Approx(std::sqrt(2 - v)).epsilon(1e-12));
      CHECK(trials[k].values[1] == Approx(v).epsilon(1e-12));
      REQUIRE(trials[k].derivatives.size() == (has_gradients ? 2 : 0));
      if (has_gradients) CHECK(trials[k].derivatives[0][0] == Approx(-0.5 / std::sqrt(2 - v)).epsilon(1e-10));
    }
    for (const std::size_t k : {2u, 4u}) {
      CHECK_THAT(trials[k].failure, Catch::Contains("objective \"root\" is not a finite number"));
      CHECK(trials[k].values.empty());
      CHECK(trials[k].derivatives.empty());
    }
  }
}

TEST_CASE("a derivative that is not finite fails its job", "[sweep]") {
  const Throw ball;
  Sweep sweep = ball.sweep(sensitivity::DiscreteDirect{});
  sweep.problem.integrator = integrator::Rk4{0.25};  // in binary numbers without rounding
  sweep.points = {{2}, {1}};                         // sqrt(0) exists, its derivative does not
  const auto trials = trials_of(sweep);
  CHECK_FALSE(trials[0].succeeded());
  CHECK(trials[1].succeeded());
}

TEST_CASE("a sweep has the same bits with any number of threads", "[sweep]") {
  const formulation::Formulation forms[] = {formulation::Penalty{}, formulation::Index3{}};
  const integrator::Integrator integrators[] = {integrator::DormandPrince{}, integrator::Trapezoidal{5e-3}};
  const sensitivity::Method methods[] = {sensitivity::DiscreteAdjoint{}, sensitivity::DiscreteDirect{},
                                         sensitivity::ContinuousAdjoint{sensitivity::AdjointForm::SecondOrder, {}}};
  for (std::size_t k = 0; k < 2; ++k) {
    for (const sensitivity::Method& method : methods) {
      std::vector<Trial> alone;
      for (const int threads : {1, 2, 4}) {
        INFO(formulation::name_of(forms[k]) << ", " << sensitivity::name_of(method) << ", " << threads << " threads");
        const FiveBar five_bar(forms[k], integrators[k], 0.25);  // fresh: nothing is derived yet when threads begin
        const Threads scope(threads);
        const auto trials = trials_of(five_bar_sweep(five_bar, method));
        for (const Trial& t : trials) CHECK(t.failure.empty());
        if (threads == 1) alone = trials;
        check_same(alone, trials);
      }
    }
  }
}

namespace {

double waves(double x) { return std::cos(4 * x) + 0.1 * (x - 1) * (x - 1); }

/// With several minima, and not defined beyond 4.
optimize::Problem waves_from(const Eigen::VectorXd& start) {
  optimize::Problem problem{start, Eigen::VectorXd::Constant(1, -6), Eigen::VectorXd::Constant(1, 6), {}};
  problem.evaluate = [](const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
    if (x[0] > 4) throw NumericalError("beyond 4");
    slope[0] = -4 * std::sin(4 * x[0]) + 0.2 * (x[0] - 1);
    return waves(x[0]);
  };
  return problem;
}

std::vector<Eigen::VectorXd> starts_of(int count) {
  std::vector<Eigen::VectorXd> starts;
  for (const auto& point : design_points(LatinHypercube{count, 1}, {{"x", -6, 6}})) {
    starts.push_back(Eigen::VectorXd::Constant(1, point[0]));
  }
  return starts;
}

}  // namespace

TEST_CASE("minimization from several starts finds the lowest minimum, and tells of those that failed", "[sweep]") {
  double lowest = 1e9;
  for (int k = -60000; k <= 40000; ++k) lowest = std::min(lowest, waves(k * 1e-4));
  const auto starts = starts_of(24);
  MultiStart alone;
  for (const int threads : {1, 2, 4}) {
    const Threads scope(threads);
    int done = 0;
    const MultiStart found = minimize_from(starts, waves_from, {}, [&](const Attempt&) { ++done; });
    CHECK(done == 24);
    CHECK_FALSE(found.interrupted);
    REQUIRE(found.best);
    CHECK(found.attempts[*found.best].result->value <= lowest + 1e-12);
    int failed = 0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const Attempt& attempt = found.attempts[k];
      CHECK(attempt.result.has_value() == (starts[k][0] <= 4));
      if (!attempt.result) {
        CHECK_THAT(attempt.failure, Catch::Contains("beyond 4"));
        ++failed;
        continue;
      }
      CHECK(attempt.result->value >= found.attempts[*found.best].result->value);
      if (threads == 1) continue;
      CHECK(attempt.result->x[0] == alone.attempts[k].result->x[0]);
      CHECK(attempt.result->value == alone.attempts[k].result->value);
      CHECK(attempt.result->evaluations == alone.attempts[k].result->evaluations);
    }
    CHECK(failed == 4);  // strata of 0.5 between 4 and 6
    if (threads == 1) alone = found;
    CHECK(found.best == alone.best);
  }
}

TEST_CASE("where no start can be evaluated there is no best", "[sweep]") {
  const MultiStart found = minimize_from({Eigen::VectorXd::Constant(1, 5)}, waves_from, {});
  CHECK_FALSE(found.best);
}

TEST_CASE("interrupted minimizations keep what they found", "[sweep]") {
  const Threads scope(2);
  std::atomic<int> evaluations{0};
  const auto problem = [&](const Eigen::VectorXd& start) {
    optimize::Problem made = waves_from(start);
    made.evaluate = [&, inner = made.evaluate](const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
      if (++evaluations == 40) interrupt_requested = true;
      check_interrupt();
      return inner(x, slope);
    };
    return made;
  };
  const MultiStart found = minimize_from(starts_of(24), problem, {});
  CHECK(found.interrupted);
  REQUIRE(found.best);
  CHECK_FALSE(interrupt_requested);
  CHECK(found.attempts.back().failure == "interrupted");
}
