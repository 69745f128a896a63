// SPDX-License-Identifier: MIT
// Constraints on directions: dot-1 (between two directions) and dot-2 (between a direction and the vector that joins
// two places), on angles, and on Euler parameters. D is 2 in the plane and 3 in space.
#pragma once
#include "model/joint/scalar_product.hpp"

namespace perilune::model {

/// What a direction has in common with a place at the same local vector: all derivatives but that with respect to the
/// translation. Interface as Relative.
template <class Where>
struct DirectionDerivatives {
  static constexpr int D = Where::dimension, N = Where::nq, P = Where::nd;
  using Matrix = Array<static_cast<std::size_t>(D* N)>;
  using DataMatrix = Array<static_cast<std::size_t>(D* P)>;

  static void motion(const double* q, const double* v, const double* d, double* x, double* x1, double* x2, double* U) {
    Where::swing(q, v, d, x, x1, x2, U, N);
  }
  static Matrix jacobian(const double* q, const double* d) {
    Matrix u{};
    if constexpr (N > 0) {
      Where::jacobian(q, d, u.data(), N);
      for (std::size_t k = 0; k < D; ++k) u[k * N + k] = 0;
    }
    return u;
  }
  static void jacobian_rates(const double* q, const double* v, const double* a, const double* d, Matrix& u1,
                             Matrix& u2) {
    u1.fill(0);
    u2.fill(0);
    Where::jacobian_rates(q, v, a, d, u1.data(), u2.data(), N);
  }
  static void add_hessian(const double* q, const double* d, const double* w, double scale, double* h) {
    Where::add_hessian(q, d, w, scale, h, N);
  }
  static void data_jacobian(const double* q, const double* v, const double* a, DataMatrix& w0, DataMatrix& w1,
                            DataMatrix& w2) {
    w0.fill(0);
    w1.fill(0);
    w2.fill(0);
    Where::data_jacobian(q, v, a, w0.data(), w1.data(), w2.data(), P);
  }
  static void add_data_hessian(const double* q, const double* w, double scale, double* f, int stride) {
    Where::add_data_hessian(q, w, scale, f, stride);
  }
};

/// A direction fixed in space.
template <int Dimension>
struct GroundDirection : DirectionDerivatives<GroundPlace<Dimension>> {
  static constexpr int dimension = Dimension, nq = 0, nd = Dimension;
  using Place = GroundPlace<Dimension>;
  template <class T>
  static void vector(const T*, const T* d, T* out) {
    for (int k = 0; k < dimension; ++k) out[k] = d[k];
  }
};

/// A direction fixed in a planar body: q = (x, y, theta).
struct PlanarDirection : DirectionDerivatives<PlanarPlace> {
  static constexpr int dimension = 2, nq = 3, nd = 2;
  using Place = PlanarPlace;
  template <class T>
  static void vector(const T* q, const T* d, T* out) {
    using std::sin, std::cos;
    const T s = sin(q[2]), c = cos(q[2]);
    out[0] = c * d[0] - s * d[1];
    out[1] = s * d[0] + c * d[1];
  }
};

/// A direction fixed in a spatial body: q = (r, p).
struct BodyDirection : DirectionDerivatives<SpatialPlace> {
  static constexpr int dimension = 3, nq = 7, nd = 3;
  using Place = SpatialPlace;
  template <class T>
  static void vector(const T* q, const T* d, T* out) {
    T A[9];
    rotation_matrix(q + 3, A);
    for (int k = 0; k < 3; ++k) out[k] = A[3 * k] * d[0] + A[3 * k + 1] * d[1] + A[3 * k + 2] * d[2];
  }
};

/// A direction fixed in a natural-coordinate body: q = (r, u, v, w).
struct NaturalDirection : DirectionDerivatives<NaturalPlace> {
  static constexpr int dimension = 3, nq = 12, nd = 3;
  using Place = NaturalPlace;
  template <class T>
  static void vector(const T* q, const T* d, T* out) {
    for (int k = 0; k < 3; ++k) out[k] = d[0] * q[3 + k] + d[1] * q[6 + k] + d[2] * q[9 + k];
  }
};

template <class A, class B>
struct Dot1Map {
  static constexpr int nq = A::nq + B::nq, nd = A::nd + B::nd + 1, c = nd - 1;
  static constexpr int f(int i) { return i; }
  static constexpr int u(int i) { return A::nq + i; }
  static constexpr int f_data(int j) { return j; }
  static constexpr int u_data(int j) { return A::nd + j; }
};

/// Dot-1 constraint: two directions f on A and g on B keep their product, Phi = f.g - c (c: cosine of the angle for
/// unit vectors). Data: f, g, c.
template <class A, class B>
struct Dot1 : ScalarProduct<A, B, Dot1Map<A, B>> {
  static constexpr int nq = A::nq + B::nq, nc = 1, nd = A::nd + B::nd + 1;
  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    T f[A::dimension], g[A::dimension];
    A::vector(q, d, f);
    B::vector(q + A::nq, d + A::nd, g);
    phi[0] = -d[nd - 1];
    for (int k = 0; k < A::dimension; ++k) phi[0] += f[k] * g[k];
  }
};

template <class A, class B>
struct Dot2Map {
  using R = Relative<typename A::Place, B>;
  static constexpr int nq = R::N, nd = R::P + A::nd + 1, c = nd - 1;
  static constexpr int f(int i) { return i; }
  static constexpr int u(int i) { return i; }
  static constexpr int f_data(int j) { return R::P + j; }
  static constexpr int u_data(int j) { return j; }
};

/// Dot-2 constraint: the component of r_B - r_A along a direction f of A is constant, Phi = f.(r_B - r_A) - c (m for a
/// unit vector). Data: place on A, place on B, f, c.
template <class A, class B>
struct Dot2 : ScalarProduct<A, Relative<typename A::Place, B>, Dot2Map<A, B>> {
  using R = Relative<typename A::Place, B>;
  static constexpr int D = R::D, nq = R::N, nc = 1, nd = R::P + A::nd + 1;
  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    T f[D], u[D];
    A::vector(q, d + R::P, f);
    R::vector(q, d, u);
    phi[0] = -d[nd - 1];
    for (int k = 0; k < D; ++k) phi[0] += f[k] * u[k];
  }
};

/// The direction g cos theta - f sin theta of A, where theta is a coordinate: q = (those of A, theta), data f, g.
/// With l = g cos theta - f sin theta and m = dl/dtheta, the direction and its derivatives are those of A at l and m.
template <class A>
struct TurningDirection {
  static constexpr int D = A::D, N = A::N + 1, P = 2 * A::P;
  using Matrix = Array<static_cast<std::size_t>(D* N)>;
  using DataMatrix = Array<static_cast<std::size_t>(D* P)>;

  static void vector(const double* q, const double* d, double* out);
  static void motion(const double* q, const double* v, const double* d, double* x, double* x1, double* x2, double* U);
  static Matrix jacobian(const double* q, const double* d);
  static void jacobian_rates(const double* q, const double* v, const double* a, const double* d, Matrix& u1,
                             Matrix& u2);
  static void add_hessian(const double* q, const double* d, const double* w, double scale, double* h);
  static void data_jacobian(const double* q, const double* v, const double* a, DataMatrix& w0, DataMatrix& w1,
                            DataMatrix& w2);
  static void add_data_hessian(const double* q, const double* w, double scale, double* f, int stride);
};

template <class A, class B>
struct TurnMap {
  static constexpr int nq = A::nq + B::nq + 1, nd = 2 * A::nd + B::nd, c = -1;
  static constexpr int f(int i) { return i < A::nq ? i : nq - 1; }
  static constexpr int u(int i) { return A::nq + i; }
  static constexpr int f_data(int j) { return j; }
  static constexpr int u_data(int j) { return 2 * A::nd + j; }
};

/// The angle theta from f to h about f x g, of which f, g are normal to the joint's axis on A and h is on B:
/// Phi = h.(g cos theta - f sin theta), the sine of the error of theta. theta is a coordinate of its own (the last), so
/// it counts full turns. Data: f, g, h.
template <class A, class B>
struct TurnAngle : ScalarProduct<TurningDirection<A>, B, TurnMap<A, B>> {
  static constexpr int nq = A::nq + B::nq + 1, nc = 1, nd = 2 * A::nd + B::nd;
  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    using std::sin, std::cos;
    T f[3], g[3], h[3];
    A::vector(q, d, f);
    A::vector(q, d + A::nd, g);
    B::vector(q + A::nq, d + 2 * A::nd, h);
    const T c = cos(q[nq - 1]), s = sin(q[nq - 1]);
    phi[0] = 0.0;
    for (int k = 0; k < 3; ++k) phi[0] += h[k] * (c * g[k] - s * f[k]);
  }
};

/// A planar body keeps its angle to another or to the ground: Phi = theta_B - theta_A - c (rad). Bodies: those that
/// move.
template <int Bodies>
struct EqualAngle {
  static constexpr int nq = 3 * Bodies, nc = 1, nd = 1;
  template <class T>
  static void position(const T* q, const T&, const T* d, T* phi) {
    phi[0] = q[nq - 1] - d[0];
    if constexpr (Bodies == 2) phi[0] -= q[2];
  }
  static void first_order(const double* q, const double* v, double t, const double* d, double* phi, double* rate,
                          double*, double* J) {
    position(q, t, d, phi);
    rate[0] = v[nq - 1];
    J[nq - 1] = 1;
    if constexpr (Bodies == 2) {
      rate[0] -= v[2];
      J[2] = -1;
    }
  }
  static void second_order(const double*, const double*, const double*, const double*, double, const double*, double*,
                           double*, double*) {}
  static void data(const double*, const double*, const double*, const double*, double, const double*, double* D0,
                   double*, double*, double*) {
    D0[0] = -1;
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
