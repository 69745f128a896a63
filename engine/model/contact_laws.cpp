// Friction laws as functions of the square of the slip velocity, which has no kink where the slip vanishes.
#include "model/contact.hpp"

namespace perilune::model {

SlipLaw coulomb(const Symbol& coefficient, const Symbol& regularization) {
  return [=](const Symbol& square) { return coefficient / sqrt(square + regularization * regularization); };
}

SlipLaw ambrosio(const Symbol& coefficient, const Symbol& v0, const Symbol& v1) {
  return [=](const Symbol& square) {
    const Symbol slips = less(v0 * v0, square);
    const Symbol speed = sqrt(Symbol::where(slips, square, v0 * v0));
    const Symbol ramp = min((speed - v0) / (v1 - v0), 1.0);
    return Symbol::where(slips, coefficient * ramp / speed, 0.0);
  };
}

SlipLaw brown_mcphee(const Symbol& static_coefficient, const Symbol& dynamic_coefficient, const Symbol& transition) {
  return [=](const Symbol& square) {
    // A millionth of the transition speed keeps the direction defined; it changes the law by some 1e-11.
    const Symbol x2 = square / (transition * transition), x = sqrt(x2 + 1e-12), bump = 0.25 * x2 + 0.75;
    const Symbol rise = dynamic_coefficient * tanh(4.0 * x) / x;
    return (rise + (static_coefficient - dynamic_coefficient) / (bump * bump)) / transition;
  };
}

}  // namespace perilune::model
