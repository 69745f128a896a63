// SPDX-License-Identifier: MIT
// What stands between a controller and what it drives: limits of a signal, limits of its rate, and lags.
#pragma once
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

/// x between its limits; a missing one does not limit. Laws that read it have a switch at each.
Symbol limited(const Symbol& x, const std::optional<Symbol>& lower, const std::optional<Symbol>& upper);
/// An expression of time, positions, velocities and first-order states at their declared starts, time 0. Throws Error
/// naming the owner and what else it reads, as accelerations.
Symbol declared_start(const Model& model, const std::string& owner, const Symbol& x);

/// y follows x with a limited rate: y' = (x - y) / T, but at most `rising` and at least -`falling`; y(0) = `start`,
/// without one the declared x. Signals input, output, rate. Returns y.
struct RateLimit {
  Symbol time_constant, rising, falling;
  std::optional<Symbol> start = std::nullopt;
};
Symbol add_rate_limit(Model& model, const std::string& name, const Symbol& input, const RateLimit& limit);

/// T y' = x - y. Signals input, output, rate. Returns y.
struct FirstOrderFilter {
  Symbol time_constant;
  std::optional<Symbol> start = std::nullopt;  // of y; without one the declared x
};
Symbol add_filter(Model& model, const std::string& name, const Symbol& input, const FirstOrderFilter& filter);

/// y'' = w^2 (x - y) - 2 zeta w y', y'(0) = 0, with the natural frequency w (rad/s) and the damping ratio zeta. Signals
/// input, output, rate, which is y'. Returns y.
struct SecondOrderFilter {
  Symbol natural_frequency, damping;
  std::optional<Symbol> start = std::nullopt;  // of y; without one the declared x
};
Symbol add_filter(Model& model, const std::string& name, const Symbol& input, const SecondOrderFilter& filter);

}  // namespace perilune::model
