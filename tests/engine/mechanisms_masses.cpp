// Single masses whose motion is known.
#include <cmath>

#include "mechanisms.hpp"

using perilune::expr::Symbol;
using perilune::model::Model;
using perilune::model::Place;

Mechanism oscillator_mechanism(double omega) {
  Mechanism mechanism("oscillator", {0, 0});
  const Place P = mechanism.model->add_point("P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol x = mechanism.signal("P.x");
  mechanism.model->add_force("spring", P, {-omega * omega * x, -mechanism.signal("P.y")}, {});
  mechanism.compile();
  mechanism.integral("square", x * x);
  return mechanism;
}

Mechanism spring_pendulum_mechanism(double stiffness) {
  Mechanism mechanism("spring pendulum", {0, -9.81});
  Model& m = *mechanism.model;
  const Symbol free = 1.0 - 9.81 * 0.6 / stiffness;
  m.add_spring("s", m.ground_place({0.0, 0.0}), m.add_point("P", {0.8, -0.6}, {0.0, 0.0}, 1.0), stiffness, &free,
               2 * std::sqrt(stiffness), 0.0);
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}
