// SPDX-License-Identifier: MIT
// Planar rigid bodies.
#pragma once
#include <cmath>

#include "model/place/place.hpp"

namespace perilune::model {

/// Planar rigid body, q = (x, y, theta) of the centre of mass. Data: m, J about it, gravity.
struct PlanarBody {
  static constexpr int nq = 3, nd = 4;
  static constexpr bool has_mass = true, is_constant = true;
  static constexpr bool in_mass(int i, int j) { return i == j; }
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    r[0] = d[0] * (a[0] - d[2]);
    r[1] = d[0] * (a[1] - d[3]);
    r[2] = d[1] * a[2];
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    Rd[0] = a[0] - d[2];
    Rd[nd] = a[1] - d[3];
    Rd[2 * nd + 1] = a[2];
    Rd[2] = Rd[nd + 3] = -d[0];
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    return -(d[0] * (d[2] * q[0] + d[3] * q[1]));
  }
};

/// Planar rigid body, q = (x, y, theta) of a reference point; the centre of mass is c = (x, y) + A(theta) s and J is
/// about c: r = c_q^T m (c'' - g) + (0, 0, J theta''). Data: m, s (2), J, gravity (2).
struct OffsetPlanarBody {
  static constexpr int nq = 3, nd = 6, centre = 1, tensor = 3, gravity = 4;
  static constexpr bool has_mass = true, is_constant = false;
  static constexpr bool in_mass(int i, int j) { return i == j || i == 2 || j == 2; }
  static constexpr bool in_jacobians(int, int j) { return j == 2; }

  template <class T>
  static void residual(const T* q, const T* v, const T* a, const T&, const T* d, T* r) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]);
    const T x = c * d[1] - s * d[2], y = s * d[1] + c * d[2];  // A s
    r[0] = d[0] * (a[0] - y * a[2] - x * v[2] * v[2] - d[4]);
    r[1] = d[0] * (a[1] + x * a[2] - y * v[2] * v[2] - d[5]);
    r[2] = x * r[1] - y * r[0] + d[3] * a[2];
  }
  template <class T>
  static void mass(const T* q, const T* d, T* M) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]), x = c * d[1] - s * d[2], y = s * d[1] + c * d[2];
    M[0] = M[4] = d[0];
    M[2] = M[6] = -d[0] * y;
    M[5] = M[7] = d[0] * x;
    M[8] = d[3] + d[0] * (d[1] * d[1] + d[2] * d[2]);
  }
  template <class T>
  static void force(const T* q, const T* v, const T&, const T* d, T* Q) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]), x = c * d[1] - s * d[2], y = s * d[1] + c * d[2];
    Q[0] = d[0] * (d[4] + x * v[2] * v[2]);
    Q[1] = d[0] * (d[5] + y * v[2] * v[2]);
    Q[2] = x * Q[1] - y * Q[0];
  }
  static void jacobians(const double* q, const double* v, const double* a, double t, const double* d, double* Rq,
                        double* Rv, double* Rd);
  template <class T>
  static T potential(const T* q, const T* d) {
    T c[2];
    PlanarPlace::position(q, d + centre, c);
    return -(d[0] * (d[4] * c[0] + d[5] * c[1]));
  }
};

}  // namespace perilune::model
