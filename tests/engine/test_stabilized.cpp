// SPDX-License-Identifier: MIT
// The stabilized index-1 form: neither positions nor velocities leave the constraints.
#include <catch2/catch.hpp>

#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "run_check.hpp"

using namespace perilune;
using formulation::StabilizedIndex1;
using integrator::Bdf;
using integrator::Integrator;
using integrator::Radau;
using integrator::Sdirk4;
using integrator::Trapezoidal;

namespace {

using Make = Mechanism (*)();
const Make makes[] = {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism,
                      spatial_joints_mechanism};

}  // namespace

TEST_CASE("stabilized index-1: positions and velocities keep to the constraints", "[stabilized]") {
  for (Make make : makes) {
    for (const Integrator& method :
         std::initializer_list<Integrator>{Trapezoidal{0.01}, Sdirk4{0.02}, Radau{3, 0.02, {}}, Radau{5, 0.02, {}},
                                           Radau{5, 0, {1e-6, 1e-8}}, Bdf{3, 0.01, {}}, Bdf{5, 0, {1e-6, 1e-8}}}) {
      Mechanism mechanism = make();
      const Integration how{StabilizedIndex1{}, method};
      const Drift drift = drift_of(mechanism, run_of(mechanism, how));
      INFO(mechanism.name << ", " << how.name());
      CHECK(drift.position < 1e-13);
      CHECK(drift.rate < 1e-14);
    }
  }
}

TEST_CASE("stabilized index-1: order of convergence", "[stabilized][order]") {
  for (Make make : makes) {
    const OrderCheck order(make(), StabilizedIndex1{});
    auto check = [&](const Integrator& method, int expected) { order.state(method, expected - 0.25, expected + 0.25); };
    check(Trapezoidal{0.01}, 2);
    check(Radau{3, 0.02, {}}, 3);
    check(Radau{5, 0.02, {}}, 5);
    for (int k = 2; k <= 4; ++k) check(Bdf{k, 0.005, {}}, k);
    // Stages of order 1 leave order 2 of a differential-algebraic equation of index 2; where a driver leaves no
    // freedom, there is nothing to integrate.
    check(Sdirk4{0.02}, make == driven_linkage_mechanism ? 4 : 2);
  }
}

TEST_CASE("stabilized index-1: small steps keep the matrix regular and the iteration short", "[stabilized]") {
  Mechanism mechanism = four_bar_mechanism();
  mechanism.problem.end = mechanism.problem.start + 1e-4;
  for (double step : {1e-5, 1e-6, 1e-7}) {
    CAPTURE(step);
    for (const Integrator& method :
         std::initializer_list<Integrator>{Trapezoidal{step}, Sdirk4{step}, Radau{5, step, {}}}) {
      const auto run = run_of(mechanism, {StabilizedIndex1{}, method});
      const integrator::Statistics& statistics = run.solution.statistics;
      const int groups = std::holds_alternative<Sdirk4>(method) ? 5 : 1;
      CHECK(statistics.newton_iterations <= 3 * groups * statistics.steps);
      CHECK(drift_of(mechanism, run).position < 1e-14);
    }
  }
}

TEST_CASE("stabilized index-1 asks for an implicit first-order method", "[stabilized]") {
  for (const Integrator& method : std::initializer_list<Integrator>{integrator::Rk4{}, integrator::Newmark{}}) {
    Mechanism mechanism = four_bar_mechanism();
    mechanism.problem.formulation = StabilizedIndex1{};
    mechanism.problem.integrator = method;
    CHECK_THROWS_WITH(simulation::evaluate(mechanism.problem, mechanism.parameters()),
                      Catch::Matchers::Contains("stabilized_index1"));
  }
}

TEST_CASE("stabilized index-1: a force that is not finite is named", "[stabilized]") {
  Mechanism mechanism("root", {0, -9.81});
  model::Model& m = *mechanism.model;
  const model::Place P = add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, nullptr);
  add_force(m, "thrust", P, {sqrt(0.1 - mechanism.signal("t")), expr::Symbol(0.0)}, {});
  mechanism.compile();
  mechanism.problem.formulation = StabilizedIndex1{};
  mechanism.problem.integrator = Trapezoidal{0.01};
  const auto run = simulation::evaluate(mechanism.problem, {});
  REQUIRE(run.solution.status == integrator::Status::Failed);
  CHECK_THAT(run.solution.message, Catch::Matchers::Contains("thrust"));
}
