// Constraints on directions and on Euler parameters.
#pragma once
#include "model/place/place.hpp"

namespace perilune::model {

/// A direction fixed in space.
struct GroundDirection {
  static constexpr int nq = 0, nd = 3;
  template <class T>
  static void vector(const T*, const T* d, T* out) {
    for (int k = 0; k < 3; ++k) out[k] = d[k];
  }
};

/// A direction fixed in a spatial body: q = (r, p).
struct BodyDirection {
  static constexpr int nq = 7, nd = 3;
  template <class T>
  static void vector(const T* q, const T* d, T* out) {
    T A[9];
    rotation_matrix(q + 3, A);
    for (int k = 0; k < 3; ++k) out[k] = A[3 * k] * d[0] + A[3 * k + 1] * d[1] + A[3 * k + 2] * d[2];
  }
};

/// Dot-1 constraint: two directions stay perpendicular, Phi = f.g = 0.
template <class A, class B>
struct Perpendicular {
  static constexpr int nq = A::nq + B::nq, nc = 1, nd = A::nd + B::nd;
  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    T f[3], g[3];
    A::vector(q, d, f);
    B::vector(q + A::nq, d + A::nd, g);
    phi[0] = f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
  }
};

/// Euler parameters have unit length: Phi = p.p - 1 = 0, on the four coordinates p.
struct EulerNormalization {
  static constexpr int nq = 4, nc = 1, nd = 0;
  template <class T>
  static void position(const T* q, const T&, const T*, T* phi) {
    phi[0] = -1.0;
    for (int i = 0; i < 4; ++i) phi[0] += q[i] * q[i];
  }
  static void first_order(const double* q, const double* v, double, const double*, double* phi, double* rate,
                          double* bias, double* J) {
    phi[0] = -1;
    for (int i = 0; i < 4; ++i) {
      phi[0] += q[i] * q[i];
      rate[0] += 2 * q[i] * v[i];
      bias[0] += 2 * v[i] * v[i];
      J[i] = 2 * q[i];
    }
  }
  static void second_order(const double*, const double* v, const double* a, const double* lambda, double, const double*,
                           double* J1, double* J2, double* H) {
    for (int i = 0; i < 4; ++i) {
      J1[i] = 2 * v[i];
      J2[i] = 2 * a[i];
      H[i * 4 + i] = 2 * lambda[0];
    }
  }
  static void data(const double*, const double*, const double*, const double*, double, const double*, double*, double*,
                   double*, double*) {}
};

}  // namespace perilune::model
