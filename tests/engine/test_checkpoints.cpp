// SPDX-License-Identifier: MIT
// The discrete adjoint with checkpoints: the binomial schedule, the same gradients to the last bit, work and memory.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/place/places.hpp"
#include "parallel.hpp"
#include "sensitivity/discrete/checkpoints.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Integrator;
using sensitivity::BinomialSchedule;
using sensitivity::Gradient;
using sensitivity::ReplayCost;

namespace {

struct Passes {
  std::size_t units = 0;  // passed on the way to others
  std::size_t most_kept = 1;
};

/// Follows a schedule and checks that it reverses all units, last first, from states that are there.
Passes follow(std::size_t units, std::size_t states) {
  BinomialSchedule schedule(units, states);
  Passes passes;
  std::vector<std::size_t> kept{0};
  std::size_t left = units;
  bool is_sound = true;
  while (const auto move = schedule.next()) {
    while (!kept.empty() && kept.back() > move->from) kept.pop_back();
    is_sound = is_sound && !kept.empty() && kept.back() == move->from && move->to < left;
    passes.units += move->to - move->from;
    if (move->keeps) {
      kept.push_back(move->to);
    } else {
      is_sound = is_sound && move->to + 1 == left;
      --left;
    }
    passes.most_kept = std::max(passes.most_kept, kept.size());
  }
  CHECK(is_sound);
  CHECK(left == 0);
  return passes;
}

/// A chain between two walls, of points and bars: large enough for the sparse solver. It swings, and springs stiffen.
Mechanism hanging_chain(int bars) {
  Mechanism mechanism("chain", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.3, "kg"), k = mechanism.parameter("k", 80, "N/m");
  model::Place before = ground_place(m, {0.0, 0.0});
  for (int i = 1; i <= bars; ++i) {
    const double angle = 0.4 * i;
    const std::string name = std::to_string(i);
    const model::Place point = add_point(m, "P" + name, {0.3 * i, -0.1 * std::sin(angle)}, {0.0, 0.0}, mass);
    add_bar(m, "b" + name, before, point, 0.1, nullptr);
    add_spring(m, "s" + name, point, ground_place(m, {0.3 * i, -1.0}), k, nullptr, 0.2, 0.0);
    before = point;
  }
  mechanism.compile();
  mechanism.problem.end = 0.6;
  const Symbol x = mechanism.signal("P" + std::to_string(bars) + ".x");
  mechanism.both("end", x, x * mechanism.signal("P2.ay"));
  mechanism.terminal("reaction", mechanism.signal("b1.lambda"));
  return mechanism;
}

/// Bit by bit, with several numbers of checkpoints, on two threads where there are, and on one.
void check_same(Mechanism mechanism, const formulation::Formulation& form, const Integrator& method) {
  simulation::Problem& problem = mechanism.problem;
  problem.formulation = form;
  problem.integrator = method;
  const std::vector<double> rho = mechanism.parameters();
  const std::vector<int> over = mechanism.over();
  INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << integrator::name_of(method) << ", step "
                      << integrator::fixed_step(method));
  const Gradient all = sensitivity::gradient(problem, rho, over, sensitivity::DiscreteAdjoint{});
  using sensitivity::DiscreteAdjoint;
  const DiscreteAdjoint on_one_thread{7, 0, 1};
  for (const DiscreteAdjoint& kept : {DiscreteAdjoint{1}, {2}, {3}, {7}, on_one_thread, {50}}) {
    CAPTURE(kept.checkpoints, kept.threads);
    const Gradient some = sensitivity::gradient(problem, rho, over, kept);
    CHECK(some.values == all.values);
    CHECK(some.derivatives == all.derivatives);
    CHECK(some.statistics.steps == all.statistics.steps);
  }
}

const integrator::Tolerances loose{1e-6, 1e-7};

void check_all(Mechanism (*make)()) {
  for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{
           formulation::Penalty{}, formulation::Index1{5, 5}, formulation::Index3{}, formulation::Maggi{}}) {
    for (const Integrator& method : std::initializer_list<Integrator>{
             integrator::Rk4{0.01}, integrator::DormandPrince{loose}, integrator::Trapezoidal{0.01},
             integrator::Radau{5, 0.02, {}}, integrator::Radau{5, 0, loose}, integrator::GeneralizedAlpha{0.01},
             integrator::Bdf{5, 0.01, {}}, integrator::Bdf{5, 0, {1e-5, 1e-6}}, integrator::Rosenbrock{4, 0.02, {}},
             integrator::Rosenbrock{3, 0, {1e-4, 1e-5}}, integrator::Variational{0.01}}) {
      if (integrator::objection(form, method).empty()) check_same(make(), form, method);
    }
  }
}

}  // namespace

TEST_CASE("the binomial schedule repeats as few units as possible", "[checkpoints]") {
  CHECK(sensitivity::most_units(3, 2) == 10);
  CHECK(sensitivity::most_units(10, 4) == 1001);
  CHECK(sensitivity::most_units(1, 7) == 8);
  CHECK(sensitivity::most_units(1000000, 1000000) == std::numeric_limits<std::size_t>::max());
  // The fewest by trying all places for the next state.
  constexpr std::size_t most = 60, states = 6;
  std::vector<std::vector<std::size_t>> fewest(states + 1, std::vector<std::size_t>(most + 1, 0));
  for (std::size_t s = 1; s <= states; ++s) {
    for (std::size_t units = 2; units <= most; ++units) {
      std::size_t best = units * (units - 1) / 2;
      for (std::size_t to = 1; s > 1 && to < units; ++to) {
        best = std::min(best, to + fewest[s - 1][units - to] + fewest[s][to]);
      }
      fewest[s][units] = best;
    }
  }
  for (std::size_t s = 1; s <= states; ++s) {
    for (std::size_t units = 0; units <= most; ++units) {
      CAPTURE(s, units);
      const Passes passes = follow(units, s);
      CHECK(passes.units == fewest[s][units]);
      CHECK(passes.most_kept <= s);
    }
  }
}

TEST_CASE("the work of the binomial schedule is that of Griewank and Walther", "[checkpoints]") {
  for (std::size_t states : {1, 2, 5, 10, 100}) {
    for (std::size_t units : {2, 10, 286, 287, 1001, 3000}) {
      CAPTURE(states, units);
      std::size_t r = 1;
      while (sensitivity::most_units(states, r) < units) ++r;
      const Passes passes = follow(units, states);
      CHECK(passes.units == r * units - sensitivity::most_units(states + 1, r - 1));
      CHECK(passes.most_kept <= states);
    }
  }
}

TEST_CASE("checkpoints leave every bit of the gradient as it is: five-bar", "[checkpoints]") {
  check_all(five_bar_mechanism);
}
TEST_CASE("checkpoints leave every bit of the gradient as it is: four-bar", "[checkpoints]") {
  check_all(four_bar_mechanism);
}
TEST_CASE("checkpoints leave every bit of the gradient as it is: spatial joints", "[checkpoints]") {
  check_all(spatial_joints_mechanism);
}

TEST_CASE("checkpoints leave every bit of the gradient as it is: all other forms", "[checkpoints]") {
  for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{
           formulation::AugmentedLagrangian{1}, formulation::AugmentedLagrangian{3}, formulation::StabilizedIndex1{},
           formulation::CoordinatePartitioning{}}) {
    check_same(four_bar_mechanism(), form, integrator::Radau{5, 0, loose});
    check_same(four_bar_mechanism(), form, integrator::Bdf{5, 0, {1e-5, 1e-6}});
  }
}

TEST_CASE("checkpoints leave every bit of the gradient as it is: with the sparse solver", "[checkpoints]") {
  for (int bars : {12, 24}) {
    for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{
             formulation::Penalty{}, formulation::Index1{}, formulation::Index3{}, formulation::Maggi{},
             formulation::CoordinatePartitioning{}}) {
      for (const Integrator& method : std::initializer_list<Integrator>{
               integrator::DormandPrince{{1e-4, 1e-5}}, integrator::Trapezoidal{0.01},
               integrator::Radau{3, 0, {1e-3, 1e-4}}, integrator::Bdf{5, 0, {1e-3, 1e-4}}}) {
        if (integrator::objection(form, method).empty()) check_same(hanging_chain(bars), form, method);
      }
    }
  }
}

TEST_CASE("checkpoints leave every bit of the gradient as it is: on two threads", "[checkpoints]") {
  Mechanism mechanism = hanging_chain(40);
  for (const Integrator& method :
       std::initializer_list<Integrator>{integrator::Rk4{1e-3}, integrator::Radau{3, 2e-3, {}}}) {
    mechanism.problem.integrator = method;
    mechanism.problem.formulation = formulation::Index1{};
    const auto with = [&](const sensitivity::DiscreteAdjoint& how, sensitivity::ReplayCost& cost) {
      return sensitivity::checkpointed_adjoint(mechanism.problem, mechanism.parameters(), mechanism.over(), how, &cost)
          .derivatives;
    };
    const auto all = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                           sensitivity::DiscreteAdjoint{});
    sensitivity::ReplayCost alone, shared;
    CHECK(with({150, 0, 1}, alone) == all.derivatives);
    CHECK(with({150, 0, 0}, shared) == all.derivatives);
    if (thread_count() > 1) CHECK(shared.unit_length < alone.unit_length);
    CHECK(static_cast<double>(shared.nodes) <= 1.1 * static_cast<double>(alone.nodes));
  }
}

TEST_CASE("checkpoints leave every bit of the gradient as it is: runs with a stop condition", "[checkpoints]") {
  for (const Integrator& method :
       std::initializer_list<Integrator>{integrator::Rk4{0.01}, integrator::DormandPrince{loose},
                                         integrator::Radau{5, 0, loose}, integrator::Bdf{5, 0, {1e-5, 1e-6}}}) {
    for (const formulation::Formulation& form :
         std::initializer_list<formulation::Formulation>{formulation::Penalty{}, formulation::Maggi{}}) {
      Mechanism mechanism = four_bar_mechanism();
      mechanism.stop("time and angle", mechanism.signal("t") - 0.65 - 0.02 * mechanism.signal("crank.angle"));
      check_same(std::move(mechanism), form, method);
    }
  }
}

TEST_CASE("a run's log knows when attempts that came to nothing changed the solvers", "[checkpoints]") {
  const Mechanism mechanism = four_bar_mechanism();
  const simulation::Evaluation run = simulation::prepare(mechanism.problem, mechanism.parameters());
  const auto motion = formulation::make_motion(mechanism.problem.system, run.data, formulation::Index1{});
  sensitivity::RunLog log(*motion);
  integrator::StepListener* const listeners[] = {&log};
  integrator::March march(*motion, listeners);
  march.start(0.5, run.initial.q.data(), run.initial.v.data(), 0);
  const integrator::RungeKuttaPlan plan = integrator::runge_kutta_plan(integrator::rk4_tableau(), {});
  auto step = [&] {
    march.attempt(plan.plan, 1e-3);
    march.accept(march.t() + 1e-3);
  };
  step();
  formulation::Memory other = motion->memory();
  CHECK_FALSE(other.pivoting[0].is_unsymmetric);
  other.pivoting[0] = {true, true, nullptr, nullptr, nullptr, nullptr};
  motion->set_memory(other);
  step();
  step();
  CHECK(log.change_before(0) == nullptr);
  REQUIRE(log.change_before(1) != nullptr);
  CHECK(*log.change_before(1) == other);
  CHECK(log.change_before(2) == nullptr);
}

namespace {

/// Changes what the solvers remember before one step of a run, as a rejected attempt may do.
class Disturbance final : public integrator::StepListener {
 public:
  Disturbance(formulation::Motion& motion, int before_step) : motion_(motion), left_(before_step) {}
  void start(const integrator::March&) override {}
  void begin_step(const integrator::March&) override {
    if (left_-- != 0) return;
    formulation::Memory other = motion_.memory();
    other.pivoting[0] = {true, true, nullptr, nullptr, nullptr, nullptr};
    motion_.set_memory(other);
  }
  void group(const integrator::March&, std::size_t) override {}
  void accept(const integrator::March&) override {}

 private:
  formulation::Motion& motion_;
  int left_;
};

}  // namespace

TEST_CASE("steps are found again with what the solvers remembered when they were made", "[checkpoints]") {
  Mechanism mechanism = four_bar_mechanism();
  simulation::Problem& problem = mechanism.problem;
  problem.formulation = formulation::Index1{};
  problem.integrator = integrator::Rk4{0.01};
  const std::vector<double> rho = mechanism.parameters();
  auto gradient = [&](int checkpoints, int disturbed_step) {
    simulation::Evaluation run = simulation::prepare(problem, rho);
    const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
    Disturbance disturbance(*motion, disturbed_step);
    sensitivity::RunLog log(*motion);
    sensitivity::NodeRecord record(*motion);
    simulation::Quadrature quadrature(problem, run.data->parameters);
    simulate(problem, *motion, nullptr, quadrature, {&disturbance, &log, &record}, run);
    sensitivity::AdjointBundle bundle(problem);
    sensitivity::Backward backward(problem, run, *motion, bundle);
    if (checkpoints == 0) {
      backward.run(record);
    } else {
      sensitivity::Replay(problem, run, log, sensitivity::DiscreteAdjoint{checkpoints}).reverse(backward);
    }
    return bundle.finish(problem, run, mechanism.over()).derivatives;
  };
  const auto all = gradient(0, 17);
  CHECK(all != gradient(0, -1));  // rounding tells the solvers apart
  for (int checkpoints : {1, 2, 5}) CHECK(gradient(checkpoints, 17) == all);
}

TEST_CASE("a run may keep only the ends of its mesh", "[checkpoints]") {
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.integrator = integrator::DormandPrince{loose};
  const auto all = simulation::evaluate(mechanism.problem, mechanism.parameters());
  simulation::Evaluation ends = simulation::prepare(mechanism.problem, mechanism.parameters());
  const auto motion = formulation::make_motion(mechanism.problem.system, ends.data, mechanism.problem.formulation);
  simulation::Quadrature quadrature(mechanism.problem, ends.data->parameters);
  simulate(mechanism.problem, *motion, nullptr, quadrature, {}, ends, simulation::Keep::Ends);
  const integrator::Mesh &mesh = ends.solution.mesh, &full = all.solution.mesh;
  REQUIRE(mesh.size() == 2);
  CHECK(mesh.t == std::vector<double>{full.t.front(), full.t.back()});
  CHECK(std::equal(mesh.q_at(0), mesh.q_at(1), full.q_at(0)));
  CHECK(std::equal(mesh.lambda_at(1), mesh.lambda_at(1) + mesh.m, full.lambda_at(full.size() - 1)));
  CHECK(ends.values == all.values);
  CHECK(ends.solution.steps.steps.size() == full.size() - 1);
}

TEST_CASE("a negative number of checkpoints is refused", "[checkpoints]") {
  const Mechanism mechanism = five_bar_mechanism();
  CHECK_THROWS_WITH(sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                          sensitivity::DiscreteAdjoint{-1}),
                    "the number of checkpoints must not be negative");
}

TEST_CASE("checkpoints bound memory, and work grows with few forward runs", "[checkpoints]") {
  for (const Integrator& method :
       std::initializer_list<Integrator>{integrator::Rk4{4e-3}, integrator::GeneralizedAlpha{4e-3},
                                         integrator::Radau{5, 4e-3, {}}, integrator::Bdf{5, 4e-3, {}}}) {
    Mechanism mechanism = five_bar_mechanism();
    mechanism.problem.formulation = formulation::Index1{5, 5};
    for (int checkpoints : {3, 10}) {
      std::size_t nodes[3] = {};
      for (int longer : {0, 1, 2}) {  // 2: on one thread
        const std::size_t steps = longer ? 3000 : 300;
        mechanism.problem.integrator =
            integrator::with_step(method, mechanism.problem.end / static_cast<double>(steps));
        ReplayCost cost;
        sensitivity::checkpointed_adjoint(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                          {checkpoints, 0, longer == 2 ? 1 : 0}, &cost);
        nodes[longer] = cost.nodes;
        std::size_t r = 1;
        while (sensitivity::most_units(static_cast<std::size_t>(checkpoints), r) < cost.units) ++r;
        CAPTURE(integrator::name_of(method), checkpoints, steps, cost.units, cost.unit_length, cost.nodes, r);
        CHECK(static_cast<std::size_t>(cost.steps) <= (r + 1) * steps);
      }
      CHECK(nodes[1] <= nodes[0] + nodes[0] / 2);
      CHECK(nodes[1] <= nodes[2] + nodes[2] / 2);
    }
  }
}
