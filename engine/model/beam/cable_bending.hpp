// SPDX-License-Identifier: MIT
// Bending of the cable element (cable_element.hpp). The integral of S''^T S'' has rank two per direction: its energy is
//   (12 EI / l^3 |x_1|^2 + EI / l |x_2|^2) / 2,  x_1 = r_i - r_j + l (t_i + t_j) / 2,  x_2 = t_i - t_j,
// a form that loses few digits where elements are short (Ebrahimi 2019, (59) with its correction). So all forces and
// derivatives are sums over these two modes x = sum_i p_i q_i, and over the chord u = r_j - r_i where damping is.
#pragma once
#include <type_traits>

#include "model/beam/cable_shapes.hpp"

namespace perilune::model {

/// Bending by kappa = |d^2 r / dx^2| (Ebrahimi 2019, (33)), which is the curvature where the line is hardly stretched.
/// Damping is by the rate of d^2 r / dx^2 as seen by the chord from node to node, so that a beam that turns with its
/// chord is not damped. Data: bending stiffness EI (N m^2), length l (m), damping time (s).
template <int D>
struct CableBending {
  static constexpr int nq = 4 * D, nd = 3;
  static constexpr bool has_mass = false, is_constant = false;
  static bool is_damped(const double* d) { return d[2] != 0; }

  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    const Turning<T> turning(q, v);
    for (int k = 0; k < 2; ++k) {
      const Mode<T> mode(k, d[1]);
      const T stiffness = d[0] * mode.stiffness;
      T x[D], force[D];
      mode.collect(q, x);
      for (int c = 0; c < D; ++c) force[c] = stiffness * x[c];
      mode.spread(force, r);
      if constexpr (std::is_same_v<T, double>) {
        if (d[2] == 0) continue;
      }
      T w[D], pull[D];
      mode.collect(v, w);
      turning.subtract(x, w);
      for (int c = 0; c < D; ++c) force[c] = stiffness * d[2] * w[c];
      turning.pull(force, x, pull);
      mode.spread(force, r);
      for (int c = 0; c < D; ++c) {
        r[c] += pull[c];
        r[2 * D + c] -= pull[c];
      }
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int k = 0; k < 2; ++k) {
      const Mode<T> mode(k, d[1]);
      T x[D], square = 0.0;
      mode.collect(q, x);
      for (int c = 0; c < D; ++c) square += x[c] * x[c];
      sum += 0.5 * d[0] * mode.stiffness * square;
    }
    return sum;
  }

  static void jacobians(const double* q, const double* v, const double*, double, const double* d, double* Rq,
                        double* Rv, double* Rd) {
    const Turning<double> turning(q, v);
    for (int k = 0; k < 2; ++k) {
      const Mode<double> mode(k, d[1]);
      double x[D], w[D];
      mode.collect(q, x);
      mode.collect(v, w);
      turning.subtract(x, w);
      const double stiffness = d[0] * mode.stiffness;
      if (d[2] == 0) {
        for (int i = 0; i < 4; ++i) {
          for (int j = 0; j < 4; ++j) {
            const double entry = stiffness * mode.p[i] * mode.p[j];
            for (int c = 0; c < D; ++c) Rq[(D * i + c) * nq + D * j + c] += entry;
          }
        }
      } else {
        add_damped(turning, mode, stiffness, d[2], x, w, Rq, Rv);
      }
      if (Rd) add_data(k, turning, mode, q, v, d, x, w, Rd);
    }
  }

 private:
  /// One of the two, and the share of its square in the energy per EI / 2.
  template <class T>
  struct Mode {
    T p[4], stiffness;
    Mode(int k, const T& l) {
      for (int i = 0; i < 4; ++i) p[i] = 0.0;
      p[1] = k == 0 ? T(0.5 * l) : T(1.0);
      p[3] = k == 0 ? p[1] : T(-1.0);
      if (k == 0) {
        p[0] = 1.0;
        p[2] = -1.0;
      }
      stiffness = k == 0 ? T(12.0 / (l * l * l)) : T(1.0 / l);
    }
    void collect(const T* of, T* out) const {
      for (int c = 0; c < D; ++c) {
        out[c] = p[1] * of[D + c] + p[3] * of[3 * D + c];
        out[c] += p[0] * of[c] + p[2] * of[2 * D + c];
      }
    }
    void spread(const T* f, T* out) const {
      for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < D; ++c) out[D * i + c] += p[i] * f[c];
      }
    }
  };

  /// How the chord u turns: omega = u x u' / |u|^2, so that omega x x = (u' (u . x) - u (u' . x)) / |u|^2 = M u', in
  /// the plane, too.
  template <class T>
  struct Turning {
    T u[D], rate[D], square = 0.0;
    Turning(const T* q, const T* v) {
      for (int c = 0; c < D; ++c) {
        u[c] = q[2 * D + c] - q[c];
        rate[c] = v[2 * D + c] - v[c];
        square += u[c] * u[c];
      }
    }
    static T dot(const T* a, const T* b) {
      T sum = 0.0;
      for (int c = 0; c < D; ++c) sum += a[c] * b[c];
      return sum;
    }
    /// w -= omega x x
    void subtract(const T* x, T* w) const {
      const T along = dot(u, x), across = dot(rate, x);
      for (int c = 0; c < D; ++c) w[c] -= (rate[c] * along - u[c] * across) / square;
    }
    /// M^T f, what omega's dependence on u' adds to the force f on x.
    void pull(const T* f, const T* x, T* out) const {
      const T along = dot(u, x), across = dot(u, f);
      for (int c = 0; c < D; ++c) out[c] = (f[c] * along - x[c] * across) / square;
    }
  };

  /// Derivatives of the forces g on x and -h on u, g = k x + b w, h = M^T b w, w = y - M u', of one mode: D x D blocks.
  struct Derivatives {
    double g_x[D * D], g_u[D * D], h_x[D * D], h_u[D * D];
    /// Of the forces on the nodes, with e = (-1, 0, 1, 0) in place of p for u.
    void add_to(const double (&p)[4], double* R) const {
      constexpr double e[4] = {-1, 0, 1, 0};
      for (int j = 0; j < 4; ++j) {
        double g[D * D], h[D * D];
        for (int k = 0; k < D * D; ++k) {
          g[k] = p[j] * g_x[k] + e[j] * g_u[k];
          h[k] = p[j] * h_x[k] + e[j] * h_u[k];
        }
        for (int i = 0; i < 4; ++i) {
          for (int c = 0; c < D; ++c) {
            double* row = R + (D * i + c) * nq + D * j;
            for (int k = 0; k < D; ++k) row[k] += p[i] * g[c * D + k] - e[i] * h[c * D + k];
          }
        }
      }
    }
  };

  static void add_damped(const Turning<double>& turning, const Mode<double>& mode, double stiffness, double time,
                         const double* x, const double* w, double* Rq, double* Rv) {
    const double damping = stiffness * time, inverse = 1 / turning.square;
    const double *u = turning.u, *rate = turning.rate;
    const double along = Turning<double>::dot(u, x) * inverse, across = Turning<double>::dot(rate, x) * inverse;
    double pull[D], turned[D], M[D * D], w_x[D * D], w_u[D * D];
    turning.pull(w, x, pull);
    const double w_along = Turning<double>::dot(u, w) * inverse;
    for (int c = 0; c < D; ++c) turned[c] = rate[c] * along - u[c] * across;
    for (int c = 0; c < D; ++c) {
      for (int k = 0; k < D; ++k) {
        const int at = c * D + k;
        const double one = c == k ? 1.0 : 0.0;
        M[at] = one * along - u[c] * x[k] * inverse;
        w_x[at] = (u[c] * rate[k] - rate[c] * u[k]) * inverse;
        w_u[at] = one * across + (2 * turned[c] * u[k] - rate[c] * x[k]) * inverse;
      }
    }
    Derivatives by_q, by_v;
    for (int c = 0; c < D; ++c) {
      for (int k = 0; k < D; ++k) {
        const int at = c * D + k;
        const double one = c == k ? 1.0 : 0.0;
        double M_w_x = 0, M_w_u = 0, M_M = 0;  // M^T times these
        for (int b = 0; b < D; ++b) {
          M_w_x += M[b * D + c] * w_x[b * D + k];
          M_w_u += M[b * D + c] * w_u[b * D + k];
          M_M += M[b * D + c] * M[b * D + k];
        }
        by_q.g_x[at] = stiffness * one + damping * w_x[at];
        by_q.g_u[at] = damping * w_u[at];
        by_q.h_x[at] = damping * (M_w_x + w[c] * u[k] * inverse - one * w_along);
        by_q.h_u[at] = damping * (M_w_u + (w[c] * x[k] - x[c] * w[k] - 2 * pull[c] * u[k]) * inverse);
        by_v.g_x[at] = damping * one;
        by_v.g_u[at] = -damping * M[at];
        by_v.h_x[at] = damping * M[k * D + c];
        by_v.h_u[at] = -damping * M_M;
      }
    }
    by_q.add_to(mode.p, Rq);
    by_v.add_to(mode.p, Rv);
  }

  static void add_data(int k, const Turning<double>& turning, const Mode<double>& mode, const double* q,
                       const double* v, const double* d, const double* x, const double* w, double* Rd) {
    const double EI = d[0], l = d[1], time = d[2];
    double pull[D], x_l[D]{}, w_l[D]{}, pull_w_l[D], pull_x_l[D];  // derivatives by l of x, w, M^T w
    turning.pull(w, x, pull);
    if (k == 0) {
      for (int c = 0; c < D; ++c) {
        x_l[c] = 0.5 * (q[D + c] + q[3 * D + c]);
        w_l[c] = 0.5 * (v[D + c] + v[3 * D + c]);
      }
      turning.subtract(x_l, w_l);
    }
    turning.pull(w_l, x, pull_w_l);
    turning.pull(w, x_l, pull_x_l);
    const double by_length = -(k == 0 ? 3 : 1) / l;  // of the stiffness, of itself
    constexpr double e[4] = {-1, 0, 1, 0};
    for (int i = 0; i < 4; ++i) {
      const double p_l = k == 0 && CableShapes::is_slope(i) ? 0.5 : 0.0;
      for (int c = 0; c < D; ++c) {
        const double damped = mode.p[i] * w[c] - e[i] * pull[c], force = mode.p[i] * x[c] + time * damped;
        const double change = p_l * (x[c] + time * w[c]) + mode.p[i] * (x_l[c] + time * w_l[c]) -
                              e[i] * time * (pull_w_l[c] + pull_x_l[c]);
        double* row = Rd + (D * i + c) * nd;
        row[0] += mode.stiffness * force;
        row[1] += EI * mode.stiffness * (by_length * force + change);
        row[2] += EI * mode.stiffness * damped;
      }
    }
  }
};

}  // namespace perilune::model
