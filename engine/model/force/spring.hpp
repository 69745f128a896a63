// SPDX-License-Identifier: MIT
// Translational spring-damper-actuator between two places: with l = |u|, e = u / l the force on B is -f e, on A it is
// f e, f = k (l - l0) + c l' + f0 (N). Hand-derived from g = l_q = U^T e and G = l_qq.
#pragma once
#include <cmath>

#include "model/place/relative.hpp"

namespace perilune::model {

template <class A, class B>
struct Spring {
  using R = Relative<A, B>;
  static constexpr int D = R::D, P = R::P, nq = R::N, nd = P + 4;  // data: places, k, l0, c, f0
  static constexpr bool has_mass = false, is_constant = false;

  template <class T>
  static T length(const T* q, const T* d) {
    using std::sqrt;
    T u[D], square = 0.0;
    R::vector(q, d, u);
    for (int k = 0; k < D; ++k) square += u[k] * u[k];
    return sqrt(square);
  }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    T u[D], g[nq];
    R::vector(q, d, u);
    const T l = length(q, d);
    for (int k = 0; k < D; ++k) u[k] = u[k] / l;
    R::pull(q, d, u, g);
    T rate = 0.0;
    for (int i = 0; i < nq; ++i) rate += g[i] * v[i];
    const T f = d[P] * (l - d[P + 1]) + d[P + 2] * rate + d[P + 3];
    for (int i = 0; i < nq; ++i) r[i] = f * g[i];
  }
  static bool is_damped(const double* d) { return d[P + 2] != 0; }
  template <class T>
  static T potential(const T* q, const T* d) {
    const T stretch = length(q, d) - d[P + 1];
    return 0.5 * d[P] * stretch * stretch;
  }

  template <class T>
  static void force(const T* q, const T* v, const T&, const T* d, T* Q) {
    using std::sqrt;
    T e[D], g[nq], square = 0, rate = 0;
    R::vector(q, d, e);
    for (int k = 0; k < D; ++k) square += e[k] * e[k];
    const T l = sqrt(square);
    for (int k = 0; k < D; ++k) e[k] /= l;
    R::pull(q, d, e, g);
    for (int i = 0; i < nq; ++i) rate += g[i] * v[i];
    const T f = d[P] * (l - d[P + 1]) + d[P + 2] * rate + d[P + 3];
    for (int i = 0; i < nq; ++i) Q[i] -= f * g[i];
  }

  static void jacobians(const double* q, const double* v, const double*, double, const double* d, double* Rq,
                        double* Rv, double* Rd) {
    if constexpr (R::is_linear) {
      linear_jacobians(q, v, d, Rq, Rv, Rd);
      return;
    }
    const Shape s(q, v, d);
    double G[nq * nq]{};
    s.projected(s.U.data(), nq, G, nq);
    R::add_hessian(q, d, s.e, 1, G);
    const double stiffness = d[P], damping = d[P + 2];
    for (int i = 0; i < nq; ++i) {
      double turning = 0;  // (G v)_j, the derivative of l' with respect to q_j
      for (int j = 0; j < nq; ++j) turning += G[i * nq + j] * v[j];
      for (int j = 0; j < nq; ++j) {
        Rq[j * nq + i] += s.g[j] * (stiffness * s.g[i] + damping * turning) + s.f * G[j * nq + i];
        Rv[j * nq + i] += damping * s.g[j] * s.g[i];
      }
    }
    if (Rd) data(s, q, v, d, Rd);
  }

 private:
  /// Where U is constant, everything follows from the D x D derivatives of the force f e by u and u'.
  static void linear_jacobians(const double* q, const double* v, const double* d, double* Rq, double* Rv, double* Rd) {
    double e[D], rate_u[D], in_u[D * D], in_rate[D * D], square = 0, rate = 0;
    R::vector(q, d, e);
    R::push_linear(v, rate_u);
    for (int k = 0; k < D; ++k) {
      square += e[k] * e[k];
      rate += e[k] * rate_u[k];
    }
    const double l = std::sqrt(square), inverse = l * (1 / square);  // the division need not wait for the root
    rate *= inverse;
    for (int k = 0; k < D; ++k) e[k] *= inverse;
    const double stiffness = d[P], damping = d[P + 2], stretch = l - d[P + 1];
    const double across = (stiffness * stretch + damping * rate + d[P + 3]) * inverse;
    for (int j = 0; j < D; ++j) {
      const double turning = (rate_u[j] - rate * e[j]) * inverse;  // the derivative of l' with respect to u_j
      const double along = (stiffness - across) * e[j] + damping * turning;
      for (int k = 0; k < D; ++k) {
        in_u[k * D + j] = e[k] * along + (j == k ? across : 0);
      }
    }
    R::add_congruence_linear(in_u, Rq);
    if (is_damped(d)) {
      for (int j = 0; j < D; ++j) {
        for (int k = 0; k < D; ++k) in_rate[k * D + j] = damping * e[k] * e[j];
      }
      R::add_congruence_linear(in_rate, Rv);
    }
    if (!Rd) return;
    R::add_data_congruence_linear(in_u, Rd, nd);
    const double in_f[4] = {stretch, -stiffness, rate, 1};
    double g[nq];
    R::pull(q, d, e, g);
    for (int i = 0; i < nq; ++i) {
      for (int j = 0; j < 4; ++j) Rd[i * nd + P + j] += g[i] * in_f[j];
    }
  }

  struct Shape {
    double e[D], g[nq], l, rate = 0, f;
    typename R::Matrix U;
    Shape(const double* q, const double* v, const double* d) : U(R::jacobian(q, d)) {
      double square = 0;
      R::vector(q, d, e);
      for (int k = 0; k < D; ++k) square += e[k] * e[k];
      l = std::sqrt(square);
      for (int k = 0; k < D; ++k) e[k] /= l;
      R::transposed(U.data(), nq, e, g);
      for (int i = 0; i < nq; ++i) rate += g[i] * v[i];
      f = d[P] * (l - d[P + 1]) + d[P + 2] * rate + d[P + 3];
    }
    /// out (nq x columns) += U^T (I - e e^T) m / l for a D-row matrix m.
    void projected(const double* m, int columns, double* out, int stride) const {
      for (int j = 0; j < columns; ++j) {
        double along = 0;
        for (int k = 0; k < D; ++k) along += m[k * columns + j] * e[k];
        for (int k = 0; k < D; ++k) {
          const double across = (m[k * columns + j] - along * e[k]) / l;
          for (int i = 0; i < nq; ++i) out[i * stride + j] += U[k * nq + i] * across;
        }
      }
    }
  };

  static void data(const Shape& s, const double* q, const double* v, const double* d, double* Rd) {
    const double in_f[4] = {s.l - d[P + 1], -d[P], s.rate, 1};
    for (int i = 0; i < nq; ++i) {
      for (int j = 0; j < 4; ++j) Rd[i * nd + P + j] += s.g[i] * in_f[j];
    }
    if constexpr (P > 0) {
      typename R::DataMatrix W, W1, W2;
      const double zero[nq]{};
      R::data_jacobian(q, v, zero, W, W1, W2);
      double in_g[nq * P]{};  // g_d
      s.projected(W.data(), P, in_g, P);
      R::add_data_hessian(q, s.e, 1, in_g, P);
      for (int j = 0; j < P; ++j) {
        double in_l = 0, in_rate = 0;
        for (int k = 0; k < D; ++k) in_l += W[k * P + j] * s.e[k];
        for (int i = 0; i < nq; ++i) in_rate += in_g[i * P + j] * v[i];
        const double slope = d[P] * in_l + d[P + 2] * in_rate;
        for (int i = 0; i < nq; ++i) Rd[i * nd + j] += s.g[i] * slope + s.f * in_g[i * P + j];
      }
    }
  }
};

}  // namespace perilune::model
