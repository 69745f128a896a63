// SPDX-License-Identifier: MIT
// First-order states and controllers.
#pragma once
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

/// Proportional, integral and derivative gain, of which one that is zero is left out, and the time constant (s) of the
/// first-order filter of the derivative (nullptr for none).
struct PidGains {
  Symbol proportional = 0.0, integral = 0.0, derivative = 0.0;
  const Symbol* filter = nullptr;
  /// Limits of the output, and with both an integral and a limit the time constant (s) of the anti-windup, without
  /// which it is proportional / integral.
  std::optional<Symbol> lower = std::nullopt, upper = std::nullopt, tracking = std::nullopt;
};

/// A first-order state z: the velocity of a coordinate of unit inertia, so that z' is the force on it. Returns z.
/// Signals name.value, name.integral. Its rate is set afterwards, since it may read z and states declared later;
/// until then the same name may be declared again.
Symbol add_state(Model& model, const std::string& name, const Symbol& at, const std::string& unit);
/// z' = rate, an expression of anything that a law may read. Signal name.rate.
void set_state_rate(Model& model, const std::string& name, const Symbol& rate);
/// output = kp e + ki (integral of e) + kd (rate of e). Without a filter the rate is that of the expression; with one
/// it is a state D with filter D' = e' - D, D = 0 at the start. Signals error, output, integral, derivative.
/// With limits the output u is that sum v within them (signal unlimited), and the integral I is taken back (anti-windup
/// by back-calculation: Astrom and Hagglund, Advanced PID Control, 2006, chapter 3): I' = e + (u - v) / (ki
/// tracking). Throws Error where that does not decay.
Symbol add_pid(Model& model, const std::string& name, const Symbol& error, const PidGains& gains);
/// The name of a controller with an integral and without limits whose integral x reads, itself or by rate limits and
/// filters; empty if there is none.
std::string winding_up(const Model& model, const Symbol& x);
/// Throws Error, naming it, if something was declared without all that it needs.
void check_complete(const Model& model);

/// z' = rate of the object `name` for a coordinate of Role::State, without a name or signals of its own.
void add_state_law(Model& model, const std::string& name, int coordinate, const Symbol& rate);
/// d/dt along the motion of an expression of time, positions and first-order states. Throws Error naming a velocity
/// that it reads.
Symbol rate_of(const Model& model, const Symbol& expression);

}  // namespace perilune::model
