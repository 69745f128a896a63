// SPDX-License-Identifier: MIT
#include "model/friction/friction.hpp"
#include "model/law/kinks.hpp"

namespace perilune::model {

namespace {

/// |v| / scale, which keeps a direction where the slip vanishes: a millionth of the scale, which changes laws by some
/// 1e-12 of their value at the scale.
Symbol scaled_speed(const Symbol& square, const Symbol& scale) { return sqrt(square / (scale * scale) + 1e-12); }

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
    const Symbol is_full = switches.is_watched_negative("full_slip", 1.0 - x2);
    const Symbol part = Symbol::where(is_full, 1.0 / sqrt(Symbol::where(is_full, x2, 1.0)), 1.5 - 0.5 * x2);
    return load * (coefficient * part / regularization);
  }};
}

SlipLaw threlfall(const Symbol& coefficient, const Symbol& regularization) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches& switches) {
    const Symbol x = scaled_speed(square, regularization);
    const Symbol is_full = switches.is_watched_negative("full_slip", 1.0 - x);
    return load * (coefficient * (1.0 - exp(-3.0 * Symbol::where(is_full, 1.0, x))) / (x * regularization));
  }};
}

SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1) {
  return {[=](const Symbol& square, const Symbol& load, const LawSwitches& switches) {
    // Slip decays towards v0, where friction vanishes, and gets there by rounding; beyond v1 the direction of full
    // friction turns round where slip does, soon after.
    const Symbol slips = switches.is_watched_negative("slip", v0 * v0 - square);
    const Symbol is_full = switches.is_watched_negative("full_slip", v1 * v1 - square);
    const Symbol speed = sqrt(Symbol::where(slips, square, v0 * v0));
    const Symbol ramp = Symbol::where(is_full, 1.0, (speed - v0) / (v1 - v0));
    return load * Symbol::where(slips, coefficient * ramp / speed, 0.0);
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
