// SPDX-License-Identifier: MIT
// Simulations that go along together in registers: each has the bits that it has alone.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <exception>
#include <numeric>
#include <random>

#include "error.hpp"
#include "fibers.hpp"
#include "five_bar.hpp"
#include "formulation/absolute/point_lanes.hpp"
#include "linalg/ldl_lanes.hpp"
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

/// All parameters moved by up to `spread` of themselves.
std::vector<std::vector<double>> points_about(const std::vector<double>& parameters, std::size_t count, double spread) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(1 - spread, 1 + spread);
  std::vector<std::vector<double>> points(count, parameters);
  for (auto& point : points) {
    for (double& x : point) x *= share(random);
  }
  return points;
}

bool are_offered() { return Fibers::are_offered() && expr::registers_here() != expr::Registers::None; }

}  // namespace

TEST_CASE("fibers wait for each other, and what they ask for is done together", "[lanes]") {
  if (!Fibers::are_offered()) return;
  for (const int count : {1, 2, 5, 8}) {
    constexpr std::ptrdiff_t jobs = 30;
    std::ptrdiff_t next = 0;
    std::vector<int> asked(jobs, 0), answered(jobs, 0);
    std::size_t most = 0;
    Fibers::run(
        count, [&] { return next < jobs ? next++ : -1; },
        [&](std::ptrdiff_t k) {
          const auto i = static_cast<std::size_t>(k);
          CHECK(Fibers::lane() >= 0);
          // Some end earlier than others, and some wait while an exception is handled, or on its way.
          for (int turn = 0; turn < 3 + static_cast<int>(k) % 4; ++turn) {
            try {
              struct Waits {
                ~Waits() {
                  CHECK(std::uncaught_exceptions() == 1);
                  Fibers::wait(own);
                }
                int* own;
              } waits{&answered[i]};
              ++asked[i];
              throw k;
            } catch (const std::ptrdiff_t& caught) {
              ++asked[i];
              Fibers::wait(&answered[i]);
              CHECK(caught == k);
              CHECK(std::uncaught_exceptions() == 0);
              try {
                throw;
              } catch (const std::ptrdiff_t& again) {
                CHECK(again == k);
              }
            }
          }
        },
        [&](std::span<const Fibers::Request, Fibers::most> requests) {
          std::size_t waiting = 0;
          for (Fibers::Request each : requests) {
            if (!each) continue;
            ++waiting;
            ++*static_cast<int*>(each);
          }
          most = std::max(most, waiting);
        });
    CHECK(most == (count == 1 ? 0 : static_cast<std::size_t>(count)));
    // The last one finds nobody to wait for.
    if (count > 1) {
      for (std::size_t i = 0; i + 8 < asked.size(); ++i) CHECK(asked[i] == answered[i]);
    }
    CHECK(Fibers::lane() == -1);
  }
}

TEST_CASE("what is done alone waits for nobody", "[lanes]") {
  if (!Fibers::are_offered()) return;
  std::ptrdiff_t next = 0;
  int together = 0, request = 0;
  Fibers::run(
      4, [&] { return next < 8 ? next++ : -1; },
      [&](std::ptrdiff_t) {
        const Fibers::Alone alone;
        CHECK(Fibers::lane() == -1);
        CHECK_FALSE(Fibers::wait(&request));
      },
      [&](std::span<const Fibers::Request, Fibers::most>) { ++together; });
  CHECK(together == 0);
  CHECK(next == 8);
}

TEST_CASE("rows of lanes become arrays of each", "[lanes]") {
  for (const std::size_t count : {0, 1, 7, 8, 9, 29}) {
    expr::LaneArray rows(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t lane = 0; lane < expr::lane_count; ++lane) rows.row(i)[lane] = 100.0 * double(lane) + double(i);
    }
    for (const expr::Registers registers : {expr::Registers::None, expr::registers_here()}) {
      std::vector<std::vector<double>> found(expr::lane_count, std::vector<double>(count + 1, -1.0));
      expr::LanePointers to;
      for (std::size_t lane = 0; lane < to.size(); ++lane) to[lane] = found[lane].data();
      take_all(registers, rows.row(0), count, to);
      for (std::size_t lane = 0; lane < to.size(); ++lane) {
        for (std::size_t i = 0; i < count; ++i) CHECK(found[lane][i] == 100.0 * double(lane) + double(i));
        CHECK(found[lane][count] == -1);
      }
    }
  }
}

TEST_CASE("matrices in lanes are factored with the bits of each alone, and the weak ones are told", "[lanes]") {
  if (!are_offered()) return;
  // [M J^T; J 0] of five coordinates in a chain and two constraints.
  constexpr int n = 7;
  linalg::Entries entries;
  for (int i = 0; i < n; ++i) entries.emplace(i, i);
  const auto couple = [&](int i, int j) {
    entries.emplace(i, j);
    entries.emplace(j, i);
  };
  for (int i = 0; i + 1 < 5; ++i) couple(i, i + 1);
  for (const int j : {0, 1, 3}) couple(5, j);
  for (const int j : {2, 4}) couple(6, j);
  const linalg::SparsePattern pattern(n, n, entries);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<linalg::SmallLdl> alone;
  std::vector<std::vector<double>> matrices;
  for (std::size_t lane = 0; lane < expr::lane_count; ++lane) {
    std::vector<double> values(pattern.size(), 0.0);
    pattern.for_each([&](int i, int j) {
      if (i < j) return;
      const double x = i == j ? (i < 5 ? 4 + number(random) : -0.0) : number(random);
      values[static_cast<std::size_t>(pattern.slot(i, j))] = values[static_cast<std::size_t>(pattern.slot(j, i))] = x;
    });
    matrices.push_back(values);
    alone.emplace_back(pattern, [&](int i, int j) { return pattern.slot(i, j); });
    REQUIRE(alone.back().factor(values.data()));
  }
  for (const int j : {0, 1, 3}) {  // a constraint that holds nothing
    matrices[6][static_cast<std::size_t>(pattern.slot(5, j))] = 0;
    matrices[6][static_cast<std::size_t>(pattern.slot(j, 5))] = 0;
  }
  CHECK_FALSE(linalg::SmallLdl(alone[6]).factor(matrices[6].data()));
  matrices[3][0] = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> rows(pattern.size());
  std::iota(rows.begin(), rows.end(), 0);
  for (const expr::Registers registers : {expr::Registers::Four, expr::registers_here()}) {
    linalg::LdlLanes lanes(alone[0], rows);
    expr::LaneArray matrix(pattern.size()), x(n);
    std::vector<std::vector<double>> sides;
    for (std::size_t lane = 0; lane < expr::lane_count; ++lane) {
      CHECK(lanes.serves(alone[lane]));
      matrix.put(0, lane, matrices[lane].data(), matrices[lane].size());
      std::vector<double>& b = sides.emplace_back();
      for (int i = 0; i < n; ++i) b.push_back(number(random));
      x.put(0, lane, b.data(), n);
    }
    const linalg::LdlLanes::Lanes good = lanes.factor(registers, matrix);
    lanes.solve(registers, x.row(0));
    for (std::size_t lane = 0; lane < expr::lane_count; ++lane) {
      CHECK(good[lane] == (lane != 3 && lane != 6));
      if (!good[lane]) continue;
      std::vector<double> found(n);
      x.take(0, lane, found.data(), n);
      alone[lane].solve(sides[lane].data(), 1);
      CHECK(same_bits(found, sides[lane]));
      std::vector<double> numbers = alone[lane].numbers();
      lanes.numbers().take(0, lane, numbers.data(), lanes.number_count());
      CHECK(same_bits(numbers, alone[lane].numbers()));
    }
  }
}

TEST_CASE("a sweep in lanes has the bits of one job after the other", "[lanes]") {
  const formulation::Formulation forms[] = {formulation::Penalty{}, formulation::Index1{}};
  const integrator::Integrator integrators[] = {integrator::Rk4{2e-3}, integrator::DormandPrince{},
                                                integrator::DormandPrince{{}, 8}};
  for (const auto& form : forms) {
    for (const auto& integrator : integrators) {
      const FiveBar five_bar(form, integrator, 0.4);
      Sweep sweep{five_bar.problem, five_bar.lengths, five_bar.over, {}, {}};
      CHECK(simulation::go_in_lanes(sweep.problem) == are_offered());
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
      five_bar_mechanism(),      four_bar_mechanism(),        spatial_pendulum_mechanism(), turning_crank_mechanism(),
      planar_forces_mechanism(), spatial_forces_mechanism(),  slider_crank_mechanism(),     driven_linkage_mechanism(),
      oscillator_mechanism(20),  offset_pendulum_mechanism(), spring_pendulum_mechanism(50)};
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
  if (are_offered()) CHECK(together > 10);
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

TEST_CASE("measures in lanes have the bits of each alone", "[lanes]") {
  using expr::Quantity, expr::Symbol;
  expr::Graph graph;
  const auto read = [&](Quantity quantity, int index) {
    return Symbol(graph, graph.variable(quantity, index, "x" + std::to_string(static_cast<int>(quantity))));
  };
  const Symbol t = read(Quantity::Time, 0), q = read(Quantity::Position, 1), v = read(Quantity::Velocity, 0),
               a = read(Quantity::Acceleration, 1), lambda = read(Quantity::Multiplier, 0),
               p = read(Quantity::Parameter, 2), side = read(Quantity::Side, 0), absence = read(Quantity::Absence, 0);
  // Conditions are met in some lanes only.
  const Symbol parts = Symbol::where(less(v, q), sqrt(q * q + 1.0) / p, atan2(a, lambda)) - max(t, v);
  const Symbol all = parts * Symbol::where(less(side, 0.0), tanh(a), -lambda) + exp(-t) * pow(p, 2.0) + absence * t;
  system::Measure measure(graph, {all.in(graph)});
  measure.leave_out({0});  // what is absent is 1
  std::vector<double> work = measure.make_work();
  system::MeasureLanes lanes(measure);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::array<double, expr::lane_count> found{};
  for (int turn = 0; turn < 3; ++turn) {  // data of an earlier one do not stay
    expr::LaneArray rows(8);              // t, q, v, a, lambda: 1, 2, 2, 2, 1
    std::vector<double> expected;
    for (std::size_t lane = 0; lane < expr::lane_count; ++lane) {
      std::vector<double> numbers(8), parameters(3);
      for (double& x : numbers) x = number(random);
      for (double& x : parameters) x = 1.5 + number(random);
      const double held = number(random);
      rows.put(0, lane, numbers.data(), numbers.size());
      lanes.set_data(lane, parameters.data(), &held);
      const double* x = numbers.data();
      measure.evaluate({x[0], x + 1, x + 3, x + 5, x + 7, parameters.data(), &held}, work);
      expected.push_back(measure.value(work, 0));
    }
    lanes.evaluate({rows.row(0), rows.row(1), rows.row(3), rows.row(5), rows.row(7)}, found.data());
    CHECK(same_bits({found.begin(), found.end()}, expected));
  }
}

TEST_CASE("systems in lanes have the values of each alone", "[lanes]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> change(-0.3, 0.3);
  const Mechanism mechanisms[] = {five_bar_mechanism(),       four_bar_mechanism(),       spatial_pendulum_mechanism(),
                                  planar_net_mechanism(),     spatial_net_mechanism(),    planar_forces_mechanism(),
                                  spatial_forces_mechanism(), trailer_mechanism(),        rolling_ball_mechanism(),
                                  driven_linkage_mechanism(), spatial_joints_mechanism(), slider_crank_mechanism(),
                                  offset_pendulum_mechanism()};
  for (const Mechanism& mechanism : mechanisms) {
    INFO(mechanism.name);
    const std::shared_ptr<const system::System> system = mechanism.problem.system;
    REQUIRE_FALSE(system->is_implicit());
    const auto n = static_cast<std::size_t>(system->coordinate_count());
    system::SystemLanes lanes(system, 1);
    expr::LaneArray t(1), state(2 * n);
    std::vector<std::shared_ptr<const system::Data>> data;
    std::vector<std::vector<double>> states;
    for (const std::vector<double>& parameters : points_about(mechanism.parameters(), expr::lane_count, 0.1)) {
      data.push_back(system->make_data(parameters));
      std::vector<double>& x = states.emplace_back(data.back()->initial_q);
      x.insert(x.end(), data.back()->initial_v.begin(), data.back()->initial_v.end());
      for (double& each : x) each += change(random);
    }
    for (std::size_t lane = 0; lane < expr::lane_count; ++lane) {
      t.row(0)[lane] = 0.1 * static_cast<double>(lane);
      state.put(0, lane, states[lane].data(), 2 * n);
      lanes.set_data(lane, *data[lane]);
    }
    for (const bool is_asked : {true, false}) {  // the second time without the last one
      system::SystemLanes::Lanes asked;
      asked.fill(true);
      asked.back() = is_asked;
      lanes.evaluate({t.row(0), state.row(0), state.row(n)}, asked);
      for (std::size_t lane = 0; lane < asked.size(); ++lane) {
        if (!asked[lane]) continue;
        system::Workspace alone(*system);
        system->evaluate_metric(t.row(0)[lane], states[lane].data(), states[lane].data() + n, *data[lane], alone);
        std::vector<double> found(lanes.count());
        lanes.values().take(0, lane, found.data(), found.size());
        CHECK(same_bits(found, {alone.values.begin(), alone.values.begin() + static_cast<long>(lanes.count())}));
      }
    }
  }
}

TEST_CASE("steps of different methods go along beside each other", "[lanes]") {
  if (!are_offered()) return;
  const FiveBar five_bar(formulation::Penalty{}, integrator::Rk4{1e-3}, 0.2);
  std::vector<simulation::Problem> problems(8, five_bar.problem);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (k % 3 == 0) problems[k].integrator = integrator::DormandPrince{};
    if (k % 3 == 1) problems[k].integrator = integrator::DormandPrince{{}, 8};
  }
  const auto points = points_about(five_bar.lengths, problems.size(), 0.2);
  std::vector<std::vector<double>> together(problems.size());
  formulation::PointLanes lanes(five_bar.problem.system, {&*five_bar.problem.objectives.front()->integral});
  std::ptrdiff_t next = 0;
  int chains = 0;
  Fibers::run(
      8, [&] { return next < 8 ? next++ : -1; },
      [&](std::ptrdiff_t job) {
        const auto k = static_cast<std::size_t>(job);
        together[k] = simulation::evaluate(problems[k], points[k]).values;
      },
      [&](std::span<const Fibers::Request, Fibers::most> requests) {
        lanes.compute(requests);
        for (Fibers::Request each : requests) {
          const auto* request = static_cast<formulation::PointLanes::Request*>(each);
          chains += request && request->chain && request->is_done;
        }
      });
  CHECK(chains > 100);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    CHECK(same_bits(together[k], simulation::evaluate(problems[k], points[k]).values));
  }
}

TEST_CASE("whole steps are found in lanes where nobody looks at their points", "[lanes]") {
  if (!are_offered()) return;
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
