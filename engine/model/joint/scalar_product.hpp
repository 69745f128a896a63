// SPDX-License-Identifier: MIT
// Hand-derived blocks of a constraint Phi = f.u - c whose vectors f and u depend on some of the element's coordinates
// and data each: the product rule, with the derivatives that f and u state (Relative, a direction, TurningDirection).
#pragma once
#include "model/place/relative.hpp"

namespace perilune::model {

/// Map says where the coordinates and data of F and U stand among the element's: nq, nd; f(i), u(i) of coordinates,
/// f_data(j), u_data(j); and c, the place of the constant among the data (-1 if it is 0).
template <class F, class U, class Map>
struct ScalarProduct {
  static constexpr int nq = Map::nq, nc = 1, nd = Map::nd;

  static void first_order(const double* q, const double* v, double, const double* d, double* phi, double* rate,
                          double* bias, double* J) {
    const Moving<F> f(q, v, d, Map::f, Map::f_data);
    const Moving<U> u(q, v, d, Map::u, Map::u_data);
    phi[0] = dot(f.x, u.x);
    if constexpr (Map::c >= 0) phi[0] -= d[Map::c];
    rate[0] = dot(f.x1, u.x) + dot(f.x, u.x1);
    bias[0] = dot(f.x2, u.x) + 2 * dot(f.x1, u.x1) + dot(f.x, u.x2);
    add_transposed<F>(f.J, u.x, 1, J, Map::f);
    add_transposed<U>(u.J, f.x, 1, J, Map::u);
  }

  static void second_order(const double* q, const double* v, const double* a, const double* lambda, double,
                           const double* d, double* J1, double* J2, double* H) {
    const Factor<F> f(q, v, a, d, Map::f, Map::f_data);
    const Factor<U> u(q, v, a, d, Map::u, Map::u_data);
    add_rates<F>(f, u, J1, J2, Map::f);
    add_rates<U>(u, f, J1, J2, Map::u);
    double own[F::N > 0 ? F::N * F::N : 1]{}, other[U::N * U::N]{};
    F::add_hessian(f.q.data(), f.d.data(), u.x, lambda[0], own);
    U::add_hessian(u.q.data(), u.d.data(), f.x, lambda[0], other);
    for (int i = 0; i < F::N; ++i) {
      for (int j = 0; j < F::N; ++j) H[Map::f(i) * nq + Map::f(j)] += own[i * F::N + j];
    }
    for (int i = 0; i < U::N; ++i) {
      for (int j = 0; j < U::N; ++j) H[Map::u(i) * nq + Map::u(j)] += other[i * U::N + j];
    }
    for (int i = 0; i < F::N; ++i) {
      for (int j = 0; j < U::N; ++j) {
        const double mixed = lambda[0] * column_product<F, U>(f.J, i, u.J, j);
        H[Map::f(i) * nq + Map::u(j)] += mixed;
        H[Map::u(j) * nq + Map::f(i)] += mixed;
      }
    }
  }

  static void data(const double* q, const double* v, const double* a, const double* lambda, double, const double* d,
                   double* D0, double* D1, double* D2, double* L) {
    const Factor<F> f(q, v, a, d, Map::f, Map::f_data);
    const Factor<U> u(q, v, a, d, Map::u, Map::u_data);
    if constexpr (Map::c >= 0) D0[Map::c] = -1;
    add_data<F, U>(f, u, lambda[0], D0, D1, D2, L, Map::f, Map::u, Map::f_data);
    add_data<U, F>(u, f, lambda[0], D0, D1, D2, L, Map::u, Map::f, Map::u_data);
  }

 private:
  static constexpr int D = F::D;
  static_assert(F::D == U::D);
  using Position = int (*)(int);

  static double dot(const double* x, const double* y) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += x[k] * y[k];
    return sum;
  }

  /// One of the two vectors with what every evaluation needs of it: x, x', x'' at a = 0, and its Jacobian J.
  template <class X>
  struct Moving {
    typename X::Matrix J{};
    double x[D], x1[D], x2[D];
    Moving(const double* all_q, const double* all_v, const double* all_d, Position coordinate, Position datum) {
      double q[X::N > 0 ? X::N : 1], v[X::N > 0 ? X::N : 1], d[X::P > 0 ? X::P : 1];
      for (int i = 0; i < X::N; ++i) {
        q[i] = all_q[coordinate(i)];
        v[i] = all_v[coordinate(i)];
      }
      for (int i = 0; i < X::P; ++i) d[i] = all_d[datum(i)];
      X::motion(q, v, d, x, x1, x2, J.data());
    }
  };

  /// One of the two vectors along the motion: x, x', x'' and its Jacobian J with two rates.
  template <class X>
  struct Factor {
    Array<X::N> q, v, a;
    Array<X::P> d;
    typename X::Matrix J, J1, J2;
    double x[D], x1[D]{}, x2[D]{};

    Factor(const double* all_q, const double* all_v, const double* all_a, const double* all_d, Position coordinate,
           Position datum) {
      for (int i = 0; i < X::N; ++i) {
        const auto k = static_cast<std::size_t>(i);
        q[k] = all_q[coordinate(i)];
        v[k] = all_v[coordinate(i)];
        a[k] = all_a[coordinate(i)];
      }
      for (int i = 0; i < X::P; ++i) d[static_cast<std::size_t>(i)] = all_d[datum(i)];
      X::vector(q.data(), d.data(), x);
      J = X::jacobian(q.data(), d.data());
      X::jacobian_rates(q.data(), v.data(), a.data(), d.data(), J1, J2);
      for (int k = 0; k < D; ++k) {
        for (std::size_t i = 0; i < X::N; ++i) {
          const std::size_t ki = static_cast<std::size_t>(k * X::N) + i;
          x1[k] += J[ki] * v[i];
          x2[k] += J[ki] * a[i] + J1[ki] * v[i];
        }
      }
    }
  };

  /// out at the coordinates of X += scale m^T w.
  template <class X>
  static void add_transposed(const typename X::Matrix& m, const double* w, double scale, double* out,
                             Position coordinate) {
    for (int i = 0; i < X::N; ++i) {
      double sum = 0;
      for (int k = 0; k < D; ++k) sum += m[static_cast<std::size_t>(k * X::N + i)] * w[k];
      out[coordinate(i)] += scale * sum;
    }
  }

  template <class X, class Y>
  static void add_rates(const Factor<X>& x, const Y& y, double* J1, double* J2, Position coordinate) {
    add_transposed<X>(x.J1, y.x, 1, J1, coordinate);
    add_transposed<X>(x.J, y.x1, 1, J1, coordinate);
    add_transposed<X>(x.J2, y.x, 1, J2, coordinate);
    add_transposed<X>(x.J1, y.x1, 2, J2, coordinate);
    add_transposed<X>(x.J, y.x2, 1, J2, coordinate);
  }

  template <class X, class Y>
  static double column_product(const typename X::Matrix& m, int i, const typename Y::Matrix& n, int j) {
    double sum = 0;
    for (int k = 0; k < D; ++k) {
      sum += m[static_cast<std::size_t>(k * X::N + i)] * n[static_cast<std::size_t>(k * Y::N + j)];
    }
    return sum;
  }

  /// Derivatives with respect to the data of X, of which the other factor is y.
  template <class X, class Y>
  static void add_data(const Factor<X>& x, const Factor<Y>& y, double lambda, double* D0, double* D1, double* D2,
                       double* L, Position own, Position other, Position datum) {
    if constexpr (X::P > 0) {
      typename X::DataMatrix W, W1, W2;
      X::data_jacobian(x.q.data(), x.v.data(), x.a.data(), W, W1, W2);
      double mixed[X::N > 0 ? X::N * X::P : 1]{};
      X::add_data_hessian(x.q.data(), y.x, lambda, mixed, X::P);
      for (int j = 0; j < X::P; ++j) {
        const int at = datum(j);
        for (int k = 0; k < D; ++k) {
          const auto kj = static_cast<std::size_t>(k * X::P + j);
          D0[at] += W[kj] * y.x[k];
          D1[at] += W1[kj] * y.x[k] + W[kj] * y.x1[k];
          D2[at] += W2[kj] * y.x[k] + 2 * W1[kj] * y.x1[k] + W[kj] * y.x2[k];
          for (int i = 0; i < Y::N; ++i) {
            L[other(i) * nd + at] += lambda * y.J[static_cast<std::size_t>(k * Y::N + i)] * W[kj];
          }
        }
        for (int i = 0; i < X::N; ++i) L[own(i) * nd + at] += mixed[i * X::P + j];
      }
    }
  }
};

}  // namespace perilune::model
