// SPDX-License-Identifier: MIT
// Friction laws, which contacts and joints have in common: friction on b against the slip velocity v of b on a (m/s),
// both tangential, under the load N >= 0 (N).
#pragma once
#include <functional>
#include <optional>
#include <variant>

#include "model/model.hpp"

namespace perilune::model {

class LawSwitches;

/// Friction -c v, which depends on the slip and the load of the moment.
struct SlipLaw {
  /// c >= 0 (N s/m) as a function of v.v, which has no kink where the slip vanishes, and of N. Its kinks are switches.
  std::function<Symbol(const Symbol& square, const Symbol& load, const LawSwitches& switches)> coefficient;
  bool needs_load = true;  // without load there is none
};

/// c = mu N / sqrt(v.v + vs^2)
SlipLaw coulomb(const Symbol& coefficient, const Symbol& regularization);
/// c = mu N tanh(|v| / vs) / |v|
SlipLaw coulomb_tanh(const Symbol& coefficient, const Symbol& regularization);
/// mu N times the cubic x (3 - x^2) / 2 of x = |v| / vs, and all of it beyond x = 1.
SlipLaw coulomb_cubic(const Symbol& coefficient, const Symbol& regularization);
/// mu N times (1 - exp(-3 x)) of x = |v| / vr, and what it is at x = 1 beyond (Threlfall 1978).
SlipLaw threlfall(const Symbol& coefficient, const Symbol& regularization);
/// mu(|v|) rises linearly from 0 at v0 to mu at v1.
SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1);
/// Rises to the static coefficient at the transition speed and falls to the dynamic one.
SlipLaw brown_mcphee(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& transition);
/// N (mu_d + (mu_s - mu_d) exp(-(|v| / vs)^2)) tanh(|v| / vr), and what is viscous.
SlipLaw stribeck(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& stribeck_speed,
                 const Symbol& regularization, const Symbol& damping);
/// c without regard to the load.
SlipLaw viscous(const Symbol& damping);

/// Spring (N/m) and damper (N s/m) to an anchor on the surface, which slides where friction would exceed mu N.
struct StaticFriction {
  Symbol stiffness, damping;
  std::optional<Symbol> coefficient;  // mu; without it the anchor holds any force
};

using Friction = std::variant<std::monostate, SlipLaw, StaticFriction>;

}  // namespace perilune::model
