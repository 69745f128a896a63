// SPDX-License-Identifier: MIT
// Motions in phases with impacts, and their gradients.
#include "simulation/phases.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "phases_check.hpp"
#include "sensitivity/limit_cycle.hpp"

using namespace perilune;
using expr::Symbol;
using simulation::Phase;

namespace {

constexpr double g = 9.81;

/// A point mass on massless spokes of length L, 2 a apart, rolls down a slope: at every step it falls over one foot
/// until the next is down, and loses the part of its velocity that is along the new spoke.
struct RimlessWheel {
  Mechanism mechanism{"rimless wheel", {0, -g}};
  std::shared_ptr<Phase> over[2], onto[2];

  Symbol w = 0.0;  // the rate that it starts with
  std::vector<Symbol> place;

  explicit RimlessWheel(int steps) {
    w = mechanism.parameter("w", 1.4);
    const Symbol a = mechanism.parameter("a", 0.3), slope = mechanism.parameter("slope", 0.08),
                 L = mechanism.parameter("L", 0.8);
    place = {mechanism.parameter("place1", 0), mechanism.parameter("place2", 100)};
    model::Model& model = *mechanism.model;
    model.set_gravity({g * sin(slope), -g * cos(slope)});
    const model::Place hub = add_point(model, "hub", {-L * sin(a), L * cos(a)}, {w * L * cos(a), w * L * sin(a)}, 1.0);
    const Symbol x = mechanism.signal("hub.x");
    for (int foot : {0, 1}) {
      const std::string number = std::to_string(foot + 1);
      add_distance(model, "spoke" + number, ground_place(model, {place[foot], 0.0}), hub, &L);
    }
    for (int foot : {0, 1}) {
      const Symbol stop = x - place[foot] - L * sin(a);
      const std::string number = std::to_string(foot + 1), other = std::to_string(2 - foot);
      over[foot] = make_phase(mechanism, "over " + number, {"spoke" + other}, &stop);
      // The new foot is down before the impact and after it the old one is free.
      onto[foot] = make_phase(mechanism, "onto " + number, {"spoke" + other}, nullptr, {{4 + foot, x + L * sin(a)}});
      onto[foot]->is_impact = true;
    }
    mechanism.compile();
    mechanism.problem.end = 20;
    mechanism.problem.integrator = integrator::DormandPrince{{1e-12, 1e-13}};
    for (int k = 0; k < steps; ++k) {
      mechanism.problem.phases.push_back(over[k % 2]);
      mechanism.problem.phases.push_back(onto[1 - k % 2]);
    }
    const Symbol vx = mechanism.signal("hub.vx"), vy = mechanism.signal("hub.vy");
    mechanism.terminal("speed", sqrt(vx * vx + vy * vy) / L);
    mechanism.terminal("place", x + L * sin(a));
    mechanism.both("time and more", mechanism.signal("t"), vx * vx * mechanism.signal("t"));
  }
};

/// The rate after a step from w.
double after(double w, double a, double slope, double L) {
  return std::cos(2 * a) * std::sqrt(w * w + 4 * g * std::sin(slope) * std::sin(a) / L);
}

}  // namespace

TEST_CASE("a motion goes through phases with impacts", "[sensitivity]") {
  RimlessWheel wheel(3);
  const auto run = simulation::evaluate(wheel.mechanism.problem, wheel.mechanism.parameters());
  REQUIRE(run.solution.status == integrator::Status::Completed);
  CHECK(run.solution.message == "went through all phases");
  REQUIRE(run.phases.size() == 6);
  double w = 1.4;
  for (int k = 0; k < 3; ++k) w = after(w, 0.3, 0.08, 0.8);
  CHECK(run.values[0] == Approx(w).epsilon(1e-9));
  CHECK(run.values[1] == Approx(2 * 0.8 * std::sin(0.3) * 3).epsilon(1e-9));
  CHECK(run.phases[1].data->parameters[5] == Approx(2 * 0.8 * std::sin(0.3)).epsilon(1e-9));
  const integrator::Mesh& mesh = run.solution.mesh;
  CHECK(mesh.t[run.phases[2].last] == mesh.t[run.phases[3].first]);
  CHECK(mesh.lambda_at(run.phases[0].last)[1] == 0);
  CHECK(mesh.lambda_at(run.phases[0].last)[0] != 0);
}

TEST_CASE("gradients through phases are those of the closed form and of differences", "[sensitivity]") {
  for (const formulation::Formulation& formulation : std::initializer_list<formulation::Formulation>{
           formulation::Penalty{}, formulation::Index1{}, formulation::Maggi{}}) {
    INFO(formulation::name_of(formulation));
    RimlessWheel wheel(2);
    wheel.mechanism.problem.formulation = formulation;
    const std::vector<double> rho = wheel.mechanism.parameters();
    const std::vector<int> over{0, 1, 2, 3};
    const auto direct = sensitivity::gradient(wheel.mechanism.problem, rho, over, sensitivity::DiscreteDirect{});
    const double c = std::cos(0.6), second = after(1.4, 0.3, 0.08, 0.8), third = after(second, 0.3, 0.08, 0.8);
    CHECK(direct.derivatives[0][0] == Approx(c * c * 1.4 / second * c * c * second / third).epsilon(1e-8));
    CHECK(direct.derivatives[1][0] == Approx(0).margin(1e-8));
    CHECK(direct.derivatives[1][1] == Approx(4 * 0.8 * std::cos(0.3)).epsilon(1e-8));
    CHECK(direct.derivatives[1][3] == Approx(4 * std::sin(0.3)).epsilon(1e-8));
    check_gradients_of_phases(wheel.mechanism, over);
  }
}

TEST_CASE("a motion in phases may end at a fixed time", "[sensitivity]") {
  RimlessWheel wheel(5);
  wheel.mechanism.problem.end = 1.1;
  const std::vector<double> rho = wheel.mechanism.parameters();
  const auto run = simulation::evaluate(wheel.mechanism.problem, rho);
  CHECK(run.solution.message == "reached the end time in phase \"over 1\"");
  CHECK(run.solution.mesh.t.back() == 1.1);
  check_gradients_of_phases(wheel.mechanism, {0, 1, 2, 3});
}

TEST_CASE("a last phase that is as much shorter as the one before was longer takes any integrator", "[sensitivity]") {
  // Multistep formulas refer to points before the step whose length changes.
  integrator::Bdf coarse, fixed;
  coarse.tolerances = {1e-6, 1e-7};
  fixed.step = 0.01;
  for (const integrator::Integrator& method : std::initializer_list<integrator::Integrator>{
           integrator::Bdf{}, coarse, fixed, integrator::Radau{}, integrator::GeneralizedAlpha{1e-3}}) {
    INFO(integrator::name_of(method) << " " << integrator::fixed_step(method));
    RimlessWheel wheel(5);
    wheel.mechanism.problem.end = 1.1;
    wheel.mechanism.problem.integrator = method;
    check_gradients_of_phases(wheel.mechanism, {0, 1, 2, 3});
  }
}

TEST_CASE("a limit cycle and the eigenvalue of its return map have their closed form", "[sensitivity]") {
  RimlessWheel wheel(1);
  wheel.mechanism.problem.objectives.resize(1);
  const auto cycle = sensitivity::find_limit_cycle(wheel.mechanism.problem, wheel.mechanism.parameters(), {0});
  const double c = std::cos(0.6), K = 4 * g * std::sin(0.08) * std::sin(0.3) / 0.8;
  CHECK(cycle.x[0] == Approx(c * std::sqrt(K / (1 - c * c))).epsilon(1e-9));
  CHECK(cycle.eigenvalues[0].real() == Approx(c * c).epsilon(1e-8));
  CHECK(cycle.eigenvalues[0].imag() == 0);
}

TEST_CASE("derivatives of a limit cycle are those of its closed form and of cycles nearby", "[sensitivity]") {
  RimlessWheel wheel(2);
  simulation::Problem& problem = wheel.mechanism.problem;
  std::vector<double> rho = wheel.mechanism.parameters();
  const std::vector<int> over{1, 2, 3};
  auto cycle_at = [&](const std::vector<double>& parameters) {
    simulation::Problem returns = problem;
    returns.objectives.resize(1);
    std::vector<double> found = parameters;
    found[0] = sensitivity::find_limit_cycle(returns, parameters, {0}).x[0];
    return found;
  };
  rho = cycle_at(rho);
  const auto adjoint = limit_cycle_gradient(problem, rho, {0}, over, sensitivity::DiscreteAdjoint{});
  const auto direct = limit_cycle_gradient(problem, rho, {0}, over, sensitivity::DiscreteDirect{});
  const double h = 1e-4;
  for (std::size_t p = 0; p < over.size(); ++p) {
    std::vector<std::vector<double>> values;
    for (const double by : {2 * h, h, -h, -2 * h}) {
      std::vector<double> moved = rho;
      moved[static_cast<std::size_t>(over[p])] += by;
      values.push_back(simulation::evaluate(problem, cycle_at(moved)).values);
    }
    for (std::size_t o = 0; o < 2; ++o) {
      INFO(o << " by " << over[p]);
      const double narrow = (values[1][o + 1] - values[2][o + 1]) / (2 * h),
                   wide = (values[0][o + 1] - values[3][o + 1]) / (4 * h);
      CHECK(adjoint.derivatives[o][p] == Approx((4 * narrow - wide) / 3).epsilon(2e-7).margin(1e-7));
      CHECK(adjoint.derivatives[o][p] == Approx(direct.derivatives[o][p]).epsilon(1e-9).margin(1e-9));
    }
  }
  // Two steps of 2 L sin a, however fast.
  CHECK(adjoint.values[0] == Approx(4 * 0.8 * std::sin(0.3)).epsilon(1e-9));
  CHECK(adjoint.derivatives[0][0] == Approx(4 * 0.8 * std::cos(0.3)).epsilon(1e-8));
  // The start, as an objective: x = c sqrt(K / (1 - c^2)) with K proportional to sin(slope) / L.
  wheel.mechanism.terminal("start", wheel.w);
  const auto start = limit_cycle_gradient(problem, rho, {0}, over, sensitivity::DiscreteAdjoint{}).derivatives.back();
  CHECK(start[1] == Approx(rho[0] / 2 / std::tan(0.08)).epsilon(1e-8));
  CHECK(start[2] == Approx(-rho[0] / 2 / 0.8).epsilon(1e-8));
}

TEST_CASE("what a motion in phases cannot do is said", "[sensitivity]") {
  using Catch::Matchers::Contains;
  RimlessWheel wheel(1);
  simulation::Problem& problem = wheel.mechanism.problem;
  const std::vector<double> rho = wheel.mechanism.parameters();
  CHECK_THROWS_WITH(sensitivity::gradient(problem, rho, {0}, sensitivity::ContinuousAdjoint{}),
                    Contains("mbs.direct {}"));
  auto late = std::make_shared<Phase>(*wheel.over[0]);
  late->longest = 0.05;
  problem.phases[0] = late;
  const auto slow = simulation::evaluate(problem, rho);
  CHECK(slow.solution.status == integrator::Status::Failed);
  CHECK_THAT(slow.solution.message, Contains("phase \"over 1\" did not end within 0.05 s"));
  CHECK(slow.solution.mesh.t.back() == Approx(0.05));
  auto open = std::make_shared<Phase>(*wheel.onto[1]);
  open->set.clear();
  problem.phases = {wheel.over[0], open};
  const auto gap = simulation::evaluate(problem, rho);
  CHECK(gap.solution.status == integrator::Status::Failed);
  CHECK_THAT(gap.solution.message, Contains("cannot close the constraint of \"spoke2\""));
}
