// SPDX-License-Identifier: MIT
// Where an element attaches, as compile-time types: position r(q, d) in space, its Jacobian U = r_q and what second
// derivatives need. q: the owner's coordinates, d: the local position (data). All arrays are row-major.
//
// A place that `translates` is at its first coordinates plus the lever arm x(q, d) from there. `swing` gives, in one go
// for what every evaluation needs, x, its velocity x1, its acceleration x2 at a = 0, and adds x_q to U.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

namespace perilune::model {

template <std::size_t Size>
using Array = std::array<double, Size>;

/// A point fixed in space: no coordinates, data = its position.
template <int D>
struct GroundPlace {
  static constexpr int dimension = D, nq = 0, nd = D;
  static constexpr bool is_linear = true;  // the position is linear in the coordinates
  static constexpr bool translates = false;
  template <class T>
  static void swing(const T*, const T*, const T* d, T* x, T* x1, T* x2, T*, int) {
    for (int k = 0; k < D; ++k) {
      x[k] = d[k];
      x1[k] = x2[k] = 0;
    }
  }
  template <class T>
  static void position(const T*, const T* d, T* r) {
    for (int k = 0; k < D; ++k) r[k] = d[k];
  }
  template <class T>
  static void pull(const T*, const T*, const T*, T*) {}
  static void jacobian(const double*, const double*, double*, int) {}
  static void jacobian_rates(const double*, const double*, const double*, const double*, double*, double*, int) {}
  static void add_hessian(const double*, const double*, const double*, double, double*, int) {}
  static void data_jacobian(const double*, const double*, const double*, double* w, double*, double*, int stride) {
    for (int k = 0; k < D; ++k) w[k * stride + k] = 1;
  }
  static void add_data_hessian(const double*, const double*, double, double*, int) {}
};

/// A natural-coordinate point: coordinates = its position, no data.
template <int D>
struct PointPlace {
  static constexpr int dimension = D, nq = D, nd = 0;
  static constexpr bool is_linear = true, translates = true;
  template <class T>
  static void swing(const T*, const T*, const T*, T* x, T* x1, T* x2, T*, int) {
    for (int k = 0; k < D; ++k) x[k] = x1[k] = x2[k] = 0;
  }
  template <class T>
  static void position(const T* q, const T*, T* r) {
    for (int k = 0; k < D; ++k) r[k] = q[k];
  }
  template <class T>
  static void pull(const T*, const T*, const T* w, T* out) {
    for (int k = 0; k < D; ++k) out[k] = w[k];
  }
  static void jacobian(const double*, const double*, double* u, int stride) {
    for (int k = 0; k < D; ++k) u[k * stride + k] = 1;
  }
  static void jacobian_rates(const double*, const double*, const double*, const double*, double*, double*, int) {}
  static void add_hessian(const double*, const double*, const double*, double, double*, int) {}
  static void data_jacobian(const double*, const double*, const double*, double*, double*, double*, int) {}
  static void add_data_hessian(const double*, const double*, double, double*, int) {}
};

/// A point of a planar body: q = (x, y, theta), d = local position; r = (x, y) + A(theta) d.
struct PlanarPlace {
  static constexpr int dimension = 2, nq = 3, nd = 2;
  static constexpr bool is_linear = false, translates = true;
  template <class T>
  static void swing(const T* q, const T* v, const T* d, T* x, T* x1, T* x2, T* u, int stride) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]), rate = v[2];
    x[0] = c * d[0] - s * d[1];
    x[1] = s * d[0] + c * d[1];
    x1[0] = -rate * x[1];
    x1[1] = rate * x[0];
    x2[0] = -rate * rate * x[0];
    x2[1] = -rate * rate * x[1];
    u[2] -= x[1];
    u[stride + 2] += x[0];
  }
  template <class T>
  static void position(const T* q, const T* d, T* r) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]);
    r[0] = q[0] + c * d[0] - s * d[1];
    r[1] = q[1] + s * d[0] + c * d[1];
  }
  /// out = U^T w.
  template <class T>
  static void pull(const T* q, const T* d, const T* w, T* out) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]);
    out[0] = w[0];
    out[1] = w[1];
    out[2] = w[0] * (-s * d[0] - c * d[1]) + w[1] * (c * d[0] - s * d[1]);
  }
  static void jacobian(const double* q, const double* d, double* u, int stride);
  /// Time derivatives of U along the motion: first, and second with the given accelerations.
  static void jacobian_rates(const double* q, const double* v, const double* a, const double* d, double* u1, double* u2,
                             int stride);
  /// h += scale * sum_k w_k d^2 r_k / dq^2.
  static void add_hessian(const double* q, const double* d, const double* w, double scale, double* h, int stride);
  /// W = r_d and its first and second time derivatives.
  static void data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                            int stride);
  /// f += scale * d(U^T w)/dd.
  static void add_data_hessian(const double* q, const double* w, double scale, double* f, int stride);
};

/// A(p) = (e0^2 - e.e) I + 2 e e^T + 2 e0 [e]x, row-major (Schaffer 2005, section A.4): orthogonal for |p| = 1.
template <class T>
void rotation_matrix(const T* p, T* A) {
  const T &e0 = p[0], &e1 = p[1], &e2 = p[2], &e3 = p[3];
  A[0] = e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3;
  A[1] = 2.0 * (e1 * e2 - e0 * e3);
  A[2] = 2.0 * (e1 * e3 + e0 * e2);
  A[3] = 2.0 * (e1 * e2 + e0 * e3);
  A[4] = e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3;
  A[5] = 2.0 * (e2 * e3 - e0 * e1);
  A[6] = 2.0 * (e1 * e3 - e0 * e2);
  A[7] = 2.0 * (e2 * e3 + e0 * e1);
  A[8] = e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
}

/// B(p, s) = d(A(p) s)/dp, 3 x 4 row-major: bilinear, so its time derivatives are B(p', s), B(p'', s).
template <class T>
void rotation_jacobian(const T* p, const T* s, T* B) {
  const T &e0 = p[0], &e1 = p[1], &e2 = p[2], &e3 = p[3];
  B[0] = 2.0 * (e0 * s[0] - e3 * s[1] + e2 * s[2]);
  B[1] = 2.0 * (e1 * s[0] + e2 * s[1] + e3 * s[2]);
  B[2] = 2.0 * (-e2 * s[0] + e1 * s[1] + e0 * s[2]);
  B[3] = 2.0 * (-e3 * s[0] - e0 * s[1] + e1 * s[2]);
  B[4] = 2.0 * (e3 * s[0] + e0 * s[1] - e1 * s[2]);
  B[5] = 2.0 * (e2 * s[0] - e1 * s[1] - e0 * s[2]);
  B[6] = 2.0 * (e1 * s[0] + e2 * s[1] + e3 * s[2]);
  B[7] = 2.0 * (e0 * s[0] - e3 * s[1] + e2 * s[2]);
  B[8] = 2.0 * (-e2 * s[0] + e1 * s[1] + e0 * s[2]);
  B[9] = 2.0 * (e3 * s[0] + e0 * s[1] - e1 * s[2]);
  B[10] = 2.0 * (-e0 * s[0] + e3 * s[1] - e2 * s[2]);
  B[11] = 2.0 * (e1 * s[0] + e2 * s[1] + e3 * s[2]);
}

/// A point of a spatial body: q = (r, p), d = local position; position = r + A(p) d.
struct SpatialPlace {
  static constexpr int dimension = 3, nq = 7, nd = 3;
  static constexpr bool is_linear = false, translates = true;
  static void swing(const double* q, const double* v, const double* d, double* x, double* x1, double* x2, double* u,
                    int stride) {
    // A(p) d is quadratic in p with the derivative B(p, d): so it is B(p, d) p / 2.
    double B[12], B1[12];
    rotation_jacobian(q + 3, d, B);
    rotation_jacobian(v + 3, d, B1);
    for (int k = 0; k < 3; ++k) {
      x[k] = x1[k] = x2[k] = 0;
      for (int i = 0; i < 4; ++i) {
        x[k] += 0.5 * B[4 * k + i] * q[3 + i];
        x1[k] += B[4 * k + i] * v[3 + i];
        x2[k] += B1[4 * k + i] * v[3 + i];
        u[k * stride + 3 + i] += B[4 * k + i];
      }
    }
  }
  template <class T>
  static void position(const T* q, const T* d, T* r) {
    T A[9];
    rotation_matrix(q + 3, A);
    for (int k = 0; k < 3; ++k) r[k] = q[k] + A[3 * k] * d[0] + A[3 * k + 1] * d[1] + A[3 * k + 2] * d[2];
  }
  template <class T>
  static void pull(const T* q, const T* d, const T* w, T* out) {
    T B[12];
    rotation_jacobian(q + 3, d, B);
    for (int k = 0; k < 3; ++k) out[k] = w[k];
    for (int i = 0; i < 4; ++i) out[3 + i] = w[0] * B[i] + w[1] * B[4 + i] + w[2] * B[8 + i];
  }
  static void jacobian(const double* q, const double* d, double* u, int stride);
  static void jacobian_rates(const double* q, const double* v, const double* a, const double* d, double* u1, double* u2,
                             int stride);
  static void add_hessian(const double* q, const double* d, const double* w, double scale, double* h, int stride);
  static void data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                            int stride);
  static void add_data_hessian(const double* q, const double* w, double scale, double* f, int stride);
};

/// A point of a natural-coordinate body: q = (r, u, v, w) with the body's three axes as vectors, d = local position;
/// position = r + d1 u + d2 v + d3 w (Ebrahimi 2019, natural coordinates): linear in the coordinates.
struct NaturalPlace {
  static constexpr int dimension = 3, nq = 12, nd = 3;
  static constexpr bool is_linear = false;  // U is constant, but not made of unit blocks
  static constexpr bool translates = true;
  static void swing(const double* q, const double* v, const double* d, double* x, double* x1, double* x2, double* u,
                    int stride) {
    for (int k = 0; k < 3; ++k) {
      x[k] = x1[k] = x2[k] = 0;
      for (int j = 0; j < 3; ++j) {
        x[k] += d[j] * q[3 + 3 * j + k];
        x1[k] += d[j] * v[3 + 3 * j + k];
        u[k * stride + 3 + 3 * j + k] += d[j];
      }
    }
  }
  template <class T>
  static void position(const T* q, const T* d, T* r) {
    for (int k = 0; k < 3; ++k) r[k] = q[k] + d[0] * q[3 + k] + d[1] * q[6 + k] + d[2] * q[9 + k];
  }
  template <class T>
  static void pull(const T*, const T* d, const T* w, T* out) {
    for (int k = 0; k < 3; ++k) {
      out[k] = w[k];
      for (int j = 0; j < 3; ++j) out[3 + 3 * j + k] = d[j] * w[k];
    }
  }
  static void jacobian(const double*, const double* d, double* u, int stride) {
    for (int k = 0; k < 3; ++k) {
      u[k * stride + k] = 1;
      for (int j = 0; j < 3; ++j) u[k * stride + 3 + 3 * j + k] = d[j];
    }
  }
  static void jacobian_rates(const double*, const double*, const double*, const double*, double*, double*, int) {}
  static void add_hessian(const double*, const double*, const double*, double, double*, int) {}
  static void data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                            int stride) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) {
        w0[k * stride + j] = q[3 + 3 * j + k];
        w1[k * stride + j] = v[3 + 3 * j + k];
        w2[k * stride + j] = a[3 + 3 * j + k];
      }
    }
  }
  static void add_data_hessian(const double*, const double* w, double scale, double* f, int stride) {
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) f[(3 + 3 * j + k) * stride + j] += scale * w[k];
    }
  }
};

/// A point of a slender beam between two nodes: q = (r_i, t_i, r_j, t_j), d = the shares s of the four vectors, those
/// of the slopes with the element's length; position = sum of s_k q_k (Ebrahimi 2019, (28)): linear in the coordinates.
template <int D>
struct StationPlace {
  static constexpr int dimension = D, nq = 4 * D, nd = 4;
  static constexpr bool is_linear = false;  // U is constant, but not made of unit blocks
  static constexpr bool translates = false;
  static void swing(const double* q, const double* v, const double* d, double* x, double* x1, double* x2, double* u,
                    int stride) {
    position(q, d, x);
    position(v, d, x1);
    for (int k = 0; k < D; ++k) x2[k] = 0;
    jacobian(q, d, u, stride);
  }
  template <class T>
  static void position(const T* q, const T* d, T* r) {
    for (int k = 0; k < D; ++k) r[k] = d[0] * q[k] + d[1] * q[D + k] + d[2] * q[2 * D + k] + d[3] * q[3 * D + k];
  }
  template <class T>
  static void pull(const T*, const T* d, const T* w, T* out) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < D; ++k) out[D * j + k] = d[j] * w[k];
    }
  }
  static void jacobian(const double*, const double* d, double* u, int stride) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < 4; ++j) u[k * stride + D * j + k] = d[j];
    }
  }
  static void jacobian_rates(const double*, const double*, const double*, const double*, double*, double*, int) {}
  static void add_hessian(const double*, const double*, const double*, double, double*, int) {}
  static void data_jacobian(const double* q, const double* v, const double* a, double* w0, double* w1, double* w2,
                            int stride) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < 4; ++j) {
        w0[k * stride + j] = q[D * j + k];
        w1[k * stride + j] = v[D * j + k];
        w2[k * stride + j] = a[D * j + k];
      }
    }
  }
  static void add_data_hessian(const double*, const double* w, double scale, double* f, int stride) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < 4; ++j) f[(D * j + k) * stride + j] += scale * w[k];
    }
  }
};

}  // namespace perilune::model
