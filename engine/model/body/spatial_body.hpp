// SPDX-License-Identifier: MIT
// Spatial rigid body in reference-point coordinates with Euler parameters.
#pragma once
#include "model/place/place.hpp"

namespace perilune::model {

/// The matrix G(p) = (-e  -[e]x + e0 I) of Euler parameters p = (e0, e): omega' = 2 G p' in the body frame
/// (Schaffer 2005, section A.4).
struct EulerRates {
  /// out (3) = G(p) x. Bilinear; G(p) x = -G(x) p.
  template <class T>
  static void times_G(const T* p, const T* x, T* out) {
    out[0] = -p[1] * x[0] + p[0] * x[1] + p[3] * x[2] - p[2] * x[3];
    out[1] = -p[2] * x[0] - p[3] * x[1] + p[0] * x[2] + p[1] * x[3];
    out[2] = -p[3] * x[0] + p[2] * x[1] - p[1] * x[2] + p[0] * x[3];
  }
  /// out (4) = G(p)^T w.
  template <class T>
  static void times_G_transposed(const T* p, const T* w, T* out) {
    out[0] = -p[1] * w[0] - p[2] * w[1] - p[3] * w[2];
    out[1] = p[0] * w[0] - p[3] * w[1] + p[2] * w[2];
    out[2] = p[3] * w[0] + p[0] * w[1] - p[1] * w[2];
    out[3] = -p[2] * w[0] + p[1] * w[1] + p[0] * w[2];
  }
  /// out (3) = J w with J = (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz).
  template <class T>
  static void times_inertia(const T* J, const T* w, T* out) {
    out[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    out[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    out[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
  }
};

/// Spatial rigid body, q = (r, p): r is the reference point (m), p the Euler parameters of the body frame.
/// The centre of mass is c = r + A(p) s, the inertia tensor J is about c, parallel to the body axes. From the kinetic
/// energy m |c'|^2 / 2 + 2 p'^T G^T J G p' and with U = c_q = (I, B(p, s)):
///   r = U^T m (c'' - g) + (0; 4 G^T J G p'' - 8 G'^T J G' p),   c'' = r'' + B(p, s) p'' + B(p', s) p',
/// so that M = m U^T U + 4 G^T J G is positive semidefinite. It differs from Schaffer 2005, (4.84)-(4.87) by terms in
/// p.p' and p.p'' + p'.p', which the normalization of p makes zero.
/// Data: m; s (3, only with HasOffset); Jxx, Jyy, Jzz, Jxy, Jxz, Jyz; gravity (3).
template <bool HasOffset>
struct SpatialRigidBody : EulerRates {
  static constexpr int centre = 1, tensor = HasOffset ? 4 : 1, gravity = tensor + 6;
  static constexpr int nq = 7, nd = gravity + 3;
  static constexpr bool has_mass = true, is_constant = false, has_quadratic_mass = true;
  /// Entries of M, and of r_q and r_v, that are not always zero.
  static constexpr bool in_mass(int i, int j) { return i < 3 && j < 3 ? i == j : HasOffset || (i >= 3) == (j >= 3); }
  static constexpr bool in_jacobians(int i, int j) { return j >= 3 && (HasOffset || i >= 3); }

  template <class T>
  static void residual(const T* q, const T* v, const T* a, const T&, const T* d, T* r) {
    const T *p = q + 3, *rate = v + 3, *second = a + 3;
    T w[3], jw[3], inertial[4], gyroscopic[4];
    times_G(p, second, w);
    times_inertia(d + tensor, w, jw);
    times_G_transposed(p, jw, inertial);
    times_G(rate, p, w);
    times_inertia(d + tensor, w, jw);
    times_G_transposed(rate, jw, gyroscopic);
    for (int k = 0; k < 3; ++k) r[k] = a[k] - d[gravity + k];
    for (int i = 0; i < 4; ++i) r[3 + i] = 4.0 * inertial[i] - 8.0 * gyroscopic[i];
    if constexpr (HasOffset) {
      T B[12], B1[12];
      rotation_jacobian(p, d + centre, B);
      rotation_jacobian(rate, d + centre, B1);
      for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 4; ++i) r[k] += B[4 * k + i] * second[i] + B1[4 * k + i] * rate[i];
      }
      for (int i = 0; i < 4; ++i) r[3 + i] += d[0] * (B[i] * r[0] + B[4 + i] * r[1] + B[8 + i] * r[2]);
    }
    for (int k = 0; k < 3; ++k) r[k] = d[0] * r[k];
  }

  static void mass(const double* q, const double* d, double* M);
  static void force(const double* q, const double* v, double t, const double* d, double* Q);
  static void jacobians(const double* q, const double* v, const double* a, double t, const double* d, double* Rq,
                        double* Rv, double* Rd);

  template <class T>
  static T potential(const T* q, const T* d) {
    T c[3] = {q[0], q[1], q[2]};
    if constexpr (HasOffset) SpatialPlace::position(q, d + centre, c);
    return -(d[0] * (d[gravity] * c[0] + d[gravity + 1] * c[1] + d[gravity + 2] * c[2]));
  }
};

}  // namespace perilune::model
