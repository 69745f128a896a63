// SPDX-License-Identifier: MIT
// Kinematic analysis against closed forms: positions, velocities, accelerations, reactions and drive torques.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/kinematics.hpp"
#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"
#include "simulation/trajectory.hpp"

using namespace perilune;
using analysis::KinematicsResult;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

const Vector still{0.0, 0.0};

std::vector<double> times_to(double end, int points) {
  std::vector<double> times;
  for (int k = 0; k < points; ++k) times.push_back(end * k / (points - 1));
  return times;
}

struct Driven {
  std::shared_ptr<Model> model;
  std::shared_ptr<const system::System> system;
  std::shared_ptr<const system::Data> data;
  KinematicsResult result;

  Driven(std::shared_ptr<Model> m, const std::vector<double>& times)
      : model(std::move(m)),
        system(std::make_shared<system::System>(*model)),
        data(system->make_data({})),
        result(analysis::kinematics(system, data, times, nullptr)) {}

  simulation::Trajectory trajectory() const {
    simulation::Problem problem;
    problem.system = system;
    simulation::Evaluation run;
    run.data = data;
    run.solution = result.solution;
    return {model,
            problem,
            run,
            {"kinematic analysis",
             [motion = result.motion](const integrator::Mesh& mesh, double t, double* q, double* v, double* a,
                                      double* lambda) { motion->between(mesh, t, q, v, a, lambda); }}};
  }
};

constexpr double crank = 0.1, rod = 0.3, speed = 12;

std::shared_ptr<Model> slider_crank() {
  auto m = std::make_shared<Model>("slider-crank", std::vector<double>{0, -9.81});
  const Place wheel = add_planar_body(*m, "wheel", 1.0, 0.01, still, 0.0, still, 0.0);
  const Place link = add_planar_body(*m, "link", 0.5, 0.004, {crank + rod / 2, 0.0}, 0.0, still, 0.0);
  const Place piston = add_planar_body(*m, "piston", 0.8, 0.01, {crank + rod, 0.0}, 0.0, still, 0.0);
  const Place ground = ground_place(*m, still);
  add_joint(*m, "revolute", "shaft", ground, wheel);
  add_joint(*m, "revolute", "pin", body_place(*m, wheel, {crank, 0.0}), body_place(*m, link, {-rod / 2, 0.0}));
  add_joint(*m, "revolute", "gudgeon", body_place(*m, link, {rod / 2, 0.0}), piston);
  add_joint(*m, "translational", "barrel", ground, piston);
  add_driver(*m, "motor", read(*m, "shaft.angle"), speed * read(*m, "t"));
  return m;
}

}  // namespace

TEST_CASE("a slider-crank turns as its closed form says, over several turns") {
  const Driven run(slider_crank(), times_to(2, 41));
  REQUIRE(run.result.solution.status == integrator::Status::Completed);
  CHECK(run.result.solution.mesh.size() == 41);
  const simulation::Trajectory trajectory = run.trajectory();
  const auto expect = [](double t, double& x, double& v, double& a) {
    const double s = std::sin(speed * t), c = std::cos(speed * t), root = std::sqrt(rod * rod - crank * crank * s * s);
    x = crank * c + root;
    const double slope = -crank * crank * s * c / root;  // of the root by the angle
    v = speed * (-crank * s + slope);
    a = speed * speed * (-crank * c + (-crank * crank * (c * c - s * s) - slope * slope) / root);
  };
  for (double t : {0.0, 0.05, 0.7, 1.2345, 1.999, 2.0}) {  // at the points, and between them
    double x, v, a;
    expect(t, x, v, a);
    INFO("t = " << t);
    CHECK(trajectory.evaluate(run.model->signal("piston.x"), {t})[0] == Approx(x).epsilon(1e-12));
    CHECK(trajectory.evaluate(run.model->signal("piston.vx"), {t})[0] == Approx(v).epsilon(1e-11).margin(1e-12));
    CHECK(trajectory.evaluate(run.model->signal("piston.ax"), {t})[0] == Approx(a).epsilon(1e-10));
    CHECK(trajectory.evaluate(run.model->signal("wheel.angle"), {t})[0] == Approx(speed * t).epsilon(1e-13));
  }
}

TEST_CASE("the power of the drive is the rate of the mechanism's energy") {
  const Driven run(slider_crank(), times_to(0.5, 26));
  const simulation::Trajectory trajectory = run.trajectory();
  const std::vector<double> power = trajectory.evaluate(run.model->signal("motor.power")),
                            energy = trajectory.evaluate(run.model->signal("energy.total"));
  double work = 0;
  const std::vector<double> fine = times_to(0.5, 2001);
  const std::vector<double> dense = trajectory.evaluate(run.model->signal("motor.power"), fine);
  for (std::size_t k = 0; k + 2 < fine.size(); k += 2) {  // Simpson
    work += (fine[k + 2] - fine[k]) / 6 * (dense[k] + 4 * dense[k + 1] + dense[k + 2]);
  }
  CHECK(work == Approx(energy.back() - energy.front()).epsilon(1e-8));
  CHECK(power.size() == 26);
}

TEST_CASE("the torque that turns a pendulum: inertia and weight") {
  constexpr double mass = 2, inertia = 0.3, arm = 0.7, g = 9.81;
  auto m = std::make_shared<Model>("pendulum", std::vector<double>{0, -g});
  const Place body = add_planar_body(*m, "body", mass, inertia, {arm, 0.0}, 0.0, still, 0.0);
  add_joint(*m, "revolute", "pin", ground_place(*m, still), body_place(*m, body, {-arm, 0.0}));
  const Symbol t = read(*m, "t");
  add_driver(*m, "motor", read(*m, "pin.angle"), 0.5 * t * t + 0.2 * t * t * t);  // starts from rest
  const Driven run(m, times_to(3, 31));
  REQUIRE(run.result.solution.status == integrator::Status::Completed);
  const simulation::Trajectory trajectory = run.trajectory();
  for (double time : {0.0, 0.4, 1.77, 3.0}) {
    const double angle = 0.5 * time * time + 0.2 * std::pow(time, 3), omega = time + 0.6 * time * time,
                 alpha = 1 + 1.2 * time;
    INFO("t = " << time);
    CHECK(trajectory.evaluate(m->signal("motor.force"), {time})[0] ==
          Approx((inertia + mass * arm * arm) * alpha + mass * g * arm * std::cos(angle)).epsilon(1e-11));
    // The pin carries the weight and bends the path.
    CHECK(
        trajectory.evaluate(m->signal("pin.force_x"), {time})[0] ==
        Approx(mass * arm * (-alpha * std::sin(angle) - omega * omega * std::cos(angle))).epsilon(1e-10).margin(1e-10));
    CHECK(trajectory.evaluate(m->signal("pin.force_y"), {time})[0] ==
          Approx(mass * g + mass * arm * (alpha * std::cos(angle) - omega * omega * std::sin(angle))).epsilon(1e-10));
  }
}

TEST_CASE("a structure without freedoms gives its rod forces") {
  auto m = std::make_shared<Model>("truss", std::vector<double>{0, -10});
  const Place P = add_point(*m, "P", {3.0, 4.0}, still, 2.0);
  add_distance(*m, "left", ground_place(*m, {0.0, 0.0}), P, nullptr);
  add_distance(*m, "right", ground_place(*m, {6.0, 0.0}), P, nullptr);
  const Driven run(m, times_to(1, 3));
  // By symmetry each rod (length 5, slope 4/5) carries 10 N of the 20 N upward: 12.5 N, and lambda is N / (2 L).
  const double* lambda = run.result.solution.mesh.lambda_at(2);
  CHECK(lambda[0] == Approx(-12.5 / 10).epsilon(1e-12));
  CHECK(lambda[1] == Approx(-12.5 / 10).epsilon(1e-12));
}

TEST_CASE("missing drivers are counted") {
  auto m = std::make_shared<Model>("arm", std::vector<double>{0, -9.81});
  const Place upper = add_planar_body(*m, "upper", 1.0, 0.1, {0.5, 0.0}, 0.0, still, 0.0);
  const Place lower = add_planar_body(*m, "lower", 1.0, 0.1, {1.5, 0.0}, 0.0, still, 0.0);
  add_joint(*m, "revolute", "shoulder", ground_place(*m, still), body_place(*m, upper, {-0.5, 0.0}));
  add_joint(*m, "revolute", "elbow", body_place(*m, upper, {0.5, 0.0}), body_place(*m, lower, {-0.5, 0.0}));
  CHECK_THROWS_WITH(Driven(m, times_to(1, 3)), Contains("2 degrees of freedom remain") && Contains("driver"));
  add_driver(*m, "first", read(*m, "shoulder.angle"), read(*m, "t"));
  CHECK_THROWS_WITH(Driven(m, times_to(1, 3)), Contains("1 degree of freedom remains"));
  add_driver(*m, "second", read(*m, "elbow.angle"), -2.0 * read(*m, "t"));
  const Driven run(m, times_to(1, 11));
  CHECK(run.result.solution.status == integrator::Status::Completed);
  add_driver(*m, "third", read(*m, "upper.angle"), 2.0 * read(*m, "t") + 0.1);
  CHECK_THROWS_WITH(Driven(m, times_to(1, 3)),
                    Contains("\"third\"") && Contains("\"first\"") && Contains("contradict"));
}

TEST_CASE("a driver that agrees with another is allowed") {
  auto m = std::make_shared<Model>("wheel", std::vector<double>{0, 0});
  const Place wheel = add_planar_body(*m, "wheel", 1.0, 0.5, still, 0.0, still, 0.0);
  add_joint(*m, "revolute", "axle", ground_place(*m, still), wheel);
  const Symbol t = read(*m, "t");
  add_driver(*m, "first", read(*m, "axle.angle"), t * t);
  add_driver(*m, "second", read(*m, "wheel.angle"), t * t);
  const Driven run(m, times_to(1, 5));
  REQUIRE(run.result.solution.status == integrator::Status::Completed);
  // Together they give inertia x acceleration = 1 N m, each half of it.
  const simulation::Trajectory trajectory = run.trajectory();
  CHECK(trajectory.evaluate(m->signal("first.force"), {0.6})[0] == Approx(0.5).epsilon(1e-10));
  CHECK(trajectory.evaluate(m->signal("second.force"), {0.6})[0] == Approx(0.5).epsilon(1e-10));
}

TEST_CASE("a drive past the reach of the mechanism stops there, and the motion so far is kept") {
  // A rod of length 1 whose end is drawn away: x = 0.5 + t reaches 1 at t = 0.5.
  auto m = std::make_shared<Model>("rod", std::vector<double>{0, 0});
  const Place P = add_point(*m, "P", {0.5, 0.9}, still, 1.0);
  const Symbol length = 1;
  add_distance(*m, "rod", ground_place(*m, still), P, &length);
  add_driver(*m, "pull", read(*m, "P.x"), 0.5 + read(*m, "t"));
  const Driven run(m, times_to(1, 101));
  REQUIRE(run.result.solution.status == integrator::Status::Failed);
  CHECK(run.result.solution.mesh.t.back() == Approx(0.49).margin(0.011));
  CHECK_THAT(run.result.solution.message, Contains("at t = 0.5"));
  CHECK_THAT(run.result.solution.message, Contains("\"rod\"") || Contains("\"pull\""));
}

TEST_CASE("a motion near a singular position is warned about once") {
  // A point rests where two lines cross, of which one turns into the other at t = 1.
  auto m = std::make_shared<Model>("lines", std::vector<double>{0, 0});
  add_point(*m, "P", {0.3, 0.0}, still, 1.0);
  add_constraint(*m, "floor", read(*m, "P.y"));
  add_constraint(*m, "slope", read(*m, "P.y") + (read(*m, "t") - 1.0) * (read(*m, "P.x") - 0.3));
  const Driven run(m, {0.5, 0.9, 1 - 5e-7, 1 + 5e-7, 1.2});
  INFO(run.result.solution.message);
  REQUIRE(run.result.solution.status == integrator::Status::Completed);
  REQUIRE(run.result.warnings.size() == 1);
  CHECK_THAT(run.result.warnings[0], Contains("at t = 1 s") && Contains("nearly singular") && Contains("\"slope\""));
  const Driven stopped(m, {0.5, 0.9, 1.0, 1.2});
  CHECK(stopped.result.solution.status == integrator::Status::Failed);
  CHECK(stopped.result.solution.mesh.t.back() == 0.9);
  CHECK_THAT(stopped.result.solution.message,
             Contains("at t = 1 s: the position is singular") && Contains("\"slope\""));
}
