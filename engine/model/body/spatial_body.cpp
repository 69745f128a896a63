// SPDX-License-Identifier: MIT
#include "model/body/spatial_body.hpp"

#include <utility>

namespace perilune::model {

namespace {

constexpr int n = 7;  // stride of the blocks

/// G(p) as 3 x 4.
struct Euler {
  double G[12];
  explicit Euler(const double* p) : G{-p[1], p[0], p[3], -p[2], -p[2], -p[3], p[0], p[1], -p[3], p[2], -p[1], p[0]} {}
};

/// JG (3 x 4) = J G.
void inertia_times(const double* J, const Euler& e, double* JG) {
  for (int i = 0; i < 4; ++i) {
    const double x = e.G[i], y = e.G[4 + i], z = e.G[8 + i];
    JG[i] = J[0] * x + J[3] * y + J[4] * z;
    JG[4 + i] = J[3] * x + J[1] * y + J[5] * z;
    JG[8 + i] = J[4] * x + J[5] * y + J[2] * z;
  }
}

/// block (4 x 4, rows of `stride`) += scale X^T Y for 3 x 4 matrices.
void add_product(const double* X, const double* Y, double scale, double* block, int stride) {
  for (int i = 0; i < 4; ++i) {
    const double x = scale * X[i], y = scale * X[4 + i], z = scale * X[8 + i];
    for (int j = 0; j < 4; ++j) block[i * stride + j] += x * Y[j] + y * Y[4 + j] + z * Y[8 + j];
  }
}

/// block += scale (u)^- = scale d(G^T(p) u)/dp (Schaffer 2005, section A.5).
void add_minus(const double* u, double scale, double* block, int stride) {
  const double x = scale * u[0], y = scale * u[1], z = scale * u[2];
  const double rows[4][4] = {{0, -x, -y, -z}, {x, 0, z, -y}, {y, -z, 0, x}, {z, y, -x, 0}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) block[i * stride + j] += rows[i][j];
  }
}

/// block += d(B^T(p, s) F)/dp, the Hessian of F.A(p) s, which is a quadratic form of p.
void add_hessian(const double* s, const double* F, double* block, int stride) {
  const double dot = 2 * (s[0] * F[0] + s[1] * F[1] + s[2] * F[2]);
  const double cross[3] = {2 * (s[1] * F[2] - s[2] * F[1]), 2 * (s[2] * F[0] - s[0] * F[2]),
                           2 * (s[0] * F[1] - s[1] * F[0])};
  block[0] += dot;
  for (int i = 0; i < 3; ++i) {
    block[i + 1] += cross[i];
    block[(i + 1) * stride] += cross[i];
    block[(i + 1) * (stride + 1)] -= dot;
    for (int j = 0; j < 3; ++j) block[(i + 1) * stride + j + 1] += 2 * (s[i] * F[j] + s[j] * F[i]);
  }
}

void times(const double* B, const double* x, double* out) {  // 3 x 4 by 4
  for (int k = 0; k < 3; ++k)
    out[k] = B[4 * k] * x[0] + B[4 * k + 1] * x[1] + B[4 * k + 2] * x[2] + B[4 * k + 3] * x[3];
}

void transposed_times(const double* B, const double* F, double* out) {
  for (int i = 0; i < 4; ++i) out[i] = B[i] * F[0] + B[4 + i] * F[1] + B[8 + i] * F[2];
}

/// The second time derivative of A(p), 3 x 3: A'' = N(p, p'') + 2 A(p') with N(x, y) = 2 E(x) G(y)^T.
void second_rate(const double* p, const double* rate, const double* second, double* A2) {
  const double E[12] = {-p[1], p[0], -p[3], p[2], -p[2], p[3], p[0], -p[1], -p[3], -p[2], p[1], p[0]};
  const Euler y(second);
  rotation_matrix(rate, A2);
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) {
      double sum = A2[3 * k + j];
      for (int i = 0; i < 4; ++i) sum += E[4 * k + i] * y.G[4 * j + i];
      A2[3 * k + j] = 2 * sum;
    }
  }
}

/// Columns of r_J for the six entries of J, from w = G p'' and W = G(p') p (rows 3 to 6 of Rd).
void put_inertia_data(const double* p, const double* rate, const double* w, const double* W, double* Rd, int columns) {
  constexpr std::pair<int, int> entries[6] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const Euler now(p), moving(rate);
  for (int c = 0; c < 6; ++c) {
    const auto [k, l] = entries[c];
    for (int i = 0; i < 4; ++i) {
      double sum = 4 * now.G[4 * k + i] * w[l] - 8 * moving.G[4 * k + i] * W[l];
      if (k != l) sum += 4 * now.G[4 * l + i] * w[k] - 8 * moving.G[4 * l + i] * W[k];
      Rd[i * columns + c] = sum;
    }
  }
}

}  // namespace

template <bool HasOffset>
void SpatialRigidBody<HasOffset>::mass(const double* q, const double* d, double* M) {
  const Euler now(q + 3);
  double JG[12];
  inertia_times(d + tensor, now, JG);
  add_product(now.G, JG, 4, M + 3 * n + 3, n);
  for (int k = 0; k < 3; ++k) M[k * (n + 1)] = d[0];
  if constexpr (HasOffset) {
    double B[12];
    rotation_jacobian(q + 3, d + centre, B);
    add_product(B, B, d[0], M + 3 * n + 3, n);
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 4; ++i) M[k * n + 3 + i] = M[(3 + i) * n + k] = d[0] * B[4 * k + i];
    }
  }
}

template <bool HasOffset>
void SpatialRigidBody<HasOffset>::force(const double* q, const double* v, double, const double* d, double* Q) {
  const double *p = q + 3, *rate = v + 3;
  double W[3], U[3], F[3] = {d[0] * d[gravity], d[0] * d[gravity + 1], d[0] * d[gravity + 2]};
  times_G(rate, p, W);
  times_inertia(d + tensor, W, U);
  times_G_transposed(rate, U, Q + 3);
  for (int i = 0; i < 4; ++i) Q[3 + i] *= 8;
  if constexpr (HasOffset) {
    double B[12], bias[3], Qp[4];
    rotation_jacobian(rate, d + centre, B);
    times(B, rate, bias);
    for (int k = 0; k < 3; ++k) F[k] -= d[0] * bias[k];
    rotation_jacobian(p, d + centre, B);
    transposed_times(B, F, Qp);
    for (int i = 0; i < 4; ++i) Q[3 + i] += Qp[i];
  }
  for (int k = 0; k < 3; ++k) Q[k] = F[k];
}

template <bool HasOffset>
void SpatialRigidBody<HasOffset>::jacobians(const double* q, const double* v, const double* a, double, const double* d,
                                            double* Rq, double* Rv, double* Rd) {
  const double *p = q + 3, *rate = v + 3, *second = a + 3;
  constexpr int corner = 3 * n + 3;
  const double m = d[0], *J = d + tensor;
  double w[3], u[3], W[3], U[3];
  times_G(p, second, w);
  times_inertia(J, w, u);
  times_G(rate, p, W);
  times_inertia(J, W, U);
  {
    const Euler now(p), moving(rate), turning(second);
    double JG[12];
    add_minus(u, 4, Rq + corner, n);
    inertia_times(J, turning, JG);
    add_product(now.G, JG, -4, Rq + corner, n);
    inertia_times(J, moving, JG);
    add_product(moving.G, JG, -8, Rq + corner, n);
    add_minus(U, -8, Rv + corner, n);
    inertia_times(J, now, JG);
    add_product(moving.G, JG, 8, Rv + corner, n);
  }
  double specific[3] = {a[0] - d[gravity], a[1] - d[gravity + 1], a[2] - d[gravity + 2]};  // c'' - g
  double B[12], B1[12], B2[12], F[3];
  if constexpr (HasOffset) {
    const double* s = d + centre;
    rotation_jacobian(p, s, B);
    rotation_jacobian(rate, s, B1);
    rotation_jacobian(second, s, B2);
    double x[3], y[3];
    times(B, second, x);
    times(B1, rate, y);
    for (int k = 0; k < 3; ++k) {
      specific[k] += x[k] + y[k];
      F[k] = m * specific[k];
    }
    add_hessian(s, F, Rq + corner, n);
    add_product(B, B2, m, Rq + corner, n);
    add_product(B, B1, 2 * m, Rv + corner, n);
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 4; ++i) {
        Rq[k * n + 3 + i] = m * B2[4 * k + i];
        Rv[k * n + 3 + i] = 2 * m * B1[4 * k + i];
      }
    }
  }
  if (!Rd) return;
  for (int k = 0; k < 3; ++k) {
    Rd[k * nd] = specific[k];
    Rd[k * nd + gravity + k] = -m;
  }
  put_inertia_data(p, rate, w, W, Rd + 3 * nd + tensor, nd);
  if constexpr (HasOffset) {
    double A2[9], C[12], column[4];
    second_rate(p, rate, second, A2);
    const double conjugate[4] = {p[0], -p[1], -p[2], -p[3]};  // A(conjugate) = A^T
    rotation_jacobian(conjugate, F, C);
    transposed_times(B, specific, column);
    for (int i = 0; i < 4; ++i) Rd[(3 + i) * nd] = column[i];
    for (int j = 0; j < 3; ++j) {
      const double x[3] = {m * A2[j], m * A2[3 + j], m * A2[6 + j]};
      transposed_times(B, x, column);
      for (int k = 0; k < 3; ++k) Rd[k * nd + centre + j] = x[k];
      for (int i = 0; i < 4; ++i) {
        Rd[(3 + i) * nd + centre + j] = column[i] + (i == 0 ? C[4 * j] : -C[4 * j + i]);
        Rd[(3 + i) * nd + gravity + j] = -m * B[4 * j + i];
      }
    }
  }
}

template struct SpatialRigidBody<false>;
template struct SpatialRigidBody<true>;

}  // namespace perilune::model
