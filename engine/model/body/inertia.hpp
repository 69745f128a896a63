// Inertia elements with their weight: r = M a - Q. The last D data are the components of gravity (m/s^2).
#pragma once
#include "model/place/place.hpp"

namespace perilune::model {

/// Mass at a point. Data: m, gravity.
template <int D>
struct PointMass {
  static constexpr int nq = D, nd = 1 + D;
  static constexpr bool has_mass = true, is_constant = true;
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    for (int k = 0; k < D; ++k) r[k] = d[0] * (a[k] - d[1 + k]);
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    for (int k = 0; k < D; ++k) {
      Rd[k * nd] = a[k] - d[1 + k];
      Rd[k * nd + 1 + k] = -d[0];
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int k = 0; k < D; ++k) sum -= d[0] * d[1 + k] * q[k];
    return sum;
  }
};

/// Uniform bar between two points: consistent mass m/6 [2I I; I 2I]. Data: m, gravity.
template <int D>
struct FreeBar {
  static constexpr int nq = 2 * D, nd = 1 + D;
  static constexpr bool has_mass = true, is_constant = true;
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    for (int k = 0; k < D; ++k) {
      const T weight = 0.5 * d[0] * d[1 + k];
      r[k] = d[0] / 6.0 * (2.0 * a[k] + a[D + k]) - weight;
      r[D + k] = d[0] / 6.0 * (a[k] + 2.0 * a[D + k]) - weight;
    }
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    for (int k = 0; k < D; ++k) {
      Rd[k * nd] = (2 * a[k] + a[D + k]) / 6 - 0.5 * d[1 + k];
      Rd[(D + k) * nd] = (a[k] + 2 * a[D + k]) / 6 - 0.5 * d[1 + k];
      Rd[k * nd + 1 + k] = Rd[(D + k) * nd + 1 + k] = -0.5 * d[0];
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int k = 0; k < D; ++k) sum -= 0.5 * d[0] * d[1 + k] * (q[k] + q[D + k]);
    return sum;
  }
};

/// Uniform bar with one end fixed in space: the free end carries m/3. Data: m, gravity, the fixed end.
template <int D>
struct GroundedBar {
  static constexpr int nq = D, nd = 1 + 2 * D;
  static constexpr bool has_mass = true, is_constant = true;
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    for (int k = 0; k < D; ++k) r[k] = d[0] / 3.0 * a[k] - 0.5 * d[0] * d[1 + k];
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    for (int k = 0; k < D; ++k) {
      Rd[k * nd] = a[k] / 3 - 0.5 * d[1 + k];
      Rd[k * nd + 1 + k] = -0.5 * d[0];
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int k = 0; k < D; ++k) sum -= 0.5 * d[0] * d[1 + k] * (q[k] + d[1 + D + k]);
    return sum;
  }
};

/// Planar rigid body, q = (x, y, theta) of the centre of mass. Data: m, J, gravity.
struct PlanarBody {
  static constexpr int nq = 3, nd = 4;
  static constexpr bool has_mass = true, is_constant = true;
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

/// Spatial rigid body, q = (r, p) of the centre of mass with Euler parameters p. With omega' = 2 G p' the kinetic
/// energy is 2 p'^T G^T J G p', so M_pp = 4 G^T J G and Q_p = 8 G'^T J G' p. Data: m, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz,
/// gravity.
struct SpatialBody {
  static constexpr int nq = 7, nd = 10;
  static constexpr bool has_mass = true, is_constant = false;

  /// G(p) x = (-e  -[e]x + e0 I) x.
  template <class T>
  static void times_G(const T* p, const T* x, T* out) {
    out[0] = -p[1] * x[0] + p[0] * x[1] + p[3] * x[2] - p[2] * x[3];
    out[1] = -p[2] * x[0] - p[3] * x[1] + p[0] * x[2] + p[1] * x[3];
    out[2] = -p[3] * x[0] + p[2] * x[1] - p[1] * x[2] + p[0] * x[3];
  }
  template <class T>
  static void times_G_transposed(const T* p, const T* w, T* out) {
    out[0] = -p[1] * w[0] - p[2] * w[1] - p[3] * w[2];
    out[1] = p[0] * w[0] - p[3] * w[1] + p[2] * w[2];
    out[2] = p[3] * w[0] + p[0] * w[1] - p[1] * w[2];
    out[3] = -p[2] * w[0] + p[1] * w[1] + p[0] * w[2];
  }
  template <class T>
  static void times_inertia(const T* d, const T* w, T* out) {
    out[0] = d[1] * w[0] + d[4] * w[1] + d[5] * w[2];
    out[1] = d[4] * w[0] + d[2] * w[1] + d[6] * w[2];
    out[2] = d[5] * w[0] + d[6] * w[1] + d[3] * w[2];
  }
  template <class T>
  static void residual(const T* q, const T* v, const T* a, const T&, const T* d, T* r) {
    for (int k = 0; k < 3; ++k) r[k] = d[0] * (a[k] - d[7 + k]);
    const T *p = q + 3, *rate = v + 3;
    T w[3], jw[3], inertial[4], gyroscopic[4];
    times_G(p, a + 3, w);
    times_inertia(d, w, jw);
    times_G_transposed(p, jw, inertial);
    times_G(rate, p, w);
    times_inertia(d, w, jw);
    times_G_transposed(rate, jw, gyroscopic);
    for (int i = 0; i < 4; ++i) r[3 + i] = 4.0 * inertial[i] - 8.0 * gyroscopic[i];
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    return -(d[0] * (d[7] * q[0] + d[8] * q[1] + d[9] * q[2]));
  }
};

}  // namespace perilune::model
