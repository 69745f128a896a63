// SPDX-License-Identifier: MIT
// The augmented Lagrangian forms: with index 3 the velocities are projected onto the constraints after every step; with
// both, redundant constraints are no obstacle. And the plain index-3 form, which projects nothing.
#include <catch2/catch.hpp>

#include "gradient_check.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "numbers.hpp"

using namespace perilune;
using formulation::AugmentedLagrangian;
using formulation::Index1;
using formulation::Index3;
using integrator::GeneralizedAlpha;
using integrator::Hht;
using integrator::Integrator;
using integrator::Newmark;
using integrator::Radau;
using integrator::Rk4;
using integrator::Sdirk4;
using integrator::Trapezoidal;

namespace {

using Make = Mechanism (*)();
const Make makes[] = {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, driven_linkage_mechanism,
                      spatial_joints_mechanism};
const AugmentedLagrangian projected{3, 1e7, 1, 10};

const Integrator implicit[] = {Trapezoidal{0.01}, Sdirk4{0.02}, Radau{3, 0.02, {}},    Radau{5, 0.03, {}},
                               Newmark{0.01},     Hht{0.01},    GeneralizedAlpha{0.01}};

}  // namespace

TEST_CASE("augmented Lagrangian, index 3: positions and velocities keep to the constraints", "[projection]") {
  for (Make make : makes) {
    for (const Integrator& method : implicit) {
      Mechanism mechanism = make();
      const Integration how{projected, method};
      const Drift drift = drift_of(mechanism, run_of(mechanism, how));
      INFO(mechanism.name << ", " << how.name());
      CHECK(drift.position < 1e-13);
      CHECK(drift.rate < 1e-14);
    }
  }
}

TEST_CASE("index 3: positions keep to the constraints, velocities only nearly", "[projection]") {
  for (Make make : makes) {
    Mechanism mechanism = make();
    const Drift drift = drift_of(mechanism, run_of(mechanism, {Index3{}, Trapezoidal{0.01}}));
    INFO(mechanism.name);
    CHECK(drift.position < 1e-13);
    CHECK(drift.rate > 1e-7);
  }
}

TEST_CASE("index 3: velocities of adaptive steps, projected and not", "[projection]") {
  Mechanism mechanism("small pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const expr::Symbol length = mechanism.parameter("length", 1e-4, "m");
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), add_point(m, "P", {length, 0.0}, {0.0, 0.0}, 1.0), &length);
  mechanism.compile();
  mechanism.problem.end = 0.016;
  mechanism.problem.integrator = Radau{5, 0, {}};
  for (const bool projects : {false, true}) {
    mechanism.problem.formulation = Index3{projects};
    const simulation::Evaluation run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    const integrator::Mesh& mesh = run.solution.mesh;
    const double *q = mesh.q_at(mesh.size() - 1), *v = mesh.v_at(mesh.size() - 1);
    const double by_height = std::sqrt(-2 * 9.81 * q[1]), off = std::abs(std::hypot(v[0], v[1]) / by_height - 1);
    INFO(off);
    if (projects) {
      CHECK(run.warnings.empty());
      CHECK(off < 1e-5);
    } else {
      REQUIRE(run.warnings.size() == 1);
      CHECK_THAT(run.warnings[0], Catch::Contains("the velocities do not fit"));
    }
  }
}

TEST_CASE("index 3: integrals find accelerations and reactions at the right times", "[projection][order]") {
  // Also between the steps, under a torque that reads the time.
  const OrderCheck with_projection(four_bar_mechanism(), projected), without(four_bar_mechanism(), Index3{});
  with_projection.values(Radau{3, 0.01, {}}, 2.75, 3.25);
  with_projection.values(Radau{5, 0.02, {}}, 4.75, 5.25);
  without.values(Radau{3, 0.01, {}}, 2.75, 3.25);
  without.values(Radau{5, 0.02, {}}, 2.75, 3.75);
}

TEST_CASE("index 3: order of convergence with projected velocities and without", "[projection][order]") {
  for (Make make : {five_bar_mechanism, four_bar_mechanism, spatial_joints_mechanism}) {
    for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{projected, Index3{}}) {
      const OrderCheck order(make(), form);
      for (const Integrator& method : std::initializer_list<Integrator>{Trapezoidal{0.005}, Newmark{0.005}, Hht{0.0025},
                                                                        GeneralizedAlpha{0.005}}) {
        order.state(method, 1.75, 2.25);
      }
      // Radau IIA loses order with index 3; the projection brings it back.
      const bool is_projected = std::holds_alternative<AugmentedLagrangian>(form);
      const int of_three = is_projected ? 3 : 2, of_five = is_projected ? 5 : 3;
      order.state(Radau{3, 0.005, {}}, of_three - 0.25, of_three + 0.25);
      order.state(Radau{5, 0.02, {}}, of_five - 0.25, of_five + 0.25);
    }
  }
}

namespace {

const AugmentedLagrangian stabilized{1, 1e7, 1, 10};
const Integrator all[] = {Rk4{0.005},         Trapezoidal{0.01}, Sdirk4{0.02}, Radau{3, 0.02, {}},
                          Radau{5, 0.03, {}}, Newmark{0.01},     Hht{0.01},    GeneralizedAlpha{0.01}};

/// Position, Euler parameters and their rates at the end.
std::vector<double> leaf_state(const Mechanism& mechanism, const Integration& how) {
  const End end = end_of(mechanism, how);
  std::vector<double> leaf(end.q.begin(), end.q.begin() + 7);
  leaf.insert(leaf.end(), end.v.begin(), end.v.begin() + 7);
  return leaf;
}

bool offers(const formulation::Formulation& form, const Integrator& method) {
  return integrator::objection(form, method).empty();
}

}  // namespace

TEST_CASE("augmented Lagrangian: redundant constraints leave the motion as it is", "[projection]") {
  Mechanism one = door_mechanism(false), two = door_mechanism(true);
  // The hinge counts one coordinate and one constraint for its angle.
  REQUIRE(two.problem.system->coordinate_count() == one.problem.system->coordinate_count() + 1);
  REQUIRE(two.problem.system->constraint_count() == one.problem.system->constraint_count() + 6);
  for (const Integrator& method : all) {
    // The same stabilization without redundancy, and the penalty form, whose multipliers are almost the true ones.
    const Index1 plain{10, 10};
    const Integration how{stabilized, method};
    INFO(how.name());
    const std::vector<double> got = leaf_state(two, how);
    CHECK(largest_difference(got, leaf_state(one, how)) < 1e-12);
    CHECK(largest_difference(got, leaf_state(one, {plain, method})) < 1e-12);
    CHECK(largest_difference(got, leaf_state(two, {formulation::Penalty{1e12, 1, 10}, method})) < 1e-9);
    if (!offers(projected, method)) continue;
    const Integration three{projected, method};
    INFO(three.name());
    const auto run = run_of(two, three);
    CHECK(largest_difference(leaf_state(two, three), leaf_state(one, three)) < 1e-12);
    CHECK(drift_of(two, run).position < 1e-12);
    CHECK(drift_of(two, run).rate < 1e-12);
  }
}

TEST_CASE("augmented Lagrangian: heavy parts take more iterations, and no accuracy", "[projection]") {
  Mechanism mechanism("heavy pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const expr::Symbol mass = mechanism.parameter("mass", 1e6, "kg"), length = mechanism.parameter("length", 1, "m");
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), add_point(m, "P", {0.6, -0.8}, {0.0, 0.0}, mass), &length);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("pull", 1e-7 * mechanism.signal("rod.lambda"), mechanism.signal("P.x") * mechanism.signal("P.ay"));
  for (const Integrator& method : {Integrator(Rk4{0.02}), Integrator(Radau{5, 0.02, {}})}) {
    auto gradient = [&](const formulation::Formulation& form, const sensitivity::Method& how) {
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      return derivatives(mechanism, how);
    };
    INFO(integrator::name_of(method));
    const Rows exact = gradient(Index1{10, 10}, sensitivity::DiscreteAdjoint{});
    for (const sensitivity::Method& how :
         {sensitivity::Method(sensitivity::DiscreteAdjoint{}), sensitivity::Method(sensitivity::DiscreteDirect{})}) {
      CHECK(difference(gradient(stabilized, how), exact, mechanism.parameters()) < 1e-9);
    }
    const End got = end_of(mechanism, {stabilized, method}), expected = end_of(mechanism, {Index1{10, 10}, method});
    CHECK(largest_difference(got.state(), expected.state()) < 1e-12);
    CHECK(got.values[0] == Approx(expected.values[0]).epsilon(1e-10));
  }
}
