// SPDX-License-Identifier: MIT
#include "integrator/event/constraint_jump.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"

namespace perilune::integrator {

namespace {

using formulation::Sides;

system::Workspace constraints_at(const formulation::Motion& motion, const formulation::Node& x, const Sides& sides) {
  const system::System& system = motion.system();
  system::Data data = motion.data();
  system.set_sides(*sides, data);
  system::Workspace out(system);
  system.evaluate({.t = x.t, .q = x.q, .v = x.v, .a = x.a, .lambda = x.lambda}, data, out, system::Part::Constraints);
  return out;
}

/// What changes at a finite rate since the switch has changed is no jump.
bool is_jump(double by, double rate, double since, double rounding) {
  return std::abs(by) > 2 * std::abs(rate) * since + rounding;
}

}  // namespace

std::optional<ConstraintJump> constraint_jump(const formulation::Motion& motion, const formulation::Node& x,
                                              const Sides& before, const Sides& after, double since) {
  const system::Workspace old = constraints_at(motion, x, before), now = constraints_at(motion, x, after);
  double speed = 0, position = 0;
  for (int i = 0; i < motion.n(); ++i) {
    position = std::max(position, std::abs(x.q[i]));
    speed = std::max(speed, std::abs(x.v[i]));
  }
  constexpr double rounding = 1e-9;
  for (int k = 0; k < motion.m(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double by = now.phi[i] - old.phi[i], rate = now.phi_rate[i] - old.phi_rate[i];
    if (is_jump(by, rate, since, rounding * (0.1 + position))) return ConstraintJump{x.t, k, true, std::abs(by)};
    if (is_jump(rate, now.phi_bias[i] - old.phi_bias[i], since, rounding * (0.1 + speed))) {
      return ConstraintJump{x.t, k, false, std::abs(rate)};
    }
  }
  return std::nullopt;
}

std::string sentence(const ConstraintJump& jump, const formulation::System& system) {
  char by[40];
  std::snprintf(by, sizeof by, "%.3g", jump.by);
  return at_time(jump.t) + "the " + (jump.of_position ? "position" : "velocity") + " that \"" +
         system.constraint_name(jump.constraint) + "\" prescribes jumps by " + by +
         (jump.of_position ? " (m or rad)" : " (m/s or rad/s)") +
         ", which would take an infinite force; make it smooth there, as mbs.smoothstep is";
}

}  // namespace perilune::integrator
