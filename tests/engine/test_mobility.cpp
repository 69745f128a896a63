// SPDX-License-Identifier: MIT
// Degrees of freedom, redundant joints by name, singular positions.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/assembly.hpp"
#include "analysis/mobility.hpp"
#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "simulation/run.hpp"

using namespace perilune;
using analysis::Mobility;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

const Vector still{0.0, 0.0}, rest{0.0, 0.0, 0.0}, z_axis{0.0, 0.0, 1.0};

std::vector<double> values(const Model& m) {
  std::vector<double> out;
  for (const model::Parameter& p : m.parameters()) out.push_back(p.value);
  return out;
}

Mobility mobility_of(const Model& m) {
  const auto system = std::make_shared<system::System>(m);
  const auto data = system->make_data(values(m));
  analysis::Assembly assembly(system, {});
  const analysis::ConsistentState state = assembly.solve(0, *data);
  return analysis::mobility(assembly.constraints(), 0, *data, state.q);
}

Place add_box(Model& m, const std::string& name, const Vector& at, const Vector& velocity = rest,
              const Vector& omega = rest) {
  return add_spatial_body(m, name, 2.0, {0.3, 0.4, 0.5, 0.0, 0.0, 0.0}, at, {1.0, 0.0, 0.0, 0.0}, velocity, omega);
}

void add_hinge(Model& m, const std::string& name, const Place& a, const Place& b, const Vector& at,
               const Vector& axis = z_axis) {
  add_joint(m, "revolute", name, with_axis(m, attach(m, a, at, {}), to_local_direction(m, a, axis)),
            with_axis(m, attach(m, b, at, {}), to_local_direction(m, b, axis)));
}

void add_door(Model& m, const Vector& upper_axis) {
  const Place ground = ground_place(m, rest),
              door = add_box(m, "door", {0.5, 0.0, 1.0}, {0.0, 0.75, 0.0}, {0.0, 0.0, 1.5});
  add_hinge(m, "lower", ground, door, {0.0, 0.0, 0.0});
  add_hinge(m, "upper", ground, door, {0.0, 0.0, 2.0}, upper_axis);
}

/// Four spatial bars in the plane z = 0 with all axes along z: three constraints too many.
void add_planar_four_bar(Model& m) {
  const Place ground = ground_place(m, rest);
  const Place crank = add_box(m, "crank", {0.1, 0.2, 0.0}), coupler = add_box(m, "coupler", {0.9, 0.6, 0.0}),
              rocker = add_box(m, "rocker", {1.8, 0.4, 0.0});
  add_hinge(m, "A", ground, crank, {0.0, 0.0, 0.0});
  add_hinge(m, "B", crank, coupler, {0.2, 0.4, 0.0});
  add_hinge(m, "C", coupler, rocker, {1.6, 0.8, 0.0});
  add_hinge(m, "D", rocker, ground, {2.0, 0.0, 0.0});
}

}  // namespace

TEST_CASE("degrees of freedom of open chains") {
  Model free("free", {0, 0, -9.81});
  add_box(free, "box", {0.1, 0.2, 0.3});
  const Mobility six = mobility_of(free);
  CHECK(six.degrees_of_freedom == 6);
  CHECK(six.coordinates == 7);
  CHECK(six.rank == 1);
  CHECK(six.redundant.empty());

  Model arm("arm", {0, -9.81});
  const Place upper = add_planar_body(arm, "upper", 1.0, 0.1, {0.5, 0.0}, 0.0, still, 0.0),
              lower = add_planar_body(arm, "lower", 1.0, 0.1, {1.5, 0.0}, 0.0, still, 0.0);
  add_coincidence(arm, "shoulder", ground_place(arm, still), body_place(arm, upper, {-0.5, 0.0}));
  add_coincidence(arm, "elbow", body_place(arm, upper, {0.5, 0.0}), body_place(arm, lower, {-0.5, 0.0}));
  const Mobility two = mobility_of(arm);
  CHECK(two.degrees_of_freedom == 2);
  CHECK(two.singular_freedoms == 0);
  CHECK(two.margin > 0.1);
}

TEST_CASE("the second hinge of a door is redundant and named") {
  Model m("door", {0, 0, -9.81});
  add_door(m, z_axis);
  const Mobility found = mobility_of(m);
  CHECK(found.degrees_of_freedom == 1);
  REQUIRE(found.redundant.size() == 1);
  CHECK(found.redundant[0].joint == "upper");
  CHECK(found.redundant[0].count == 5);
  CHECK(found.redundant[0].with == std::vector<std::string>{"lower"});
  CHECK(found.singular_freedoms == 0);
  CHECK(system::describe(found.redundant) == "\"upper\" (5 constraints that follow from \"lower\")");
}

TEST_CASE("a planar four-bar of spatial revolutes has three redundant constraints at its last joint") {
  Model m("four-bar", {0, 0, -9.81});
  add_planar_four_bar(m);
  const Mobility found = mobility_of(m);
  CHECK(found.degrees_of_freedom == 1);
  REQUIRE(found.redundant.size() == 1);
  CHECK(found.redundant[0].joint == "D");
  CHECK(found.redundant[0].count == 3);
  CHECK(found.redundant[0].with == std::vector<std::string>{"A", "B", "C"});
}

TEST_CASE("redundancy is found whatever the size of the mechanism") {
  for (double size : {1e-4, 1.0, 1e4}) {
    Model m("parallel cranks", {0, 0});
    Place top[3];
    for (int k = 0; k < 3; ++k) {
      const double x = k * size;
      top[k] = add_point(m, "P" + std::to_string(k), {x + 0.6 * size, 0.8 * size}, still, 1.0);
      add_distance(m, "crank" + std::to_string(k), ground_place(m, {x, 0.0}), top[k], nullptr);
    }
    add_distance(m, "first", top[0], top[1], nullptr);
    add_distance(m, "second", top[1], top[2], nullptr);
    add_distance(m, "both", top[0], top[2], nullptr);
    const Mobility found = mobility_of(m);
    INFO("size " << size);
    CHECK(found.degrees_of_freedom == 1);
    REQUIRE(found.redundant.size() == 1);
    CHECK(found.redundant[0].joint == "both");
    CHECK(found.redundant[0].with == std::vector<std::string>{"first", "second"});
  }
}

TEST_CASE("a singular position is told from a redundant joint") {
  // A parallelogram laid flat: the coupler may rise parallel or cross.
  Model m("flat", {0, 0});
  const Place P = add_point(m, "P", {1.0, 0.0}, still, 1.0), Q = add_point(m, "Q", {3.0, 0.0}, still, 1.0);
  add_distance(m, "left", ground_place(m, {0.0, 0.0}), P, nullptr);
  add_distance(m, "coupler", P, Q, nullptr);
  add_distance(m, "right", ground_place(m, {2.0, 0.0}), Q, nullptr);
  const Mobility found = mobility_of(m);
  CHECK(found.degrees_of_freedom == 2);
  CHECK(found.singular_freedoms == 1);
  const std::vector<std::string> sentences = analysis::singularity_warnings(found, 0.5);
  REQUIRE(sentences.size() == 1);
  CHECK_THAT(sentences[0], Contains("at t = 0.5 s") && Contains("singular") && Contains("\"right\""));
}

TEST_CASE("a nearly singular position is warned about") {
  for (const auto& [height, is_near] : std::vector<std::pair<double, bool>>{{1e-7, true}, {0.1, false}}) {
    Model m("toggle", {0, 0});
    const Place P = add_point(m, "P", {1.0, height}, still, 1.0);
    add_distance(m, "left", ground_place(m, {0.0, 0.0}), P, nullptr);
    add_distance(m, "right", ground_place(m, {2.0, 0.0}), P, nullptr);
    const Mobility found = mobility_of(m);
    INFO("height " << height);
    CHECK(found.degrees_of_freedom == 0);
    CHECK(found.is_nearly_singular() == is_near);
    const std::vector<std::string> sentences = analysis::singularity_warnings(found, 0);
    REQUIRE(sentences.size() == (is_near ? 1 : 0));
    if (is_near) CHECK_THAT(sentences[0], Contains("\"right\"") && Contains("nearly singular"));
  }
}

TEST_CASE("the index-1 form refuses redundant joints by name, the penalty form takes them") {
  Model m("door", {0, 0, -9.81});
  add_door(m, z_axis);
  simulation::Problem problem;
  problem.system = std::make_shared<system::System>(m);
  problem.end = 0.5;
  problem.formulation = formulation::Index1{10, 10};
  problem.integrator = integrator::DormandPrince{};
  CHECK_THROWS_AS(simulation::evaluate(problem, {}), NumericalError);
  CHECK_THROWS_WITH(simulation::evaluate(problem, {}),
                    Contains("\"upper\"") && Contains("\"lower\"") && Contains("mbs.maggi"));
  problem.formulation = formulation::Penalty{};
  const simulation::Evaluation run = simulation::evaluate(problem, {});
  REQUIRE(run.solution.status == integrator::Status::Completed);
  // Nothing turns the door about its vertical axis: omega stays 1.5, and the centre goes round at radius 0.5.
  const double* q = run.solution.mesh.q_at(run.solution.mesh.size() - 1);
  CHECK(q[0] == Approx(0.5 * std::cos(0.75)).margin(1e-7));
  CHECK(q[1] == Approx(0.5 * std::sin(0.75)).margin(1e-7));
}

TEST_CASE("hinges that contradict each other are refused by name") {
  // The upper pin is 2 cm beside the axis of the lower hinge, which cannot tilt.
  Model locked("locked", {0, 0, -9.81});
  const Place door = add_box(locked, "door", {0.5, 0.0, 1.0});
  const Place ground = ground_place(locked, rest);
  add_hinge(locked, "lower", ground, door, {0.0, 0.0, 0.0});
  add_coincidence(locked, "upper", ground_place(locked, {0.0, 0.0, 2.0}), body_place(locked, door, {-0.5, 0.02, 1.0}));
  CHECK_THROWS_AS(mobility_of(locked), NumericalError);
  CHECK_THROWS_WITH(mobility_of(locked), Contains("\"upper\"") && Contains("\"lower\"") && Contains("contradict") &&
                                             (Contains(" m; ") || Contains(" rad; ")));
}

TEST_CASE("the rank of a long chain takes time in proportion to its length") {
  // 3000 bars in a row, doubled: every second one is redundant. A dense elimination would take hours.
  Model m("chain", {0, -9.81});
  Place before = ground_place(m, {0.0, 0.0});
  const int bars = 3000;
  for (int k = 1; k <= bars; ++k) {
    const Place next = add_point(m, "P" + std::to_string(k), {static_cast<double>(k), 0.3 * (k % 2)}, still, 1.0);
    add_distance(m, "bar" + std::to_string(k), before, next, nullptr);
    add_distance(m, "twin" + std::to_string(k), before, next, nullptr);
    before = next;
  }
  const system::System system(m);
  const auto data = system.make_data({});
  system::Workspace w(system);
  system.evaluate({0, data->initial_q.data(), data->initial_v.data(), nullptr, nullptr}, *data, w,
                  system::Part::Constraints);
  const system::ConstraintRank found = system::constraint_rank(system, w);
  CHECK(found.rank() == bars);
  REQUIRE(found.redundant.size() == static_cast<std::size_t>(bars));
  CHECK(found.redundant[1234].joint == "twin1235");
  CHECK(found.redundant[1234].with == std::vector<std::string>{"bar1235"});
}
