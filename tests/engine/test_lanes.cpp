// SPDX-License-Identifier: MIT
// Simulations that go along together in registers: each has the bits that it has alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "error.hpp"
#include "fibers.hpp"
#include "five_bar.hpp"
#include "formulation/absolute/point_lanes.hpp"
#include "lanes_check.hpp"
#include "mechanisms.hpp"
#include "optimize/sweep.hpp"
#include "sensitivity/gradient.hpp"
#include "simulation/alike_jobs.hpp"
#include "sweep_check.hpp"

using namespace perilune;
using namespace perilune::optimize;

namespace {

/// Without lanes as long as it lives.
struct OneByOne {
  OneByOne() { simulation::use_lanes(false); }
  ~OneByOne() { simulation::use_lanes(true); }
};

}  // namespace

TEST_CASE("a sweep in lanes has the bits of one job after the other", "[lanes]") {
  const formulation::Formulation forms[] = {formulation::Penalty{}, formulation::Index1{}};
  const integrator::Integrator integrators[] = {integrator::Rk4{2e-3}, integrator::DormandPrince{},
                                                integrator::DormandPrince{{}, 8}};
  for (const auto& form : forms) {
    for (const auto& integrator : integrators) {
      const FiveBar five_bar(form, integrator, 0.4);
      Sweep sweep{five_bar.problem, five_bar.lengths, five_bar.over, {}, {}};
      CHECK(simulation::go_in_lanes(sweep.problem) == lanes_are_offered());
      for (const std::size_t jobs : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{21}}) {
        sweep.points = points_about(five_bar.lengths, jobs, 0.3);
        std::vector<Trial> plain;
        {
          const OneByOne scope;
          CHECK_FALSE(simulation::go_in_lanes(sweep.problem));
          plain = trials_of(sweep);
        }
        for (const int threads : {1, 2}) {
          const Threads scope(threads);
          check_same(trials_of(sweep), plain);
        }
      }
    }
  }
}

TEST_CASE("sweeps of all kinds of mechanisms have the same bits in lanes, and the same failures", "[lanes]") {
  const Mechanism mechanisms[] = {
      five_bar_mechanism(),      four_bar_mechanism(),        spatial_pendulum_mechanism(),  turning_crank_mechanism(),
      planar_forces_mechanism(), spatial_forces_mechanism(),  slider_crank_mechanism(),      driven_linkage_mechanism(),
      oscillator_mechanism(20),  offset_pendulum_mechanism(), spring_pendulum_mechanism(50), trailer_mechanism(),
      rolling_ball_mechanism()};
  std::size_t failed = 0, succeeded = 0, together = 0;
  for (const Mechanism& mechanism : mechanisms) {
    INFO(mechanism.name);
    for (const bool is_adaptive : {false, true}) {
      Sweep sweep{mechanism.problem, mechanism.parameters(), mechanism.over(), {}, {}};
      sweep.problem.end = sweep.problem.start + 0.1;
      sweep.problem.formulation = is_adaptive ? formulation::Formulation(formulation::Penalty{})
                                              : formulation::Formulation(formulation::Index1{});
      sweep.problem.integrator = is_adaptive ? integrator::Integrator(integrator::DormandPrince{})
                                             : integrator::Integrator(integrator::Rk4{2e-3});
      // So far apart that some designs do not close, or break on the way.
      sweep.points = points_about(sweep.parameters, 9, is_adaptive ? 0.02 : 0.9);
      together += simulation::go_in_lanes(sweep.problem);
      std::vector<Trial> plain;
      {
        const OneByOne scope;
        plain = trials_of(sweep);
      }
      const Threads scope(1);
      check_same(trials_of(sweep), plain);
      for (const Trial& trial : plain) ++(trial.succeeded() ? succeeded : failed);
    }
  }
  CHECK(succeeded > 50);
  CHECK(failed > 5);
  if (lanes_are_offered()) CHECK(together > 10);
}

TEST_CASE("failures that are none of numbers, and interrupts, end a sweep in lanes", "[lanes]") {
  const FiveBar five_bar(formulation::Penalty{}, integrator::Rk4{1e-3}, 0.1);
  Sweep sweep{five_bar.problem, five_bar.lengths, five_bar.over, {}, points_about(five_bar.lengths, 30, 0.1)};
  std::vector<std::size_t> jobs(sweep.points.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  for (const int threads : {1, 2}) {
    const Threads scope(threads);
    CHECK_THROWS_WITH(run_sweep(sweep, jobs,
                                [&](const Trial& trial) {
                                  if (trial.job >= 4) throw Error("job " + std::to_string(trial.job));
                                }),
                      "job 4");
    std::size_t done = 0;
    CHECK_THROWS_AS(run_sweep(sweep, jobs,
                              [&](const Trial&) {
                                if (++done == 3) interrupt_requested = true;
                              }),
                    Interrupted);
    CHECK(done < jobs.size());
    CHECK_FALSE(interrupt_requested);
    CHECK(trials_of(sweep).size() == jobs.size());
  }
}

TEST_CASE("motion, statistics and audit of a run in lanes are those of the run alone", "[lanes]") {
  for (const bool is_adaptive : {false, true}) {
    const FiveBar five_bar(formulation::Penalty{},
                           is_adaptive ? integrator::Integrator(integrator::DormandPrince{}) : integrator::Rk4{2e-3},
                           0.3);
    const auto points = points_about(five_bar.lengths, 9, 0.2);
    const auto runs = [&] {
      std::vector<simulation::Evaluation> all(points.size());
      simulation::run_alike_jobs(five_bar.problem, points.size(),
                                 [&](std::size_t k) { all[k] = simulation::evaluate(five_bar.problem, points[k]); });
      return all;
    };
    const std::vector<simulation::Evaluation> together = runs();
    const OneByOne scope;
    const std::vector<simulation::Evaluation> alone = runs();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const integrator::Solution &a = together[k].solution, &b = alone[k].solution;
      REQUIRE(a.mesh.size() == b.mesh.size());
      for (std::size_t i = 0; i < a.mesh.size(); ++i) {
        CHECK(a.mesh.t[i] == b.mesh.t[i]);
        CHECK(std::equal(a.mesh.q_at(i), a.mesh.q_at(i) + a.mesh.n, b.mesh.q_at(i)));
        CHECK(std::equal(a.mesh.a_at(i), a.mesh.a_at(i) + a.mesh.n, b.mesh.a_at(i)));
        CHECK(std::equal(a.mesh.lambda_at(i), a.mesh.lambda_at(i) + a.mesh.m, b.mesh.lambda_at(i)));
      }
      CHECK(a.statistics.evaluations == b.statistics.evaluations);
      CHECK(a.statistics.factorizations == b.statistics.factorizations);
      CHECK(a.statistics.rejected == b.statistics.rejected);
      const simulation::Quality &x = together[k].quality, &y = alone[k].quality;
      CHECK(x.is_known);
      CHECK(
          same_bits({x.energy, x.energy_error, x.constraint_work, x.position_drift, x.velocity_drift, x.pivot_ratio},
                    {y.energy, y.energy_error, y.constraint_work, y.position_drift, y.velocity_drift, y.pivot_ratio}));
    }
  }
}

TEST_CASE("differences have the same bits in lanes and on any number of threads", "[lanes]") {
  for (const auto& integrator :
       {integrator::Integrator(integrator::Rk4{2e-3}), integrator::Integrator(integrator::DormandPrince{})}) {
    const FiveBar five_bar(formulation::Index1{}, integrator, 0.3);
    const auto differences = [&] {
      return sensitivity::gradient(five_bar.problem, five_bar.lengths, five_bar.over,
                                   sensitivity::FiniteDifference{1e-3, 2});
    };
    sensitivity::Gradient plain;
    {
      const OneByOne scope;
      const Threads one(1);
      plain = differences();
    }
    for (const int threads : {1, 2}) {
      const Threads scope(threads);
      const sensitivity::Gradient found = differences();
      CHECK(same_bits(found.values, plain.values));
      CHECK(same_bits(found.derivatives.front(), plain.derivatives.front()));
    }
  }
}

TEST_CASE("steps of different methods go along beside each other", "[lanes]") {
  if (!lanes_are_offered()) return;
  const FiveBar five_bar(formulation::Penalty{}, integrator::Rk4{1e-3}, 0.5);
  std::vector<simulation::Problem> problems(8, five_bar.problem);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    // Many steps: the audit looks at each point of the first ones, when they go along one by one.
    if (k % 3 == 0) problems[k].integrator = integrator::DormandPrince{{1e-8, 1e-10, 0, 1e-3}};
    if (k % 3 == 1) problems[k].integrator = integrator::DormandPrince{{1e-8, 1e-10, 0, 4e-3}, 8};
  }
  const auto points = points_about(five_bar.lengths, problems.size(), 0.2);
  std::vector<std::vector<double>> together(problems.size());
  formulation::PointLanes lanes(five_bar.problem.system, {&*five_bar.problem.objectives.front()->integral});
  std::ptrdiff_t next = 0;
  std::set<std::size_t> lengths;  // of steps at the same time
  Fibers::run(
      8, [&] { return next < 8 ? next++ : -1; },
      [&](std::ptrdiff_t job) {
        const auto k = static_cast<std::size_t>(job);
        together[k] = simulation::evaluate(problems[k], points[k]).values;
      },
      [&](std::span<const Fibers::Request, Fibers::most> requests) {
        lanes.compute(requests);
        std::set<std::size_t> now;
        for (Fibers::Request each : requests) {
          const auto* request = static_cast<formulation::PointLanes::Request*>(each);
          if (request && request->chain && request->is_done) now.insert(request->chain->points.size());
        }
        if (now.size() > lengths.size()) lengths = now;
      });
  CHECK(lengths == std::set<std::size_t>{4, 6, 12});
  for (std::size_t k = 0; k < problems.size(); ++k) {
    CHECK(same_bits(together[k], simulation::evaluate(problems[k], points[k]).values));
  }
}

TEST_CASE("whole steps are found in lanes where nobody looks at their points", "[lanes]") {
  if (!lanes_are_offered()) return;
  const FiveBar five_bar(formulation::Index1{}, integrator::Rk4{1e-3}, 0.2);
  const simulation::Problem& problem = five_bar.problem;
  formulation::PointLanes lanes(problem.system, {&*problem.objectives.front()->integral});
  std::ptrdiff_t next = 0;
  int steps = 0, points = 0, left = 0;
  Fibers::run(
      8, [&] { return next < 8 ? next++ : -1; },
      [&](std::ptrdiff_t) { simulation::evaluate(problem, five_bar.lengths); },
      [&](std::span<const Fibers::Request, Fibers::most> requests) {
        lanes.compute(requests);
        for (Fibers::Request each : requests) {
          const auto* request = static_cast<formulation::PointLanes::Request*>(each);
          if (!request) continue;
          ++(request->chain ? steps : points);
          if (!request->is_done) ++left;
        }
      });
  // The audit looks at the first 31 of 200 steps, and at every 32nd of the others.
  CHECK(steps >= 8 * (200 - 31 - 6));
  CHECK(points <= 8 * 4 * (31 + 6));
  CHECK(left == 0);
}
