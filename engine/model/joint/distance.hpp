// SPDX-License-Identifier: MIT
// Constant distance between two places: Phi = u.u - L^2 with u = r_B - r_A (m^2; the multiplier has unit N/m).
// Hand-derived blocks follow from the product rule on u and U = u_q.
#pragma once
#include "model/place/relative.hpp"

namespace perilune::model {

template <class A, class B>
struct Distance {
  using R = Relative<A, B>;
  static constexpr bool compares_squares = true;
  static constexpr int D = R::D, nq = R::N, nc = 1, nd = R::P + 1;  // data: places, L

  static constexpr bool in_hessian(int i, int j) { return !R::is_linear || i % D == j % D; }

  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    T u[D];
    R::vector(q, d, u);
    phi[0] = -(d[R::P] * d[R::P]);
    for (int k = 0; k < D; ++k) phi[0] += u[k] * u[k];
  }

  template <class T>
  static void first_order(const T* q, const T* v, const T&, const T* d, T* phi, T* rate, T* bias, T* J) {
    T u[D], u1[D], bias_u[D], U[D * nq]{};
    R::motion(q, v, d, u, u1, bias_u, U);
    phi[0] = -d[R::P] * d[R::P];
    for (int k = 0; k < D; ++k) {
      phi[0] += u[k] * u[k];
      rate[0] += 2 * u[k] * u1[k];
      bias[0] += 2 * (u1[k] * u1[k] + u[k] * bias_u[k]);
    }
    R::transposed(U, nq, u, J);
    for (int i = 0; i < nq; ++i) J[i] *= 2;
  }

  static void second_order(const double* q, const double* v, const double* a, const double* lambda, double,
                           const double* d, double* J1, double* J2, double* H) {
    if constexpr (R::is_linear) {
      double u1[D], u2[D];
      R::push_linear(v, u1);
      R::push_linear(a, u2);
      for (int k = 0; k < D; ++k) {
        u1[k] *= 2;
        u2[k] *= 2;
      }
      R::pull(q, d, u1, J1);
      R::pull(q, d, u2, J2);
      R::gram_linear(2 * lambda[0], H);
    } else {
      const Motion x(q, v, a, d);
      double p[nq], r[nq], s[nq];
      R::transposed(x.U.data(), nq, x.u1, p);
      R::transposed(x.U1.data(), nq, x.u, r);
      for (int i = 0; i < nq; ++i) J1[i] = 2 * (p[i] + r[i]);
      R::transposed(x.U.data(), nq, x.u2, p);
      R::transposed(x.U1.data(), nq, x.u1, r);
      R::transposed(x.U2.data(), nq, x.u, s);
      for (int i = 0; i < nq; ++i) J2[i] = 2 * (p[i] + 2 * r[i] + s[i]);
      const double scale = 2 * lambda[0];
      for (int i = 0; i < nq; ++i) {
        for (int j = 0; j < nq; ++j) {
          double sum = 0;
          for (int k = 0; k < D; ++k) sum += x.U[k * nq + i] * x.U[k * nq + j];
          H[i * nq + j] = scale * sum;
        }
      }
      R::add_hessian(q, d, x.u, scale, H);
    }
  }

  static void data(const double* q, const double* v, const double* a, const double* lambda, double, const double* d,
                   double* D0, double* D1, double* D2, double* F) {
    D0[R::P] = -2 * d[R::P];
    if constexpr (R::P > 0) {
      Motion x(q, v, a, d);
      typename R::DataMatrix W, W1, W2;
      R::data_jacobian(q, v, a, W, W1, W2);
      for (int j = 0; j < R::P; ++j) {
        for (int k = 0; k < D; ++k) {
          const int kj = k * R::P + j;
          D0[j] += 2 * W[kj] * x.u[k];
          D1[j] += 2 * (W1[kj] * x.u[k] + W[kj] * x.u1[k]);
          D2[j] += 2 * (W2[kj] * x.u[k] + 2 * W1[kj] * x.u1[k] + W[kj] * x.u2[k]);
          for (int i = 0; i < nq; ++i) F[i * nd + j] += 2 * lambda[0] * x.U[k * nq + i] * W[kj];
        }
      }
      R::add_data_hessian(q, x.u, 2 * lambda[0], F, nd);
    }
  }

 private:
  struct Motion {
    double u[D], u1[D], u2[D];
    typename R::Matrix U, U1, U2;
    Motion(const double* q, const double* v, const double* a, const double* d) {
      R::vector(q, d, u);
      U = R::jacobian(q, d);
      R::apply(U.data(), nq, v, u1);
      R::apply(U.data(), nq, a, u2);
      if constexpr (!R::is_linear) {
        double rest[D];
        R::jacobian_rates(q, v, a, d, U1, U2);
        R::apply(U1.data(), nq, v, rest);
        for (int k = 0; k < D; ++k) u2[k] += rest[k];
      }
    }
  };
};

}  // namespace perilune::model
