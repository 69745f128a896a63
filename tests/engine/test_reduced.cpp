// The formulations in independent coordinates: the motion of index 1 without its drift, Maggi's form the same as
// coordinate partitioning, exact gradients with every integrator, also across a change of the independent coordinates.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/independent_coordinates.hpp"
#include "gradient_check.hpp"
#include "numbers.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::Integrator;

namespace {

const formulation::Formulation reduced_forms[] = {formulation::Maggi{}, formulation::CoordinatePartitioning{}};

std::size_t count_choices(const integrator::Steps& steps) {
  std::size_t changes = 0;
  const std::vector<int>* last = nullptr;
  for (const auto& step : steps.steps) {
    REQUIRE(step.choice);
    if (!last || *step.choice != *last) ++changes;
    last = step.choice.get();
  }
  return changes;
}

/// A four-bar of points without angles, whose crank turns full circles: neither x nor y of its end serves throughout.
Mechanism turning_crank() {
  Mechanism mechanism("turning crank", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol crank = mechanism.parameter("crank", 0.4, "m"), coupler = mechanism.parameter("coupler", 1.1, "m");
  const Symbol pivot = mechanism.parameter("pivot", 1.2, "m"), mass = mechanism.parameter("mass", 0.8, "kg");
  const Symbol torque = mechanism.parameter("torque", 3.0, "N m"), speed = mechanism.parameter("speed", 4.0, "m/s");
  const model::Place A = m.ground_place({0.0, 0.0}), D = m.ground_place({pivot, 0.0});
  const model::Place P = m.add_point("P", {crank, 0.0}, {0.0, speed}, 2.0);
  const model::Place Q = m.add_point("Q", {1.0, 0.9}, {0.0, 0.0}, mass);
  m.add_distance("arm", A, P, &crank);
  m.add_distance("link", P, Q, &coupler);
  m.add_bar("rocker", Q, D, 0.5, nullptr);
  auto s = [&](const char* name) { return mechanism.signal(name); };
  m.add_force("motor", P, {-torque * s("P.y") - 0.2 * s("P.vx"), torque * s("P.x") - 0.2 * s("P.vy")}, {});
  mechanism.compile();
  mechanism.problem.independent = {0, 1};
  mechanism.problem.end = 1.2;
  mechanism.both("motion", s("Q.x") * s("Q.vy"), s("P.x") * s("Q.y"));
  mechanism.both("reactions", 0.1 * s("arm.lambda"), 0.01 * s("link.lambda") * s("rocker.lambda"));
  mechanism.both("accelerations", 0.01 * s("P.ax"), 1e-3 * s("Q.ay") * s("Q.ay"));
  return mechanism;
}

/// Points on springs: no constraints.
Mechanism free_points() {
  Mechanism mechanism("free points", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.7, "kg"), k = mechanism.parameter("k", 30, "N/m");
  const Symbol start = mechanism.parameter("start", 0.4, "m");
  const model::Place P = m.add_point("P", {start, 0.1}, {0.5, 0.0}, mass);
  const model::Place Q = m.add_point("Q", {1.0, -0.3}, {0.0, 0.2}, 1.1);
  m.add_spring("a", m.ground_place({0.0, 1.0}), P, k, nullptr, 0.3, 0.0);
  m.add_spring("b", P, Q, 0.5 * k, &start, 0.2, 0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", mechanism.signal("Q.x"), mechanism.signal("P.y") * mechanism.signal("P.ax"));
  return mechanism;
}

/// A crank that a driver turns: no freedom is left.
Mechanism driven_crank() {
  Mechanism mechanism("driven crank", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol arm = mechanism.parameter("arm", 0.3, "m"), speed = mechanism.parameter("speed", 2.0);
  const Symbol mass = mechanism.parameter("mass", 1.3, "kg");
  const model::Place crank = m.add_planar_body("crank", mass, 0.05, {arm, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  m.add_joint("revolute", "hinge", m.ground_place({0.0, 0.0}), m.body_place(crank, {-arm, 0.0}));
  const Symbol t = mechanism.signal("t");
  m.add_driver("motor", mechanism.signal("hinge.angle"), speed * t + 0.3 * sin(4.0 * t));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", mechanism.signal("crank.x"), mechanism.signal("crank.vy") * mechanism.signal("crank.ax"));
  mechanism.both("drive", mechanism.signal("motor.force"), mechanism.signal("motor.power"));
  return mechanism;
}

const std::initializer_list<Mechanism (*)()> all_mechanisms = {five_bar_mechanism,
                                                               four_bar_mechanism,
                                                               spatial_pendulum_mechanism,
                                                               driven_linkage_mechanism,
                                                               spatial_joints_mechanism,
                                                               turning_crank,
                                                               free_points,
                                                               driven_crank};

void check_table(Mechanism (*make)(), double step = 4e-3) {
  for (const auto& form : reduced_forms) {
    for (const Integrator& method : std::initializer_list<Integrator>{
             integrator::Rk4{0.01}, integrator::DormandPrince{1e-7, 1e-8}, integrator::Trapezoidal{0.01},
             integrator::Sdirk4{0.02}, integrator::Radau{3, 0.01, {}}, integrator::Radau{5, 0.02, {}},
             integrator::Radau{5, 0, {1e-6, 1e-7}}, integrator::Newmark{0.01}, integrator::Hht{0.01},
             integrator::GeneralizedAlpha{0.01}}) {
      check_discrete_gradients(make(), {form, method}, step);
    }
  }
}

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
      const double step = make == turning_crank ? 0.001 : 0.004;
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
      CHECK(largest_difference(x.q, y.q) < 1e-12 * std::max(1.0, largest(y.q)));
      CHECK(largest_difference(x.v, y.v) < 1e-11 * std::max(1.0, largest(y.v)));
      CHECK(largest_difference(x.a, y.a) < 1e-10 * std::max(1.0, largest(y.a)));
      CHECK(largest_difference(x.lambda, y.lambda) < 1e-10 * std::max(1.0, largest(y.lambda)));
    }
  }
}

TEST_CASE("independent coordinates: gradients on the five-bar", "[reduced]") { check_table(five_bar_mechanism); }
TEST_CASE("independent coordinates: gradients on the four-bar", "[reduced]") { check_table(four_bar_mechanism); }
TEST_CASE("independent coordinates: gradients on the spatial pendulum", "[reduced]") {
  check_table(spatial_pendulum_mechanism);
}
TEST_CASE("independent coordinates: gradients on the driven linkage", "[reduced]") {
  check_table(driven_linkage_mechanism);
}
TEST_CASE("independent coordinates: gradients on the spatial joints", "[reduced]") {
  check_table(spatial_joints_mechanism);
}
TEST_CASE("independent coordinates: gradients without constraints", "[reduced]") { check_table(free_points); }
TEST_CASE("independent coordinates: gradients without freedoms", "[reduced]") { check_table(driven_crank); }

TEST_CASE("independent coordinates change on the way, and gradients with them", "[reduced]") {
  for (const auto& form : reduced_forms) {
    const auto got = run_of(turning_crank(), {form, integrator::Rk4{0.005}});
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
  check_table(turning_crank, 1e-3);  // two turns: higher derivatives grow
}

TEST_CASE("repeated steps keep to the independent coordinates of the first run", "[reduced]") {
  Mechanism mechanism = turning_crank();
  mechanism.problem.formulation = formulation::Maggi{};
  mechanism.problem.integrator = integrator::DormandPrince{1e-7, 1e-8};
  std::vector<double> parameters = mechanism.parameters();
  const auto nominal = sensitivity::evaluate(mechanism.problem, parameters);
  const auto again = sensitivity::evaluate(mechanism.problem, parameters, &nominal.solution.steps);
  CHECK(again.solution.mesh.q == nominal.solution.mesh.q);
  CHECK(again.solution.mesh.lambda == nominal.solution.mesh.lambda);
  parameters[5] *= 1.01;  // turns faster: choices of its own would fall elsewhere
  const auto other = sensitivity::evaluate(mechanism.problem, parameters, &nominal.solution.steps);
  const auto free = sensitivity::evaluate(mechanism.problem, parameters);
  REQUIRE(other.solution.steps.steps.size() == nominal.solution.steps.steps.size());
  for (std::size_t k = 0; k < other.solution.steps.steps.size(); ++k) {
    CHECK(*other.solution.steps.steps[k].choice == *nominal.solution.steps.steps[k].choice);
  }
  REQUIRE(free.solution.status == integrator::Status::Completed);
  CHECK(other.values[0] == Approx(free.values[0]).epsilon(1e-4));
}

TEST_CASE("independent coordinates of a rod", "[reduced]") {
  // One constraint x dx + y dy = 0: the independent coordinate is the one that moves more.
  const linalg::SparsePattern pattern(1, 2, {{0, 0}, {0, 1}});
  const double steep[] = {2, 0.1}, flat[] = {0.1, -2}, none[] = {0, 0};
  CHECK(formulation::choose_independent(pattern, steep) == std::vector<int>{1});
  CHECK(formulation::choose_independent(pattern, flat) == std::vector<int>{0});
  CHECK(!formulation::choose_independent(pattern, none));
}

TEST_CASE("independent coordinates: a step too long for the constraints is refused with its time", "[reduced]") {
  for (const auto& form : reduced_forms) {
    for (const Integrator& method : std::initializer_list<Integrator>{integrator::Rk4{0.4}, integrator::Newmark{0.4}}) {
      Mechanism mechanism = turning_crank();
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      const auto got = sensitivity::evaluate(mechanism.problem, mechanism.parameters());
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
      const model::Place P = m.add_point("P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
      m.add_distance("rod", m.ground_place({0.0, 0.0}), P, nullptr);
      m.add_force("thrust", P, {sqrt(0.1 - mechanism.signal("t")), Symbol(0.0)}, {});
      mechanism.compile();
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      const auto got = sensitivity::evaluate(mechanism.problem, {});
      INFO(got.solution.message);
      REQUIRE(got.solution.status == integrator::Status::Failed);
      CHECK_THAT(got.solution.message, Catch::Matchers::Contains("thrust"));
    }
  }
}
