// SPDX-License-Identifier: MIT
// The formulations in independent coordinates: the motion of index 1 without its drift, Maggi's form the same as
// coordinate partitioning, changes of the independent coordinates.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/reduced/independent_coordinates.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"
#include "numbers.hpp"
#include "run_check.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Integrator;

namespace {

const formulation::Formulation reduced_forms[] = {formulation::Maggi{}, formulation::CoordinatePartitioning{}};

std::size_t count_choices(const integrator::Steps& steps) {
  std::size_t changes = 0;
  const std::vector<int>* last = nullptr;
  for (std::size_t k = 0; k < steps.steps.size(); ++k) {
    const integrator::Steps::Step& step = steps.steps[k];
    REQUIRE(step.choice);
    if (!last || *step.choice != *last) ++changes;
    last = step.choice.get();
  }
  return changes;
}

/// A crank that a driver turns: no freedom is left.
Mechanism driven_crank() {
  Mechanism mechanism("driven crank", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol arm = mechanism.parameter("arm", 0.3, "m"), speed = mechanism.parameter("speed", 2.0);
  const Symbol mass = mechanism.parameter("mass", 1.3, "kg");
  const model::Place crank = add_planar_body(m, "crank", mass, 0.05, {arm, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  add_joint(m, "revolute", "hinge", ground_place(m, {0.0, 0.0}), body_place(m, crank, {-arm, 0.0}));
  const Symbol t = mechanism.signal("t");
  add_driver(m, "motor", mechanism.signal("hinge.angle"), speed * t + 0.3 * sin(4.0 * t));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", mechanism.signal("crank.x"), mechanism.signal("crank.vy") * mechanism.signal("crank.ax"));
  mechanism.both("drive", mechanism.signal("motor.force"), mechanism.signal("motor.power"));
  return mechanism;
}

const std::initializer_list<Mechanism (*)()> all_mechanisms = {
    five_bar_mechanism,       four_bar_mechanism,      spatial_pendulum_mechanism, driven_linkage_mechanism,
    spatial_joints_mechanism, turning_crank_mechanism, free_points_mechanism,      driven_crank};

}  // namespace

TEST_CASE("independent coordinates: the motion of index 1 without its drift", "[reduced]") {
  for (Mechanism (*make)() : all_mechanisms) {
    const Mechanism mechanism = make();
    INFO(mechanism.name);
    const std::vector<double> exact = exact_end_of(mechanism, formulation::Index1{}).state();
    for (const auto& form : reduced_forms) {
      auto error = [&](double step) {
        return largest_difference(end_of(mechanism, {form, integrator::Rk4{step}}).state(), exact);
      };
      INFO(formulation::name_of(form));
      const double step = make == turning_crank_mechanism ? 0.001 : 0.004;
      const double coarse = error(step), fine = error(step / 2);
      CAPTURE(coarse, fine);
      CHECK(coarse < 1e-5);
      CHECK((fine < coarse / 11 || fine < 1e-10));
      const Drift drift = drift_of(mechanism, run_of(mechanism, {form, integrator::Rk4{0.01}}));
      CHECK(drift.position < 2e-15);
      CHECK(drift.rate < 2e-14);
    }
  }
}

TEST_CASE("Maggi's form equals coordinate partitioning", "[reduced]") {
  for (Mechanism (*make)() : all_mechanisms) {
    for (const Integrator& method :
         std::initializer_list<Integrator>{integrator::Rk4{0.005}, integrator::Sdirk4{0.01}}) {
      const Mechanism mechanism = make();
      INFO(mechanism.name << ", " << integrator::name_of(method));
      const auto maggi = run_of(mechanism, {formulation::Maggi{}, method}),
                 partitioning = run_of(mechanism, {formulation::CoordinatePartitioning{}, method});
      const integrator::Mesh &x = maggi.solution.mesh, &y = partitioning.solution.mesh;
      REQUIRE(x.size() == y.size());
      const auto agree = [&](const double* (integrator::Mesh::*part)(std::size_t) const, int count, double limit) {
        std::vector<double> of_x, of_y;
        for (std::size_t k = 0; k < x.size(); ++k) {
          of_x.insert(of_x.end(), (x.*part)(k), (x.*part)(k) + count);
          of_y.insert(of_y.end(), (y.*part)(k), (y.*part)(k) + count);
        }
        return largest_difference(of_x, of_y) < limit * std::max(1.0, largest(of_y));
      };
      CHECK(agree(&integrator::Mesh::q_at, x.n, 1e-12));
      CHECK(agree(&integrator::Mesh::v_at, x.n, 1e-11));
      CHECK(agree(&integrator::Mesh::a_at, x.n, 1e-10));
      CHECK(agree(&integrator::Mesh::lambda_at, x.m, 1e-10));
    }
  }
}

TEST_CASE("independent coordinates change on the way", "[reduced]") {
  for (const auto& form : reduced_forms) {
    const auto got = run_of(turning_crank_mechanism(), {form, integrator::Rk4{0.005}});
    const integrator::Mesh& mesh = got.solution.mesh;
    double turned = 0;
    for (std::size_t k = 1; k < mesh.size(); ++k) {
      const double *a = mesh.q_at(k - 1), *b = mesh.q_at(k);
      turned += std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
    }
    CHECK(turned > 2 * 2 * M_PI);
    CHECK(count_choices(got.solution.steps) > 4);
    CHECK(count_choices(got.solution.steps) < 20);
  }
  // In the table of gradients too.
  Mechanism brief = turning_crank_mechanism();
  brief.problem.end = 0.155;
  CHECK(count_choices(run_of(brief, {formulation::Maggi{}, integrator::Rk4{0.01}}).solution.steps) > 1);
}

TEST_CASE("repeated steps keep to the independent coordinates of the first run", "[reduced]") {
  Mechanism mechanism = turning_crank_mechanism();
  mechanism.problem.formulation = formulation::Maggi{};
  mechanism.problem.integrator = integrator::DormandPrince{1e-7, 1e-8};
  std::vector<double> parameters = mechanism.parameters();
  const auto nominal = simulation::evaluate(mechanism.problem, parameters);
  const auto again = simulation::evaluate(mechanism.problem, parameters, &nominal.solution.steps);
  const integrator::Mesh &mesh = nominal.solution.mesh, &same = again.solution.mesh;
  REQUIRE(same.size() == mesh.size());
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    CHECK(std::equal(mesh.q_at(k), mesh.q_at(k) + mesh.n, same.q_at(k)));
    CHECK(std::equal(mesh.lambda_at(k), mesh.lambda_at(k) + mesh.m, same.lambda_at(k)));
  }
  parameters[5] *= 1.01;  // turns faster: choices of its own would fall elsewhere
  const auto other = simulation::evaluate(mechanism.problem, parameters, &nominal.solution.steps);
  const auto free = simulation::evaluate(mechanism.problem, parameters);
  REQUIRE(other.solution.steps.steps.size() == nominal.solution.steps.steps.size());
  for (std::size_t k = 0; k < other.solution.steps.steps.size(); ++k) {
    CHECK(*other.solution.steps.steps[k].choice == *nominal.solution.steps.steps[k].choice);
  }
  REQUIRE(free.solution.status == integrator::Status::Completed);
  CHECK(other.values[0] == Approx(free.values[0]).epsilon(1e-4));
}

TEST_CASE("independent coordinates of a rod", "[reduced]") {
  // One constraint x dx + y dy = 0: the independent coordinate is the one that moves more.
  linalg::Entries places;
  for (const int column : {0, 1}) places.emplace(0, column);
  const linalg::SparsePattern pattern(1, 2, places);
  const double steep[] = {2, 0.1}, flat[] = {0.1, -2}, none[] = {0, 0};
  CHECK(formulation::choose_independent(pattern, steep, {}) == std::vector<int>{1});
  CHECK(formulation::choose_independent(pattern, flat, {}) == std::vector<int>{0});
  CHECK(!formulation::choose_independent(pattern, none, {}));
}

TEST_CASE("independent coordinates: a step too long for the constraints is refused with its time", "[reduced]") {
  for (const auto& form : reduced_forms) {
    for (const Integrator& method : std::initializer_list<Integrator>{integrator::Rk4{0.4}, integrator::Newmark{0.4}}) {
      Mechanism mechanism = turning_crank_mechanism();
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      const auto got = simulation::evaluate(mechanism.problem, mechanism.parameters());
      INFO(got.solution.message);
      REQUIRE(got.solution.status == integrator::Status::Failed);
      CHECK(got.solution.message.substr(0, 6) == "at t =");
      CHECK_THAT(got.solution.message, Catch::Matchers::Contains("try a smaller step"));
    }
  }
}

TEST_CASE("independent coordinates: a force that is not finite is named", "[reduced]") {
  for (const auto& form : reduced_forms) {
    for (const Integrator& method :
         std::initializer_list<Integrator>{integrator::Rk4{0.01}, integrator::Trapezoidal{0.01}}) {
      Mechanism mechanism("root", {0, -9.81});
      model::Model& m = *mechanism.model;
      const model::Place P = add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
      add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, nullptr);
      add_force(m, "thrust", P, {sqrt(0.1 - mechanism.signal("t")), Symbol(0.0)}, {});
      mechanism.compile();
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      const auto got = simulation::evaluate(mechanism.problem, {});
      INFO(got.solution.message);
      REQUIRE(got.solution.status == integrator::Status::Failed);
      CHECK_THAT(got.solution.message, Catch::Matchers::Contains("thrust"));
    }
  }
}
