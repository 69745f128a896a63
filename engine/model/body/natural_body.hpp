// SPDX-License-Identifier: MIT
// Rigid body in natural coordinates: its equations of motion have a constant mass matrix and no velocity forces.
#pragma once
#include <array>
#include <cstddef>

#include "model/place/place.hpp"

namespace perilune::model {

/// Natural-coordinate rigid body, q = (r, u, v, w): a reference point and the three body axes as vectors of space, so
/// that the material point x of the body frame is at r + x1 u + x2 v + x3 w (Ebrahimi 2019, (36)-(40), (60)-(61), here
/// for any reference point). M is the Kronecker product of the pseudo-inertia matrix P = int (1, x) (1, x)^T dm
/// (4 x 4) and the identity. Data: the ten numbers of P in the order
/// m, m1, m2, m3, P11, P22, P33, P12, P13, P23 (m_i = int x_i dm, P_ij = int x_i x_j dm); gravity (3).
struct NaturalBody {
  static constexpr int nq = 12, nd = 13, gravity = 10;
  static constexpr bool has_mass = true, is_constant = true;
  static constexpr bool in_mass(int i, int j) { return i % 3 == j % 3; }
  /// Number of P_ij among the data.
  static constexpr int entry(int i, int j) {
    constexpr int number[4][4] = {{0, 1, 2, 3}, {1, 4, 7, 8}, {2, 7, 5, 9}, {3, 8, 9, 6}};
    return number[i][j];
  }
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) {
        r[3 * i + k] = d[i] * (0.0 - d[gravity + k]);
        for (int j = 0; j < 4; ++j) r[3 * i + k] += d[entry(i, j)] * a[3 * j + k];
      }
    }
  }
  static void mass(const double*, const double* d, double* M) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        for (int k = 0; k < 3; ++k) M[(3 * i + k) * nq + 3 * j + k] = d[entry(i, j)];
      }
    }
  }
  static void force(const double*, const double*, double, const double* d, double* Q) {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) Q[3 * i + k] = d[i] * d[gravity + k];
    }
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) {
        double* row = Rd + (3 * i + k) * nd;
        for (int j = 0; j < 4; ++j) row[entry(i, j)] = a[3 * j + k];
        row[i] -= d[gravity + k];
        row[gravity + k] = -d[i];
      }
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) sum -= d[i] * d[gravity + k] * q[3 * i + k];
    }
    return sum;
  }
};

/// Products of unit vectors that are coordinates, q = (x_0, x_1, ...): Phi_c = x_i.x_j for the pair (i, j) of the
/// number c, less 1 where i = j. Dimensionless.
template <int Vectors, auto Pairs>
struct VectorProducts {
  static constexpr int nq = 3 * Vectors, nc = static_cast<int>(Pairs.size()), nd = 0;

  template <class T>
  static void position(const T* q, const T&, const T*, T* phi) {
    int c = 0;
    for (const auto& [i, j] : Pairs) {
      const T *x = q + 3 * i, *y = q + 3 * j;
      phi[c++] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] - (i == j ? 1.0 : 0.0);
    }
  }
  static void first_order(const double* q, const double* v, double, const double*, double* phi, double* rate,
                          double* bias, double* J) {
    int c = 0;
    for (const auto& [i, j] : Pairs) {
      const int x = 3 * i, y = 3 * j;
      phi[c] = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) {
        phi[c] += q[x + k] * q[y + k];
        rate[c] += q[x + k] * v[y + k] + v[x + k] * q[y + k];
        bias[c] += 2 * v[x + k] * v[y + k];
      }
      ++c;
    }
    add_rows(q, J);
  }
  /// Phi is quadratic, so the rates of Phi_q are Phi_q at the rates of q.
  static void second_order(const double*, const double* v, const double* a, const double* lambda, double, const double*,
                           double* J1, double* J2, double* H) {
    add_rows(v, J1);
    add_rows(a, J2);
    int c = 0;
    for (const auto& [i, j] : Pairs) {
      const int x = 3 * i, y = 3 * j;
      for (int k = 0; k < 3; ++k) {
        H[(x + k) * nq + y + k] += lambda[c];
        H[(y + k) * nq + x + k] += lambda[c];
      }
      ++c;
    }
  }
  static void data(const double*, const double*, const double*, const double*, double, const double*, double*, double*,
                   double*, double*) {}

 private:
  static void add_rows(const double* q, double* J) {
    double* row = J;
    for (const auto& [i, j] : Pairs) {
      const int x = 3 * i, y = 3 * j;
      for (int k = 0; k < 3; ++k) {
        row[x + k] += q[y + k];
        row[y + k] += q[x + k];
      }
      row += nq;
    }
  }
};

using VectorPair = std::array<int, 2>;
/// The axes u, v, w of a body stay orthonormal (Ebrahimi 2019, (38)):
/// Phi = (u.u - 1, v.v - 1, w.w - 1, u.v, u.w, v.w), of which those remain that no other body has already.
constexpr std::array<VectorPair, 6> axis_pairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
using OrthonormalAxes = VectorProducts<3, axis_pairs>;
using UnitVector = VectorProducts<1, std::array<VectorPair, 1>{{{0, 0}}}>;
using NormalVectors = VectorProducts<2, std::array<VectorPair, 1>{{{0, 1}}}>;

}  // namespace perilune::model
