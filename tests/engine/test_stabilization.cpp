// SPDX-License-Identifier: MIT
// How the formulations treat a violated constraint: the violation obeys the differential equation that they state.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using formulation::Index1;
using formulation::Penalty;

namespace {

/// A pendulum of length 1 m that starts 0.02 m too long, and moves along its rod at 0.1 m/s.
integrator::Solution stretched_pendulum(const formulation::Formulation& form) {
  Mechanism mechanism("pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const expr::Symbol length = 1.0;
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 0.8), &length);
  mechanism.compile();
  const auto motion = formulation::make_motion(mechanism.problem.system, mechanism.problem.system->make_data({}), form);
  const double q[] = {1.02, 0}, v[] = {0.1, -0.5};
  return integrator::integrate(*motion, q, v, form, integrator::DormandPrince{{1e-12, 1e-13}}, {});
}

struct Violation {
  double phi, rate, acceleration;
};

Violation violation(const integrator::Mesh& mesh, std::size_t k) {
  const double *q = mesh.q_at(k), *v = mesh.v_at(k), *a = mesh.a_at(k);
  return {q[0] * q[0] + q[1] * q[1] - 1, 2 * (q[0] * v[0] + q[1] * v[1]),
          2 * (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1])};
}

}  // namespace

TEST_CASE("index-1: a violation grows at constant rate", "[formulation]") {
  const auto run = stretched_pendulum(Index1{});
  const Violation at_start = violation(run.mesh, 0);
  for (std::size_t k = 0; k < run.mesh.size(); ++k) {
    CHECK(violation(run.mesh, k).phi == Approx(at_start.phi + at_start.rate * run.mesh.t[k]).epsilon(1e-9));
  }
}

TEST_CASE("index-1 with Baumgarte's stabilization: the violation decays by its characteristic equation",
          "[formulation]") {
  // Phi'' + 2 alpha Phi' + beta^2 Phi = 0: critically damped, oscillating, and creeping.
  struct Case {
    double alpha, beta;
  };
  for (const Case& c : {Case{5, 5}, Case{2, 6}, Case{6, 2}}) {
    CAPTURE(c.alpha, c.beta);
    const auto run = stretched_pendulum(Index1{c.alpha, c.beta});
    const Violation s = violation(run.mesh, 0);
    const double root = std::sqrt(std::abs(c.alpha * c.alpha - c.beta * c.beta)), rate = s.rate + c.alpha * s.phi;
    for (std::size_t k = 0; k < run.mesh.size(); ++k) {
      const double t = run.mesh.t[k], decay = std::exp(-c.alpha * t);
      double exact = decay * (s.phi + rate * t);
      if (c.beta > c.alpha) exact = decay * (s.phi * std::cos(root * t) + rate / root * std::sin(root * t));
      if (c.beta < c.alpha) exact = decay * (s.phi * std::cosh(root * t) + rate / root * std::sinh(root * t));
      CHECK(violation(run.mesh, k).phi == Approx(exact).margin(1e-10));
    }
  }
}

TEST_CASE("penalty: the multiplier is alpha times the stabilized violation", "[formulation]") {
  for (const Penalty& penalty : {Penalty{1e3, 1, 10}, Penalty{1e4, 0.7, 20}}) {
    const auto run = stretched_pendulum(penalty);
    for (std::size_t k = 0; k < run.mesh.size(); ++k) {
      const Violation s = violation(run.mesh, k);
      const double sum =
          s.acceleration + 2 * penalty.xi * penalty.omega * s.rate + penalty.omega * penalty.omega * s.phi;
      CHECK(run.mesh.lambda_at(k)[0] == Approx(penalty.alpha * sum).margin(1e-8));
      // And it acts: m a = -m g - 2 lambda r.
      CHECK(0.8 * run.mesh.a_at(k)[0] == Approx(-2 * run.mesh.lambda_at(k)[0] * run.mesh.q_at(k)[0]).margin(1e-11));
    }
  }
}
