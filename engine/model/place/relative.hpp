// SPDX-License-Identifier: MIT
// The vector u = r_B - r_A between two places, with the derivatives that every two-place element is built from.
#pragma once
#include "model/place/place.hpp"

namespace perilune::model {

/// Coordinates and data of A stand before those of B. D: dimension, N: coordinates, P: data.
template <class A, class B>
struct Relative {
  static constexpr int D = A::dimension, N = A::nq + B::nq, P = A::nd + B::nd;
  static_assert(A::dimension == B::dimension);
  static constexpr bool is_linear = A::is_linear && B::is_linear;  // U is constant

  template <class T>
  static void vector(const T* q, const T* d, T* u) {
    T ra[D], rb[D];
    A::position(q, d, ra);
    B::position(q + A::nq, d + A::nd, rb);
    for (int k = 0; k < D; ++k) u[k] = rb[k] - ra[k];
  }
  /// u, its velocity u1, its acceleration u2 at a = 0, and U = u_q (row-major, zero on entry).
  template <class T>
  static void motion(const T* q, const T* v, const T* d, T* u, T* u1, T* u2, T* U) {
    T x[D], x1[D], x2[D];
    A::swing(q, v, d, x, x1, x2, U, N);
    if constexpr (A::translates) {
      for (int k = 0; k < D; ++k) {
        x[k] += q[k];
        x1[k] += v[k];
        U[k * N + k] += 1;
      }
    }
    if constexpr (A::nq > 0) negate_first(U, A::nq, N);
    B::swing(q + A::nq, v + A::nq, d + A::nd, u, u1, u2, U + A::nq, N);
    for (int k = 0; k < D; ++k) {
      if constexpr (B::translates) {
        u[k] += q[A::nq + k];
        u1[k] += v[A::nq + k];
        U[k * N + A::nq + k] += 1;
      }
      u[k] -= x[k];
      u1[k] -= x1[k];
      u2[k] -= x2[k];
    }
  }
  /// out = U^T w with U = u_q.
  template <class T>
  static void pull(const T* q, const T* d, const T* w, T* out) {
    T minus[D];
    for (int k = 0; k < D; ++k) minus[k] = -w[k];
    A::pull(q, d, minus, out);
    B::pull(q + A::nq, d + A::nd, w, out + A::nq);
  }

  /// Where U is constant: out (length D) = U x and h (N x N) = scale U^T U, without forming U.
  static void push_linear(const double* x, double* out) {
    for (int k = 0; k < D; ++k) out[k] = (B::nq ? x[A::nq + k] : 0.0) - (A::nq ? x[k] : 0.0);
  }
  static void gram_linear(double scale, double* h) {
    for (int k = 0; k < D; ++k) {
      if constexpr (A::nq > 0) h[k * N + k] = scale;
      if constexpr (B::nq > 0) h[(A::nq + k) * N + A::nq + k] = scale;
      if constexpr (A::nq > 0 && B::nq > 0) h[k * N + A::nq + k] = h[(A::nq + k) * N + k] = -scale;
    }
  }

  /// The same for a matrix between: h (N x N) += U^T c U for a D x D matrix c.
  static void add_congruence_linear(const double* c, double* h) {
    for (int k = 0; k < D; ++k) {
      for (int l = 0; l < D; ++l) {
        const double x = c[k * D + l];
        if constexpr (A::nq > 0) h[k * N + l] += x;
        if constexpr (B::nq > 0) h[(A::nq + k) * N + A::nq + l] += x;
        if constexpr (A::nq > 0 && B::nq > 0) {
          h[k * N + A::nq + l] -= x;
          h[(A::nq + k) * N + l] -= x;
        }
      }
    }
  }
  /// f (N rows of `stride` entries) += U^T c u_d, where one place is fixed in space and the other is a point.
  static void add_data_congruence_linear(const double* c, double* f, int stride) {
    for (int k = 0; k < N && P > 0; ++k) {
      for (int l = 0; l < P; ++l) f[k * stride + l] -= c[k * D + l];
    }
  }

  using Matrix = Array<static_cast<std::size_t>(D* N)>;      // D x N
  using DataMatrix = Array<static_cast<std::size_t>(D* P)>;  // D x P

  static Matrix jacobian(const double* q, const double* d) {
    Matrix u{};
    A::jacobian(q, d, u.data(), N);
    negate_first(u.data(), A::nq, N);
    B::jacobian(q + A::nq, d + A::nd, u.data() + A::nq, N);
    return u;
  }
  /// First and second time derivatives of U.
  static void jacobian_rates(const double* q, const double* v, const double* a, const double* d, Matrix& u1,
                             Matrix& u2) {
    u1.fill(0);
    u2.fill(0);
    A::jacobian_rates(q, v, a, d, u1.data(), u2.data(), N);
    negate_first(u1.data(), A::nq, N);
    negate_first(u2.data(), A::nq, N);
    B::jacobian_rates(q + A::nq, v + A::nq, a + A::nq, d + A::nd, u1.data() + A::nq, u2.data() + A::nq, N);
  }
  /// h (N x N) += scale * sum_k w_k d^2 u_k / dq^2.
  static void add_hessian(const double* q, const double* d, const double* w, double scale, double* h) {
    A::add_hessian(q, d, w, -scale, h, N);
    B::add_hessian(q + A::nq, d + A::nd, w, scale, h + A::nq * N + A::nq, N);
  }
  /// W = u_d and its time derivatives; rows have `stride` entries.
  static void data_jacobian(const double* q, const double* v, const double* a, DataMatrix& w0, DataMatrix& w1,
                            DataMatrix& w2) {
    w0.fill(0);
    w1.fill(0);
    w2.fill(0);
    A::data_jacobian(q, v, a, w0.data(), w1.data(), w2.data(), P);
    for (DataMatrix* w : {&w0, &w1, &w2}) negate_first(w->data(), A::nd, P);
    B::data_jacobian(q + A::nq, v + A::nq, a + A::nq, w0.data() + A::nd, w1.data() + A::nd, w2.data() + A::nd, P);
  }
  /// f (N rows of `stride` entries) += scale * d(U^T w)/dd.
  static void add_data_hessian(const double* q, const double* w, double scale, double* f, int stride) {
    A::add_data_hessian(q, w, -scale, f, stride);
    B::add_data_hessian(q + A::nq, w, scale, f + A::nq * stride + A::nd, stride);
  }

  /// out (length columns) = m^T w for a D-row matrix.
  template <class T>
  static void transposed(const T* m, int columns, const T* w, T* out) {
    for (int j = 0; j < columns; ++j) {
      T sum = 0;
      for (int k = 0; k < D; ++k) sum += m[k * columns + j] * w[k];
      out[j] = sum;
    }
  }
  /// out (length D) = m x.
  static void apply(const double* m, int columns, const double* x, double* out) {
    for (int k = 0; k < D; ++k) {
      double sum = 0;
      for (int j = 0; j < columns; ++j) sum += m[k * columns + j] * x[j];
      out[k] = sum;
    }
  }

 private:
  template <class T>
  static void negate_first(T* m, int columns, int stride) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < columns; ++j) m[k * stride + j] = -m[k * stride + j];
    }
  }
};

}  // namespace perilune::model
