// SPDX-License-Identifier: MIT
#include "model/body/turns.hpp"

#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

Vector roll_pitch_yaw(const Model& model, const Place& body) {
  const Vector A = orientation(model, body);
  // At a pitch of a quarter turn roll and yaw turn about the same axis. The roll is zero then, and the second column
  // is that of the yaw alone. The branch that is not taken must stay finite, or it would spoil the derivatives.
  const Symbol square = A[0] * A[0] + A[3] * A[3], is_upright = less(square, 1e-24);
  const auto unless_upright = [&](const Symbol& x, const Symbol& then) { return Symbol::where(is_upright, then, x); };
  const Symbol cosine = unless_upright(sqrt(unless_upright(square, 1.0)), 0.0);
  return {atan2(unless_upright(A[7], 0.0), unless_upright(A[8], 1.0)), atan2(-A[6], cosine),
          atan2(unless_upright(A[3], -A[1]), unless_upright(A[0], A[4]))};
}

Vector rotation_vector(const Model& model, const Place& body) {
  const Vector q = coordinate_symbols(model, body.coordinates), p(q.begin() + 3, q.begin() + 7);
  const Vector e(p.begin() + 1, p.end());
  // Of the two signs that mean the same turn, that of the smaller angle.
  const Symbol sign = Symbol::where(less(p[0], 0.0), -1.0, 1.0), square = dot(e, e), cosine = sign * p[0];
  // Near no turn atan2(s, c) / s is a series, whose next term is beyond rounding; the other branch must stay finite
  // there, or its derivatives would spoil those of the series.
  const Symbol is_small = less(square, 1e-8);
  const Symbol sine = sqrt(Symbol::where(is_small, 1.0, square));
  const Symbol ratio = Symbol::where(is_small, square, 0.0) / Symbol::where(is_small, cosine * cosine, 1.0);
  const Symbol series = (1.0 - ratio / 3.0 + ratio * ratio / 5.0) / Symbol::where(is_small, cosine, 1.0);
  return times(2.0 * sign * Symbol::where(is_small, series, atan2(sine, cosine) / sine), e);
}

Vector axis_angle(const Model& model, const Place& body) {
  const Vector q = coordinate_symbols(model, body.coordinates), p(q.begin() + 3, q.begin() + 7);
  const Vector e(p.begin() + 1, p.end());
  const Symbol sign = Symbol::where(less(p[0], 0.0), -1.0, 1.0);
  // The axis has a jump at no turn. Rounded off, it has finite derivatives there.
  constexpr double tiny = 1e-14;
  const Symbol length = sqrt(dot(e, e) + 3.0 * tiny * tiny);
  Vector out = times(sign / length, e);
  // The angle has a corner there. The length is the sum of e's components, with positive signs, times those of its
  // direction: on the way through no turn the signs change and the direction is the same. So laws and integrals have
  // them as switches, at which steps end, and go on smoothly beyond. Components that are zero but for rounding keep
  // their sign.
  constexpr double nothing = 1e-11;
  Symbol sine = 0.0;
  for (const Symbol& component : e) {
    const Symbol magnitude = Symbol::where(less(component, -nothing), -component, component);
    sine += magnitude * sqrt(component * component + tiny * tiny) / length;
  }
  out.push_back(2.0 * atan2(sine, sign * p[0]));
  return out;
}

Symbol turn_about(const Model& model, const Place& a, const Place& b, const Vector& axis) {
  if (axis.empty()) {
    const auto angle = [&](const Place& place) -> Symbol {
      const Symbol own = place.axes.empty() ? Symbol(0.0) : place.axes[0];
      if (place.kind == Place::Kind::Ground) return own;
      return coordinate_symbols(model, place.coordinates)[2] + own;
    };
    return angle(b) - angle(a);
  }
  // R = A_a^T A_b = (e0, e) has R - R^T = 4 e0 [e]x and, with the unit axis n, tr R - n.R n = 2 (e0^2 - (e.n)^2).
  const Vector A = orientation(model, a), B = orientation(model, b), n = unit(axis);
  const auto entry = [&](std::size_t i, std::size_t j) {
    return A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
  };
  Symbol along = 0.0, across = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    along += n[i] * (entry(k, j) - entry(j, k));
    across += entry(i, i);
    for (std::size_t l = 0; l < 3; ++l) across -= n[i] * entry(i, l) * n[l];
  }
  return atan2(along, across);
}

}  // namespace perilune::model
