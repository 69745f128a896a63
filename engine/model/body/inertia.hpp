// SPDX-License-Identifier: MIT
// Inertia of points and bars with their weight: r = M a - Q. The D data after the mass are the components of gravity
// (m/s^2).
#pragma once

namespace perilune::model {

/// Mass at a point. Data: m, gravity.
template <int D>
struct PointMass {
  static constexpr int nq = D, nd = 1 + D;
  static constexpr bool has_mass = true, is_constant = true;
  static constexpr bool in_mass(int i, int j) { return i == j; }
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
  static constexpr bool in_mass(int i, int j) { return i % D == j % D; }
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
  static constexpr bool in_mass(int i, int j) { return i == j; }
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

}  // namespace perilune::model
