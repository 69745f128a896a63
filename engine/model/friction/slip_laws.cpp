// SPDX-License-Identifier: MIT
#include <cmath>

#include "model/friction/friction.hpp"
#include "model/law/kinks.hpp"

namespace perilune::model {

namespace {

/// |v| / scale, which keeps a direction where the slip vanishes: a millionth of the scale, which changes laws by some
/// 1e-12 of their value at the scale.
Symbol scaled_speed(const Symbol& square, const Symbol& scale) { return sqrt(square / (scale * scale) + 1e-12); }

/// Slip beyond the speed where all of friction acts, x being the slip in parts of that speed. Steps hold it, so that
/// their trials read it below that speed and at rest, too: it goes on there with the same slope, which is what methods
/// that differentiate slopes along the motion read at the corner, and stays finite.
struct FullSlip {
  Symbol holds;    // a condition
  Symbol inverse;  // 1 / x
  Symbol left;     // 1 - x^2, which is negative beyond that speed; bounded there with the same slope and curvature
};

/// x2: the square of x.
FullSlip full_slip(const LawSwitches& switches, const Symbol& x2) {
  const Symbol left = 1.0 - x2, is_beyond = less(left, 0.0);
  const Symbol inverse = 1.0 / sqrt(Symbol::where(is_beyond, x2, 1.0));
  return {switches.is_negative("full_slip", left), Symbol::where(is_beyond, inverse, 1.0 + 0.5 * left),
          left / (1.0 + Symbol::where(is_beyond, left * left, 0.0))};
}

}  // namespace

SlipLaw coulomb(const Symbol& coefficient, const Symbol& regularization) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches&) {
    return load * (coefficient / sqrt(square + regularization * regularization));
  }};
}

SlipLaw coulomb_tanh(const Symbol& coefficient, const Symbol& regularization) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches&) {
    const Symbol x = scaled_speed(square, regularization);
    return load * (coefficient * tanh(x) / (x * regularization));
  }};
}

SlipLaw coulomb_cubic(const Symbol& coefficient, const Symbol& regularization) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches& switches) {
    const Symbol x2 = square / (regularization * regularization);
    const FullSlip full = full_slip(switches, x2);
    const Symbol part = Symbol::where(full.holds, full.inverse, 1.0 + 0.5 * full.left);
    return load * (coefficient * part / regularization);
  }};
}

SlipLaw threlfall(const Symbol& coefficient, const Symbol& regularization) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches& switches) {
    const Symbol x = scaled_speed(square, regularization);
    const FullSlip full = full_slip(switches, x * x);
    const Symbol part = Symbol::where(full.holds, (1.0 - std::exp(-3.0)) * full.inverse, (1.0 - exp(-3.0 * x)) / x);
    return load * (coefficient * part / regularization);
  }};
}

SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches& switches) {
    // Slip decays towards v0, where friction vanishes, and gets there by rounding.
    const Symbol slips = switches.is_watched_negative("slip", v0 * v0 - square);
    const FullSlip full = full_slip(switches, square / (v1 * v1));
    const Symbol speed = sqrt(Symbol::where(slips, square, v0 * v0));
    const Symbol ramp = Symbol::where(slips, (speed - v0) / ((v1 - v0) * speed), 0.0);
    return load * (coefficient * Symbol::where(full.holds, full.inverse / v1, ramp));
  }};
}

SlipLaw brown_mcphee(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& transition) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches&) {
    // A millionth of the transition speed keeps the direction defined; it changes the law by some 1e-11.
    const Symbol x2 = square / (transition * transition), x = sqrt(x2 + 1e-12), bump = 0.25 * x2 + 0.75;
    const Symbol rise = dynamic_coefficient * tanh(4.0 * x) / x;
    return load * ((rise + (static_coefficient - dynamic_coefficient) / (bump * bump)) / transition);
  }};
}

SlipLaw stribeck(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& stribeck_speed,
                 const Symbol& regularization, const Symbol& damping) {
  const bool is_dry = damping.is_number() && damping.number() == 0;
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches&) {
            const Symbol x = scaled_speed(square, regularization);
            const Symbol fall = exp(-(square / (stribeck_speed * stribeck_speed)));
            const Symbol mu = dynamic_coefficient + (static_coefficient - dynamic_coefficient) * fall;
            const Symbol dry = load * (mu * tanh(x) / (x * regularization));
            return is_dry ? dry : dry + damping;
          },
          is_dry};
}

SlipLaw viscous(const Symbol& damping) {
  return {[=](const Symbol&, const Symbol&, const LawSwitches&) { return damping; }, false};
}

}  // namespace perilune::model
