// SPDX-License-Identifier: MIT
// The derivatives of model::TurningDirection.
#pragma once
#include "model/joint/direction.hpp"

namespace perilune::model {

namespace turning {

/// l = g cos theta - f sin theta, m = dl/dtheta, and their time derivatives.
template <int D>
struct Local {
  double l[D], m[D], l1[D], l2[D], m1[D], m2[D];
  Local(double theta, double rate, double second, const double* f, const double* g) {
    const double c = std::cos(theta), s = std::sin(theta);
    for (int k = 0; k < D; ++k) {
      l[k] = c * g[k] - s * f[k];
      m[k] = -s * g[k] - c * f[k];
      l1[k] = rate * m[k];
      l2[k] = second * m[k] - rate * rate * l[k];
      m1[k] = -rate * l[k];
      m2[k] = -second * l[k] - rate * rate * m[k];
    }
  }
};

/// out (rows of `stride`) += m x for a D x D matrix, down one column.
template <int D, class M>
void add_column(const M& m, const double* x, double* out, int stride) {
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t j = 0; j < D; ++j) out[static_cast<int>(k) * stride] += m[k * D + j] * x[j];
  }
}

/// The columns of A in a matrix with one column more.
template <int D, int N, class M, class Wide>
void add_columns(const M& m, Wide& out) {
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t i = 0; i + 1 < N; ++i) out[k * N + i] += m[k * (N - 1) + i];
  }
}

}  // namespace turning

template <class A>
void TurningDirection<A>::vector(const double* q, const double* d, double* out) {
  const turning::Local<D> x(q[N - 1], 0, 0, d, d + A::P);
  A::vector(q, x.l, out);
}

template <class A>
void TurningDirection<A>::motion(const double* q, const double* v, const double* d, double* x, double* x1, double* x2,
                                 double* U) {
  // With A's axes R: x = R l, so that x' = R' l + w R m and x'' = R'' l + 2 w R' m - w^2 R l for the rate w of theta.
  const double rate = v[N - 1];
  const turning::Local<D> local(q[N - 1], rate, 0, d, d + A::P);
  double J[A::N > 0 ? D * A::N : 1]{}, unused[A::N > 0 ? D * A::N : 1]{}, m[D], m1[D], m2[D];
  A::motion(q, v, local.l, x, x1, x2, J);
  A::motion(q, v, local.m, m, m1, m2, unused);
  for (int k = 0; k < D; ++k) {
    x1[k] += rate * m[k];
    x2[k] += 2 * rate * m1[k] - rate * rate * x[k];
    for (int i = 0; i < A::N; ++i) U[k * N + i] += J[k * A::N + i];
    U[k * N + N - 1] += m[k];
  }
}

template <class A>
typename TurningDirection<A>::Matrix TurningDirection<A>::jacobian(const double* q, const double* d) {
  const turning::Local<D> x(q[N - 1], 0, 0, d, d + A::P);
  Matrix u{};
  turning::add_columns<D, N>(A::jacobian(q, x.l), u);
  double column[D];
  A::vector(q, x.m, column);
  for (std::size_t k = 0; k < D; ++k) u[k * N + N - 1] = column[k];
  return u;
}

template <class A>
void TurningDirection<A>::jacobian_rates(const double* q, const double* v, const double* a, const double* d, Matrix& u1,
                                         Matrix& u2) {
  const turning::Local<D> x(q[N - 1], v[N - 1], a[N - 1], d, d + A::P);
  u1.fill(0);
  u2.fill(0);
  // d/dt of J(q, l) and, in the last column, of R(q) m, where R is the matrix of A's axes.
  typename A::Matrix first, second, of_l1, unused;
  A::jacobian_rates(q, v, a, x.l, first, second);
  turning::add_columns<D, N>(first, u1);
  turning::add_columns<D, N>(A::jacobian(q, x.l1), u1);
  turning::add_columns<D, N>(second, u2);
  A::jacobian_rates(q, v, a, x.l1, of_l1, unused);
  for (double& entry : of_l1) entry *= 2;
  turning::add_columns<D, N>(of_l1, u2);
  turning::add_columns<D, N>(A::jacobian(q, x.l2), u2);
  typename A::DataMatrix R, R1, R2;
  A::data_jacobian(q, v, a, R, R1, R2);
  turning::add_column<D>(R1, x.m, u1.data() + N - 1, N);
  turning::add_column<D>(R, x.m1, u1.data() + N - 1, N);
  turning::add_column<D>(R2, x.m, u2.data() + N - 1, N);
  for (double& entry : R1) entry *= 2;
  turning::add_column<D>(R1, x.m1, u2.data() + N - 1, N);
  turning::add_column<D>(R, x.m2, u2.data() + N - 1, N);
}

template <class A>
void TurningDirection<A>::add_hessian(const double* q, const double* d, const double* w, double scale, double* h) {
  const turning::Local<D> x(q[N - 1], 0, 0, d, d + A::P);
  double inner[A::N > 0 ? A::N * A::N : 1]{}, direction[D];
  A::add_hessian(q, x.l, w, scale, inner);
  for (int i = 0; i < A::N; ++i) {
    for (int j = 0; j < A::N; ++j) h[i * N + j] += inner[i * A::N + j];
  }
  const typename A::Matrix J = A::jacobian(q, x.m);
  A::vector(q, x.l, direction);
  for (int k = 0; k < D; ++k) {
    for (int i = 0; i < A::N; ++i) {
      const double mixed = scale * w[k] * J[static_cast<std::size_t>(k * A::N + i)];
      h[i * N + N - 1] += mixed;
      h[(N - 1) * N + i] += mixed;
    }
    h[N * N - 1] -= scale * w[k] * direction[k];
  }
}

template <class A>
void TurningDirection<A>::data_jacobian(const double* q, const double* v, const double* a, DataMatrix& w0,
                                        DataMatrix& w1, DataMatrix& w2) {
  typename A::DataMatrix R, R1, R2;
  A::data_jacobian(q, v, a, R, R1, R2);
  const double c = std::cos(q[N - 1]), s = std::sin(q[N - 1]), rate = v[N - 1], square = rate * rate;
  // The factors of f and g with their rates.
  const double factor[2] = {-s, c}, first[2] = {-c * rate, -s * rate},
               second[2] = {s * square - c * a[N - 1], -c * square - s * a[N - 1]};
  for (std::size_t k = 0; k < D; ++k) {
    for (std::size_t j = 0; j < P; ++j) {
      const std::size_t from = k * A::P + j % A::P, of = j / A::P, to = k * P + j;
      w0[to] = factor[of] * R[from];
      w1[to] = first[of] * R[from] + factor[of] * R1[from];
      w2[to] = second[of] * R[from] + 2 * first[of] * R1[from] + factor[of] * R2[from];
    }
  }
}

template <class A>
void TurningDirection<A>::add_data_hessian(const double* q, const double* w, double scale, double* f, int stride) {
  const double c = std::cos(q[N - 1]), s = std::sin(q[N - 1]);
  A::add_data_hessian(q, w, -s * scale, f, stride);
  A::add_data_hessian(q, w, c * scale, f + A::P, stride);
  typename A::DataMatrix R, R1, R2;
  const double zero[N]{};
  A::data_jacobian(q, zero, zero, R, R1, R2);
  for (int j = 0; j < A::P; ++j) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += R[static_cast<std::size_t>(k * A::P + j)] * w[k];
    f[(N - 1) * stride + j] -= c * scale * sum;
    f[(N - 1) * stride + A::P + j] -= s * scale * sum;
  }
}

}  // namespace perilune::model
