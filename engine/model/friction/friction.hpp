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

/// What a law with bristles reads. Vectors have a component for each direction of slip.
struct BristlePoint {
  Vector slip;  // m/s
  Vector bend;  // m, of the bristles along the surface: they follow the slip of b
  Symbol load;  // N, >= 0
  std::optional<Symbol> dwell = {};
  const LawSwitches& switches;
};

struct BristleForce {
  Vector pull;            // N, against the slip: friction is its opposite
  Vector rates;           // of the bend, m/s
  Symbol dwelling = 0.0;  // rate of the dwell, 1/s
};

/// Friction by bristles, which bend and store stiffness / 2 bend^2.
struct BristleLaw {
  Symbol stiffness;           // N/m
  Symbol static_coefficient;  // what they hold at rest, at most, by the load
  Symbol release;             // s, in which they forget out of contact
  bool has_dwell = false;     // a state between 0 (slides) and 1 (has been at rest for long)
  /// While the surfaces touch.
  std::function<BristleForce(const BristlePoint& at)> act;
};

/// z' = v - sigma |v| z / (mu N), f = -sigma z (Dahl 1968), with the bend z as a vector.
BristleLaw dahl(const Symbol& coefficient, const Symbol& stiffness, const Symbol& release);

/// What falls with the slip: g = N (mu_d + (mu_s - mu_d) exp(-(|v| / vs)^2)).
struct StribeckCurve {
  Symbol static_coefficient, dynamic_coefficient, stribeck_speed;
};
/// Of bristles (N/m, N s/m), and what is viscous (N s/m).
struct BristleNumbers {
  Symbol stiffness, damping, viscous, release;
};

/// z' = v - sigma |v| z / g, f = -sigma z - c z' - sigma_2 v (Canudas de Wit et al. 1995); there c is sigma_1, here
/// sigma_1 / sqrt(1 + (sigma_1 |v| / g)^2), so that friction without its viscous part does not exceed g.
BristleLaw lugre(const StribeckCurve& curve, const BristleNumbers& numbers);
/// The same with z' = v - alpha (v.z)^+ z sigma / (|z| g): alpha is zero up to the bend breakaway mu_d N / sigma and
/// one from g / sigma on (Dupont et al. 2002; there in one direction, where it is the same).
BristleLaw elasto_plastic(const StribeckCurve& curve, const BristleNumbers& numbers, const Symbol& breakaway);
/// Bristles whose limit of force grows while they rest (Gonthier et al. 2004). regularization: slip below which the
/// direction turns smoothly; dwell_time: s.
BristleLaw gonthier(const StribeckCurve& curve, const BristleNumbers& numbers, const Symbol& regularization,
                    const Symbol& dwell_time);

using Friction = std::variant<std::monostate, SlipLaw, StaticFriction, BristleLaw>;

}  // namespace perilune::model
