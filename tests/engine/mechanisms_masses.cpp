// SPDX-License-Identifier: MIT
// Masses on springs, without constraints.
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/place/places.hpp"

using perilune::expr::Symbol;
using perilune::model::Model;
using perilune::model::Place;

Mechanism oscillator_mechanism(double omega) {
  Mechanism mechanism("oscillator", {0, 0});
  const Place P = add_point(*mechanism.model, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol x = mechanism.signal("P.x");
  add_force(*mechanism.model, "spring", P, {-omega * omega * x, -mechanism.signal("P.y")}, {});
  mechanism.compile();
  mechanism.integral("square", x * x);
  return mechanism;
}

Mechanism spring_pendulum_mechanism(double stiffness) {
  Mechanism mechanism("spring pendulum", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol free = 1.0 - 9.81 * 0.6 / stiffness;
  add_spring(m, "s", ground_place(m, {0.0, 0.0}), add_point(m, "P", {0.8, -0.6}, {0.0, 0.0}, 1.0), stiffness, &free,
             2 * std::sqrt(stiffness), 0.0);
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}

Mechanism free_points_mechanism() {
  Mechanism mechanism("free points", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.7, "kg"), k = mechanism.parameter("k", 30, "N/m");
  const Symbol start = mechanism.parameter("start", 0.4, "m");
  const Place P = add_point(m, "P", {start, 0.1}, {0.5, 0.0}, mass);
  const Place Q = add_point(m, "Q", {1.0, -0.3}, {0.0, 0.2}, 1.1);
  add_spring(m, "a", ground_place(m, {0.0, 1.0}), P, k, nullptr, 0.3, 0.0);
  add_spring(m, "b", P, Q, 0.5 * k, &start, 0.2, 0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("motion", mechanism.signal("Q.x"), mechanism.signal("P.y") * mechanism.signal("P.ax"));
  return mechanism;
}
