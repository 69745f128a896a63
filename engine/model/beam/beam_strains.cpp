// SPDX-License-Identifier: MIT
#include "model/beam/beam_strains.hpp"

#include "model/law/symbolic.hpp"

namespace perilune::model {

namespace {

/// (1 - sin(y) / y) / y^2 by its series, from y^2: to rounding up to a whole turn between the sections, y = pi.
Symbol shortening(const Symbol& square) {
  constexpr int terms = 10;
  Symbol sum = 0.0;
  for (int k = terms; k >= 1; --k) {  // 1/3! - y^2/5! + y^4/7! ...
    double factorial = 1;
    for (int i = 2; i <= 2 * k + 1; ++i) factorial *= i;
    sum = (k % 2 == 1 ? 1 / factorial : -1 / factorial) + square * sum;
  }
  return sum;
}

/// T^-1 u, where T u is the way of a line with the direction u at its middle, whose sections turn by phi in all: across
/// phi a chord is shorter than its arc by the factor sin(y) / y, y = |phi| / 2.
Vector along_arc(const Vector& u, const Vector& phi, const Symbol& square) {
  const Symbol h = shortening(0.25 * square), factor = 1.0 - 0.25 * square * h, more = 0.25 * h / factor;
  if (u.size() == 2) return times(1.0 / factor, u);
  return plus(u, times(more, minus(times(square, u), times(dot(phi, u), phi))));
}

/// The vector of the rotation with the Euler parameters (s, v) of the length N: 16 atan |t| / |t| t, where t is v / |v|
/// times the tangent of its sixteenth part, so that the series is to rounding and no angle is singular.
Vector rotation_vector(const Symbol& s, const Vector& v, const Symbol& N) {
  Vector t = times(1.0 / (N + s), v);  // tan(phi / 4)
  for (int halving = 0; halving < 2; ++halving) t = times(1.0 / (1.0 + sqrt(1.0 + dot(t, t))), t);
  const Symbol x = dot(t, t);
  Symbol series = 0.0;
  for (int k = 9; k >= 0; --k) series = (k % 2 == 0 ? 1.0 : -1.0) / (2 * k + 1) + x * series;
  return times(16.0 * series, t);
}

/// A^T x with the rotation matrix of the Euler parameters p of any length.
Vector turned_back(const Vector& p, const Vector& x) {
  const Vector e(p.begin() + 1, p.end());
  const Symbol square = dot(p, p), straight = p[0] * p[0] - dot(e, e), along = 2.0 * dot(e, x), across = 2.0 * p[0];
  const Vector turning = cross(e, x);
  Vector out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.push_back((straight * x[k] + along * e[k] - across * turning[k]) / square);
  }
  return out;
}

BeamStrains planar(const Vector& a, const Vector& b, const Symbol& l) {
  BeamStrains out;
  const Symbol turn = b[2] - a[2], angle = 0.5 * (a[2] + b[2]), c = cos(angle), s = sin(angle);
  const Vector way = {(b[0] - a[0]) / l, (b[1] - a[1]) / l};
  out.stretch = along_arc({c * way[0] + s * way[1], c * way[1] - s * way[0]}, {turn}, turn * turn);
  out.stretch[0] -= 1.0;
  out.curvature = {turn / l};
  return out;
}

BeamStrains spatial(const Vector& a, const Vector& b, const Symbol& l) {
  BeamStrains out;
  const Vector p(a.begin() + 3, a.end()), q(b.begin() + 3, b.end());
  const Vector e(p.begin() + 1, p.end()), f(q.begin() + 1, q.end());
  const Symbol s = dot(p, q);
  const Vector v = minus(minus(times(p[0], f), times(q[0], e)), cross(e, f));
  const Vector phi = rotation_vector(s, v, sqrt(s * s + dot(v, v)));
  const Vector half = plus(times(sqrt(dot(q, q)), p), times(sqrt(dot(p, p)), q));
  const Vector way = times(1.0 / l, minus({b[0], b[1], b[2]}, {a[0], a[1], a[2]}));
  out.stretch = along_arc(turned_back(half, way), phi, dot(phi, phi));
  out.stretch[0] -= 1.0;
  out.curvature = times(1.0 / l, phi);
  return out;
}

}  // namespace

BeamStrains beam_strains(const Vector& a, const Vector& b, const Symbol& l) {
  return a.size() == 3 ? planar(a, b, l) : spatial(a, b, l);
}

}  // namespace perilune::model
