// SPDX-License-Identifier: MIT
// Rigid bodies in their different coordinates are one and the same body: motions, energies, torques, momenta.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_bodies.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "numbers.hpp"

using namespace perilune;
using expr::Symbol;
using model::cross;
using model::minus;
using model::Place;
using model::Vector;

namespace {

struct Motion {
  Mechanism& mechanism;
  simulation::Evaluation run;

  Motion(Mechanism& of, double end) : mechanism(of) {
    mechanism.compile();
    mechanism.problem.integrator = integrator::DormandPrince{1e-12, 1e-13};
    mechanism.problem.formulation = formulation::Index1{};
    mechanism.problem.end = end;
    run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    REQUIRE(run.solution.status == integrator::Status::Completed);
  }
  std::vector<double> values(const Symbol& signal) const {
    expr::Graph& graph = mechanism.model->graph();
    const system::Measure measure(graph, {signal.in(graph)});
    std::vector<double> work = measure.make_work(), out;
    const integrator::Mesh& mesh = run.solution.mesh;
    for (std::size_t k = 0; k < mesh.size(); ++k) {
      measure.evaluate(
          {mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k), run.data->parameters.data()}, work);
      out.push_back(measure.value(work, 0));
    }
    return out;
  }
  std::vector<double> values(const std::string& signal) const { return values(mechanism.signal(signal)); }
  double first(const Symbol& signal) const { return values(signal).front(); }
};

double change(std::vector<double> x) {
  const double start = x.front();
  for (double& value : x) value -= start;
  return largest(x);
}

// One asymmetric body with products of inertia, its centre of mass apart from the reference point.
const Vector inertia{0.3, 0.5, 0.75, 0.04, -0.03, 0.02}, offset{0.2, -0.35, 0.15}, omega{0.3, 4.0, 0.5},
    orientation{0.8, 0.4, -0.3, 0.2}, start{0.1, -0.2, 0.3}, velocity{1.0, 2.0, 3.0};
constexpr double mass = 2;

Vector times_inertia(const Vector& w) {
  return {inertia[0] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
          inertia[3] * w[0] + inertia[1] * w[1] + inertia[5] * w[2],
          inertia[4] * w[0] + inertia[5] * w[1] + inertia[2] * w[2]};
}

/// Angular momentum in space about the origin: from the axes of the body at its places.
Vector angular_momentum(Mechanism& mechanism, const Place& body, const Vector& center) {
  model::Model& m = *mechanism.model;
  Vector w;
  for (const char* axis : {"x", "y", "z"}) w.push_back(mechanism.signal(body.name + ".omega_" + axis));
  const Vector spin = times_inertia(w);
  const Vector origin = position_of(m, body_place(m, body, {0.0, 0.0, 0.0}));
  const Vector c = position_of(m, body_place(m, body, center)), v = velocity_of(m, body_place(m, body, center));
  Vector total = cross(c, v);
  for (Symbol& x : total) x *= mass;
  for (std::size_t j = 0; j < 3; ++j) {
    Vector unit(3, 0.0);
    unit[j] = 1.0;
    const Vector axis = minus(position_of(m, body_place(m, body, unit)), origin);
    for (std::size_t k = 0; k < 3; ++k) total[k] += axis[k] * spin[j];
  }
  return total;
}

}  // namespace

TEST_CASE("a spatial body moves alike in Euler parameters, natural coordinates, and from any reference point") {
  Mechanism mechanism("three times the same", {0, 0, -9.81});
  model::Model& m = *mechanism.model;
  const Place centred = add_spatial_body(m, "centred", mass, inertia, start, orientation, velocity, omega);
  // The reference point is where the centred body's place -offset is, and moves with it.
  const Place corner = body_place(m, centred, {-0.2, 0.35, -0.15});
  const Vector at = initial_position(m, corner);
  Vector local = to_local_direction(m, centred, velocity);
  const Vector swing = cross(omega, corner.local);
  for (std::size_t k = 0; k < 3; ++k) local[k] += swing[k];
  Vector rate(3, 0.0);  // back to space
  for (std::size_t j = 0; j < 3; ++j) {
    Vector unit(3, 0.0);
    unit[j] = 1.0;
    const Vector axis = minus(initial_position(m, body_place(m, centred, unit)), initial_position(m, centred));
    for (std::size_t k = 0; k < 3; ++k) rate[k] += axis[k] * local[j];
  }
  const Place euler = add_spatial_body(m, "euler", mass, inertia, at, orientation, rate, omega, offset);
  const Place natural = add_natural_body(m, "natural", mass, inertia, {at, orientation, rate, omega}, offset);
  SECTION("free") {
    const Motion motion(mechanism, 2);
    for (const std::string body : {"euler", "natural"}) {
      CAPTURE(body);
      for (const std::string axis : {"x", "y", "z"}) {
        CAPTURE(axis);
        CHECK(largest_difference(motion.values(body + ".com_" + axis), motion.values("centred." + axis)) < 1e-9);
        CHECK(largest_difference(motion.values(body + ".omega_" + axis), motion.values("centred.omega_" + axis)) <
              1e-9);
        CHECK(largest_difference(motion.values(body + ".alpha_" + axis), motion.values("centred.alpha_" + axis)) <
              1e-8);
      }
    }
    CHECK(largest_difference(motion.values("euler.az"), motion.values("natural.az")) < 1e-8);
    CHECK(change(motion.values("centred.omega_y")) > 4);  // it tumbles
    CHECK(change(motion.values("energy.total")) < 1e-8);
    CHECK(largest(motion.values("constraint.drift")) < 1e-9);
    // Each has a third of the kinetic energy: m |c'|^2 / 2 + omega.J omega / 2.
    const double spin = 0.3 * 0.09 + 0.5 * 16 + 0.75 * 0.25 + 2 * (0.04 * 1.2 - 0.03 * 0.15 + 0.02 * 2);
    CHECK(motion.first(mechanism.signal("energy.kinetic")) == Approx(3 * (14 + spin / 2)).epsilon(1e-13));
    CHECK(motion.first(mechanism.signal("energy.potential")) == Approx(3 * 2 * 9.81 * 0.3).epsilon(1e-13));
  }
  SECTION("with the same force and torque, which read time and the state") {
    const Symbol t = mechanism.signal("t");
    for (const Place& body : {body_place(m, centred, {0.3, 0.1, -0.2}), body_place(m, euler, {0.5, -0.25, -0.05}),
                              body_place(m, natural, {0.5, -0.25, -0.05})}) {
      const Vector v = velocity_of(m, body);
      const Symbol w = mechanism.signal(body.name + ".omega_z");
      add_force(m, "f " + body.name, body, {3.0 - v[0], 2.0 * sin(5.0 * t), v[1] * w},
                {0.7, -0.4 * w, 0.9 * sin(3.0 * t)});
    }
    const Motion motion(mechanism, 1.5);
    for (const std::string axis : {"x", "y", "z"}) {
      CHECK(largest_difference(motion.values("euler.omega_" + axis), motion.values("centred.omega_" + axis)) < 1e-9);
      CHECK(largest_difference(motion.values("natural.omega_" + axis), motion.values("centred.omega_" + axis)) < 1e-9);
      CHECK(largest_difference(motion.values("natural.com_" + axis), motion.values("centred." + axis)) < 1e-9);
    }
  }
}

TEST_CASE("a free body keeps its angular momentum, and its angular acceleration follows Euler's equations") {
  for (const bool is_natural : {false, true}) {
    CAPTURE(is_natural);
    Mechanism mechanism("free body", {0, 0, 0});
    model::Model& m = *mechanism.model;
    const Place body = is_natural
                           ? add_natural_body(m, "B", mass, inertia, {start, orientation, velocity, omega}, offset)
                           : add_spatial_body(m, "B", mass, inertia, start, orientation, velocity, omega, offset);
    const Motion motion(mechanism, 2);
    for (const Symbol& component : angular_momentum(mechanism, body, offset)) {
      CHECK(std::abs(motion.first(component)) > 0.1);
      CHECK(change(motion.values(component)) < 1e-8);
    }
    Vector w, alpha;
    for (const char* axis : {"x", "y", "z"}) {
      w.push_back(mechanism.signal(std::string("B.omega_") + axis));
      alpha.push_back(mechanism.signal(std::string("B.alpha_") + axis));
    }
    const Vector left = times_inertia(alpha), right = cross(w, times_inertia(w));
    for (std::size_t k = 0; k < 3; ++k) CHECK(largest(motion.values(left[k] + right[k])) < 1e-9);
    CHECK(largest(motion.values(left[0])) > 1);
  }
}

TEST_CASE("a torque about the axis of a body accelerates it by torque over inertia") {
  for (const bool is_natural : {false, true}) {
    Mechanism mechanism("spin", {0, 0, 0});
    model::Model& m = *mechanism.model;
    const Vector J{0.3, 0.5, 0.7, 0.0, 0.0, 0.0}, zero(3, 0.0), upright{1.0, 0.0, 0.0, 0.0};
    const Place body = is_natural ? add_natural_body(m, "B", mass, J, {zero, upright, zero, zero})
                                  : add_spatial_body(m, "B", mass, J, zero, upright, zero, zero);
    add_force(m, "motor", body, zero, {0.0, 2.1, 0.0});
    const Motion motion(mechanism, 1);
    CHECK(motion.first(mechanism.signal("B.alpha_y")) == Approx(4.2).epsilon(1e-13));
    CHECK(motion.values("B.omega_y").back() == Approx(4.2).epsilon(1e-10));
    CHECK(largest(motion.values("B.x")) < 1e-12);
  }
}

TEST_CASE("a physical pendulum swings in the time of the elliptic integral from any reference point") {
  const double amplitude = 2.0, length = 0.8, g = 9.81, J = 0.4, k = std::sin(amplitude / 2);
  const double quarter = std::sqrt((length + J / (1.7 * length)) / g) * std::comp_ellint_1(k);
  auto crossing = [&](const Motion& motion, const std::string& signal) {
    const std::vector<double> x = motion.values(signal);
    const integrator::Mesh& mesh = motion.run.solution.mesh;
    std::size_t i = 0;
    while (i + 1 < x.size() && (x[i] > 0) == (x[i + 1] > 0)) ++i;
    REQUIRE(i + 1 < x.size());
    return std::pair(mesh.t[i], mesh.t[i + 1]);
  };
  SECTION("planar, pinned at its reference point") {
    Mechanism mechanism("pendulum", {0, -g});
    model::Model& m = *mechanism.model;
    const Place body = add_planar_body(m, "B", 1.7, J, {0.0, 0.0}, amplitude, {0.0, 0.0}, 0.0, {0.0, -length});
    add_coincidence(m, "pin", ground_place(m, {0.0, 0.0}), body);
    const Motion motion(mechanism, 2);
    const auto [before, after] = crossing(motion, "B.angle");
    CHECK(before < quarter);
    CHECK(after > quarter);
    CHECK(change(motion.values("energy.total")) < 1e-9);
    CHECK(motion.values("B.com_y").front() == Approx(-length * std::cos(amplitude)).epsilon(1e-13));
  }
  SECTION("spatial, on a ball joint, with either kind of coordinates") {
    for (const bool is_natural : {false, true}) {
      CAPTURE(is_natural);
      Mechanism mechanism("pendulum", {0, 0, -g});
      model::Model& m = *mechanism.model;
      const Vector turned{std::cos(amplitude / 2), 0.0, std::sin(amplitude / 2), 0.0}, zero(3, 0.0),
          tensor{0.2, J, 0.3, 0.0, 0.0, 0.0}, center{0.0, 0.0, -length};
      const Place body = is_natural ? add_natural_body(m, "B", 1.7, tensor, {zero, turned, zero, zero}, center)
                                    : add_spatial_body(m, "B", 1.7, tensor, zero, turned, zero, zero, center);
      add_coincidence(m, "ball", ground_place(m, zero), body);
      const Motion motion(mechanism, 2);
      const auto [before, after] = crossing(motion, "B.com_x");
      CHECK(before < quarter);
      CHECK(after > quarter);
      CHECK(change(motion.values("energy.total")) < 1e-9);
    }
  }
}

TEST_CASE("a planar body moves alike from any reference point") {
  Mechanism mechanism("twice the same", {0, -9.81});
  model::Model& m = *mechanism.model;
  const double angle = 0.7, rate = 3, c = std::cos(angle), s = std::sin(angle), sx = 0.3, sy = -0.2;
  const double x = c * sx - s * sy, y = s * sx + c * sy;  // of the centre of mass, from the reference point
  const Place centred = add_planar_body(m, "centred", 1.5, 0.2, {0.5, 1.0}, angle, {1.0, 0.4}, rate);
  const Place other = add_planar_body(m, "other", 1.5, 0.2, {0.5 - x, 1.0 - y}, angle, {1.0 + rate * y, 0.4 - rate * x},
                                      rate, {sx, sy});
  for (const Place& body : {body_place(m, centred, {0.1, 0.3}), body_place(m, other, {0.1 + sx, 0.3 + sy})}) {
    const Vector v = velocity_of(m, body);
    add_force(m, "f " + body.name, body, {2.0 - v[1], 3.0 * v[0]}, {0.4 - mechanism.signal(body.name + ".omega")});
    add_spring(m, "s " + body.name, ground_place(m, {0.0, 2.0}), body, 40.0, nullptr, 0.5, 0.0);
  }
  const Motion motion(mechanism, 2);
  CHECK(largest_difference(motion.values("other.com_x"), motion.values("centred.x")) < 1e-9);
  CHECK(largest_difference(motion.values("other.com_y"), motion.values("centred.y")) < 1e-9);
  CHECK(largest_difference(motion.values("other.angle"), motion.values("centred.angle")) < 1e-9);
  CHECK(change(motion.values("centred.angle")) > 0.5);
  CHECK(motion.first(mechanism.signal("energy.kinetic")) ==
        Approx(2 * (0.75 * 1.16 + 0.1 * rate * rate)).epsilon(1e-13));
}
