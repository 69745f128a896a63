// SPDX-License-Identifier: MIT
// Friction laws as functions of the square of the slip velocity, which has no kink where the slip vanishes.
#include "model/contact/contact.hpp"
#include "model/law/kinks.hpp"

namespace perilune::model {

SlipLaw coulomb(const Symbol& coefficient, const Symbol& regularization) {
  return [=](const Symbol& square, const LawSwitches&) {
    return coefficient / sqrt(square + regularization * regularization);
  };
}

SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1) {
  return [=](const Symbol& square, const LawSwitches& switches) {
    // Slip decays towards v0, where friction vanishes, and gets there by rounding; beyond v1 the direction of full
    // friction turns round where slip does, soon after.
    const Symbol slips = switches.is_watched_negative("slip", v0 * v0 - square);
    const Symbol is_full = switches.is_watched_negative("full_slip", v1 * v1 - square);
    const Symbol speed = sqrt(Symbol::where(slips, square, v0 * v0));
    const Symbol ramp = Symbol::where(is_full, 1.0, (speed - v0) / (v1 - v0));
    return Symbol::where(slips, coefficient * ramp / speed, 0.0);
  };
}

SlipLaw brown_mcphee(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& transition) {
  return [=](const Symbol& square, const LawSwitches&) {
    // A millionth of the transition speed keeps the direction defined; it changes the law by some 1e-11.
    const Symbol x2 = square / (transition * transition), x = sqrt(x2 + 1e-12), bump = 0.25 * x2 + 0.75;
    const Symbol rise = dynamic_coefficient * tanh(4.0 * x) / x;
    return (rise + (static_coefficient - dynamic_coefficient) / (bump * bump)) / transition;
  };
}

}  // namespace perilune::model
