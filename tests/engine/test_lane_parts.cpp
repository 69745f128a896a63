// SPDX-License-Identifier: MIT
// What simulations in lanes are made of: turns on stacks, rows, matrices, elements and measures, with the bits of each
// alone.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <exception>
#include <limits>
#include <numeric>
#include <random>

#include "fibers.hpp"
#include "lanes_check.hpp"
#include "linalg/ldl_lanes.hpp"
#include "mechanisms.hpp"
#include "sweep_check.hpp"
#include "system/lanes.hpp"
#include "system/measure_lanes.hpp"

using namespace perilune;

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
  if (!lanes_are_offered()) return;
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
  if (!lanes_are_offered()) return;
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
