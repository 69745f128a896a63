// SPDX-License-Identifier: MIT
#include "model/friction/bristles.hpp"

#include <numbers>

#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

namespace {

/// The least limit of a bend (m), for what divides by it where there is no load: less than any atom.
constexpr double least_bend = 1e-12;
/// Slip (m/s) below which |v| is v.v / slowest, so that it has a slope at rest, and bristles at rest stay as they are.
constexpr double slowest = 1e-9;

Symbol square(const Vector& a) { return dot(a, a); }

Symbol speed_of(const Vector& slip) {
  const Symbol v2 = square(slip);
  return v2 / sqrt(v2 + slowest * slowest);
}

/// max(0, u), smooth near rest in the same way, and exactly zero before: a small load may divide it.
Symbol forward_part(const Symbol& u) { return 0.5 * u * (1.0 + tanh(u / slowest)); }

/// The part of a step from 0 to 1 that has been reached: exp(-(|v| / vs)^2).
Symbol sticking(const StribeckCurve& curve, const Vector& slip) {
  return exp(-(square(slip) / (curve.stribeck_speed * curve.stribeck_speed)));
}

Symbol falling_coefficient(const StribeckCurve& curve, const Symbol& part) {
  return curve.dynamic_coefficient + (curve.static_coefficient - curve.dynamic_coefficient) * part;
}

Symbol most_bend(const Symbol& limit, const Symbol& stiffness) {
  const Symbol bend = limit / stiffness;
  return sqrt(bend * bend + least_bend * least_bend);
}

/// |z|, with a slope where it vanishes; by a scale also of forces.
Symbol length_of(const Vector& bend, const Symbol& scale = 1.0) {
  const Symbol least = 1e-3 * least_bend * scale;
  return sqrt(square(bend) + least * least);
}

bool is_zero(const Symbol& x) { return x.is_number() && x.number() == 0; }

/// sigma z + sigma_1 z' + sigma_2 v.
Vector pull_of(const BristleNumbers& numbers, const BristlePoint& at, const Vector& rates) {
  Vector pull = times(numbers.stiffness, at.bend);
  if (!is_zero(numbers.damping)) pull = plus(pull, times(numbers.damping, rates));
  return is_zero(numbers.viscous) ? pull : plus(pull, times(numbers.viscous, at.slip));
}

/// With a damper that does not brake more than what slides under the limit g: sigma_1 |v| < g. So bristles that have
/// not bent yet do not throw what slides under a small load, and none gives back energy.
BristleNumbers limited(const BristleNumbers& numbers, const Vector& slip, const Symbol& most) {
  BristleNumbers out = numbers;
  const Symbol limit = numbers.stiffness * most;
  if (!is_zero(numbers.damping)) {
    out.damping *= limit / sqrt(limit * limit + numbers.damping * numbers.damping * square(slip));
  }
  return out;
}

}  // namespace

BristleLaw dahl(const Symbol& coefficient, const Symbol& stiffness, const Symbol& release) {
  return {stiffness, coefficient, release, false, [=](const BristlePoint& at) {
            const Symbol part = speed_of(at.slip) / most_bend(coefficient * at.load, stiffness);
            return BristleForce{times(stiffness, at.bend), minus(at.slip, times(part, at.bend))};
          }};
}

BristleLaw lugre(const StribeckCurve& curve, const BristleNumbers& numbers) {
  return {numbers.stiffness, curve.static_coefficient, numbers.release, false, [=](const BristlePoint& at) {
            const Symbol limit = falling_coefficient(curve, sticking(curve, at.slip)) * at.load;
            const Symbol most = most_bend(limit, numbers.stiffness);
            const Vector rates = minus(at.slip, times(speed_of(at.slip) / most, at.bend));
            return BristleForce{pull_of(limited(numbers, at.slip, most), at, rates), rates};
          }};
}

BristleLaw elasto_plastic(const StribeckCurve& curve, const BristleNumbers& numbers, const Symbol& breakaway) {
  return {numbers.stiffness, curve.static_coefficient, numbers.release, false, [=](const BristlePoint& at) {
            const Symbol limit = falling_coefficient(curve, sticking(curve, at.slip)) * at.load;
            const Symbol most = most_bend(limit, numbers.stiffness);
            const Symbol elastic = breakaway * curve.dynamic_coefficient * at.load / numbers.stiffness;
            const Symbol bend = length_of(at.bend);
            const Symbol yields = at.switches.is_watched_negative("breakaway", elastic - bend);
            // Where b slides on, the bend comes to its limit and stays there: a rounded minimum of x and 1 has no side.
            const Symbol x = (bend - elastic) / (most - elastic), beyond = x - 1.0;
            const Symbol part = 0.5 * (x + 1.0 - sqrt(beyond * beyond + 1e-12));
            const Symbol alpha = Symbol::where(yields, 0.5 - 0.5 * cos(std::numbers::pi * part), 0.0);
            const Symbol flow = alpha * forward_part(dot(at.slip, at.bend) / bend) / most;
            const Vector rates = minus(at.slip, times(flow, at.bend));
            // The slope of alpha by the load counts pi / 2 / (1 - elastic / most) times: with this limit a joint jams
            // where it would with Coulomb's friction, not before.
            const Symbol limit_of_damper = (most - elastic) * (2.0 / std::numbers::pi);
            return BristleForce{pull_of(limited(numbers, at.slip, limit_of_damper), at, rates), rates};
          }};
}

BristleLaw gonthier(const StribeckCurve& curve, const BristleNumbers& numbers, const Symbol& regularization,
                    const Symbol& dwell_time) {
  return {numbers.stiffness, curve.static_coefficient, numbers.release, true, [=](const BristlePoint& at) {
            const Symbol sticks = sticking(curve, at.slip), dwell = *at.dwell;
            const Symbol x2 = square(at.slip) / (regularization * regularization);
            const Symbol is_full = at.switches.is_watched_negative("full_slip", 1.0 - x2);
            const Symbol turn =
                Symbol::where(is_full, 1.0 / sqrt(Symbol::where(is_full, x2, 1.0)), 1.5 - 0.5 * x2) / regularization;
            const Symbol slides = (1.0 - sticks) / numbers.damping;
            const Vector sliding =
                minus(times(curve.dynamic_coefficient * at.load * turn, at.slip), times(numbers.stiffness, at.bend));
            const Vector rates = plus(times(sticks, at.slip), times(slides, sliding));
            BristleNumbers dry = numbers;
            dry.viscous = 0.0;
            const Vector pull = pull_of(dry, at, rates);
            // The limit of the force grows with the dwell. Where b slides on, the pull comes to the limit and stays
            // there: a rounded maximum of 1 and their quotient has no side.
            const Symbol most =
                numbers.stiffness * most_bend(falling_coefficient(curve, dwell) * at.load, numbers.stiffness);
            const Symbol excess = length_of(pull, numbers.stiffness) / most - 1.0;
            const Symbol share = 2.0 / (2.0 + excess + sqrt(excess * excess + 1e-20));
            const Symbol forgets = at.switches.is_watched_negative("dwell", sticks - dwell);
            const Symbol quickness = Symbol::where(forgets, numbers.stiffness / numbers.damping, 1.0 / dwell_time);
            const Vector friction = times(share, pull);
            return BristleForce{is_zero(numbers.viscous) ? friction : plus(friction, times(numbers.viscous, at.slip)),
                                rates, quickness * (sticks - dwell)};
          }};
}

Bristles bristles_of(Model& model, const BristleLaw& law, const BristlePoint& at, const Vector& bends,
                     const Symbol& touches, const Vector& moved) {
  const BristleForce found = law.act(at);
  const Symbol is_static = in_statics(model), quickness = 1.0 / law.release;
  const Symbol limit = law.static_coefficient * at.load, size = law.stiffness * law.stiffness * square(at.bend);
  // In a motion no run has to look for it.
  const Symbol is_too_much = less(Symbol::where(is_static, limit * limit - size, 1.0), 0.0);
  const Symbol held = Symbol::where(is_too_much, limit / sqrt(Symbol::where(is_too_much, size, 1.0)), 1.0);
  Bristles out;
  for (std::size_t k = 0; k < bends.size(); ++k) {
    const Symbol pull = Symbol::where(is_static, held * law.stiffness * at.bend[k], found.pull[k]);
    out.force.push_back(-Symbol::where(touches, pull, 0.0));
    const Symbol leaves = quickness * (bends[k] - at.bend[k]);
    out.rates.push_back(Symbol::where(touches, found.rates[k], -(quickness * at.bend[k])) - leaves);
    out.laws.push_back(Symbol::where(is_static, quickness * (moved[k] - bends[k]), out.rates[k]));
  }
  if (law.has_dwell) {
    const Symbol dwelling = Symbol::where(touches, found.dwelling, -(quickness * *at.dwell));
    out.dwelling = Symbol::where(is_static, quickness * (1.0 - *at.dwell), dwelling);
  }
  return out;
}

}  // namespace perilune::model
