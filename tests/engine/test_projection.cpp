// The augmented Lagrangian forms: with index 3 the velocities are projected onto the constraints after every step; with
// both, redundant constraints are no obstacle. And the plain index-3 form, which projects nothing.
#include "form_checks.hpp"

using namespace perilune;
using expr::Symbol;
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
      const FormRun how{projected, method};
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

TEST_CASE("index 3: order of convergence with projected velocities and without", "[projection][order]") {
  for (Make make : {five_bar_mechanism, four_bar_mechanism, spatial_joints_mechanism}) {
    Mechanism mechanism = make();
    for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{projected, Index3{}}) {
      const OrderCheck check(mechanism, form);
      for (const Integrator& method : std::initializer_list<Integrator>{Trapezoidal{0.005}, Newmark{0.005}, Hht{0.0025},
                                                                        GeneralizedAlpha{0.005}}) {
        check(method, 2);
      }
      // Radau IIA loses order with index 3; the projection brings it back.
      const bool is_projected = std::holds_alternative<AugmentedLagrangian>(form);
      check(Radau{3, 0.005, {}}, is_projected ? 3 : 2);
      check(Radau{5, 0.02, {}}, is_projected ? 5 : 3);
    }
  }
}

TEST_CASE("augmented Lagrangian, index 3: discrete gradients are exact", "[projection][sensitivity]") {
  for (Make make : makes) {
    for (const Integrator& method : implicit) check_discrete_gradients(make(), {projected, method});
  }
  check_discrete_gradients(four_bar_mechanism(), {projected, Radau{5, 0, {1e-6, 1e-8}}});
}

TEST_CASE("index 3: discrete gradients are exact", "[projection][sensitivity]") {
  for (Make make : makes) {
    for (const Integrator& method : implicit) check_discrete_gradients(make(), {Index3{}, method});
  }
}

namespace {

/// A door on one hinge or on two, of which five constraints are redundant, in oblique gravity.
Mechanism door(bool has_second_hinge) {
  Mechanism mechanism("door", {0, 0, -9.81});
  model::Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol width = mechanism.parameter("width", 0.5, "m"), mass = mechanism.parameter("mass", 2.0, "kg");
  const Symbol slope = mechanism.parameter("slope", 4.0, "m/s^2"), spin = mechanism.parameter("spin", 1.5, "rad/s");
  const Symbol damping = mechanism.parameter("damping", 0.2, "N m s");
  m.set_gravity({0.0, -slope, -9.81});
  const model::Vector up{0.0, 0.0, 1.0};
  const model::Place leaf = m.add_spatial_body("leaf", mass, {0.3, 0.4, 0.5, 0.01, -0.02, 0.03}, {width, 0.0, 1.0},
                                               {1.0, 0.0, 0.0, 0.0}, {0.0, spin * width, 0.0}, {0.0, 0.0, spin});
  auto add_hinge = [&](const char* name, double height) {
    m.add_joint("revolute", name, m.with_axis(m.ground_place({0.0, 0.0, height}), up),
                m.with_axis(m.body_place(leaf, {-width, 0.0, height - 1.0}), up));
  };
  add_hinge("lower", 0);
  if (has_second_hinge) add_hinge("upper", 2);
  m.add_force("damper", leaf, {0.0, 0.0, 0.0}, {0.0, 0.0, -damping * s("leaf.omega_z")});
  mechanism.compile();
  mechanism.problem.end = 0.4;
  mechanism.both("motion", s("leaf.x") * s("leaf.omega_z"), s("leaf.y") + s("leaf.vx") * s("leaf.vx"));
  mechanism.both("accelerations", s("leaf.ay"), 0.1 * s("leaf.ax") * s("leaf.ax"));
  mechanism.terminal("energy", s("energy.total"));
  return mechanism;
}

const AugmentedLagrangian stabilized{1, 1e7, 1, 10};
const Integrator all[] = {Rk4{0.005},         Trapezoidal{0.01}, Sdirk4{0.02}, Radau{3, 0.02, {}},
                          Radau{5, 0.03, {}}, Newmark{0.01},     Hht{0.01},    GeneralizedAlpha{0.01}};

/// Position, Euler parameters and their rates at the end.
std::vector<double> leaf_state(Mechanism& mechanism, const FormRun& how) {
  const std::vector<double> all_of_it = end_state(mechanism, how);
  const auto rates = all_of_it.begin() + mechanism.problem.system->coordinate_count();
  std::vector<double> leaf(all_of_it.begin(), all_of_it.begin() + 7);
  leaf.insert(leaf.end(), rates, rates + 7);
  return leaf;
}

bool offers(const formulation::Formulation& form, const Integrator& method) {
  return integrator::objection(form, method).empty();
}

}  // namespace

TEST_CASE("augmented Lagrangian: redundant constraints leave the motion as it is", "[projection]") {
  Mechanism one = door(false), two = door(true);
  // The hinge counts one coordinate and one constraint for its angle.
  REQUIRE(two.problem.system->coordinate_count() == one.problem.system->coordinate_count() + 1);
  REQUIRE(two.problem.system->constraint_count() == one.problem.system->constraint_count() + 6);
  for (const Integrator& method : all) {
    // The same stabilization without redundancy, and the penalty form, whose multipliers are almost the true ones.
    const Index1 plain{10, 10};
    const FormRun how{stabilized, method};
    INFO(how.name());
    const std::vector<double> got = leaf_state(two, how);
    CHECK(largest_difference(got, leaf_state(one, how)) < 1e-12);
    CHECK(largest_difference(got, leaf_state(one, {plain, method})) < 1e-12);
    CHECK(largest_difference(got, leaf_state(two, {formulation::Penalty{1e12, 1, 10}, method})) < 1e-9);
    if (!offers(projected, method)) continue;
    const FormRun three{projected, method};
    INFO(three.name());
    const auto run = run_of(two, three);
    CHECK(largest_difference(leaf_state(two, three), leaf_state(one, three)) < 1e-12);
    CHECK(drift_of(two, run).position < 1e-12);
    CHECK(drift_of(two, run).rate < 1e-12);
  }
}

TEST_CASE("augmented Lagrangian: discrete gradients are exact with redundant constraints",
          "[projection][sensitivity]") {
  for (bool is_redundant : {false, true}) {
    for (const Integrator& method : all) {
      check_discrete_gradients(door(is_redundant), {stabilized, method});
      if (offers(projected, method)) check_discrete_gradients(door(is_redundant), {projected, method});
    }
  }
}
