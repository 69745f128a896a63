// SPDX-License-Identifier: MIT
// Beam element of Euler and Bernoulli by absolute nodal coordinates, without shear and torsion (Ebrahimi 2019, section
// 2): a cubic line between two nodes with positions and slopes as coordinates, q = (r_i, t_i, r_j, t_j) with t = dr/dx,
// x the undeformed arc length from 0 to l. All its energies are integrals over quadratic forms of the four vectors.
#pragma once
#include <cmath>
#include <type_traits>

namespace perilune::model {

/// The shape functions' integrals, symmetric 4 x 4: of s_i s_j / l and s_i' s_j' l with the slopes scaled by l, so that
/// they are numbers (Ebrahimi 2019, (58), (59) with its correction).
struct CableShapes {
  static constexpr double mass[4][4] = {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
  static constexpr double mass_divisor = 420;
  static constexpr double stretch[4][4] = {{36, 3, -36, 3}, {3, 4, -3, -1}, {-36, -3, 36, -3}, {3, -1, -3, 4}};
  static constexpr double stretch_divisor = 30;
  static constexpr double weight[4] = {6, 1, 6, -1};
  static constexpr double weight_divisor = 12;
  static constexpr bool is_slope(int i) { return i % 2 == 1; }
};

/// out_i += sum_j factor K_ij l^s x_j for the four D-vectors, where s is the number of slopes among i and j.
template <int D, class T>
void add_cable_product(const double (&K)[4][4], const T& factor, const T& l, const T* x, T* out) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      T k = factor * K[i][j];
      if (CableShapes::is_slope(i)) k = k * l;
      if (CableShapes::is_slope(j)) k = k * l;
      for (int c = 0; c < D; ++c) out[D * i + c] += k * x[D * j + c];
    }
  }
}

/// out += factor times the integral of S''^T S'' times x, in the form that loses few digits where elements are short:
/// the energy is factor (12 |b|^2 / l^3 + |t_i - t_j|^2 / l) / 2 with b = r_i - r_j + l (t_i + t_j) / 2, of which the
/// product is the gradient (Ebrahimi 2019, (59) with its correction).
template <int D, class T>
void add_cable_bending(const T& factor, const T& l, const T* x, T* out) {
  for (int c = 0; c < D; ++c) {
    const T b = (x[c] - x[2 * D + c]) + 0.5 * l * (x[D + c] + x[3 * D + c]);
    const T shear = 12.0 * factor * b / (l * l * l), moment = factor * (x[D + c] - x[3 * D + c]) / l;
    out[c] += shear;
    out[2 * D + c] -= shear;
    out[D + c] += 0.5 * l * shear + moment;
    out[3 * D + c] += 0.5 * l * shear - moment;
  }
}

/// Inertia and weight. Data: mass per length (kg/m), length l (m), gravity.
template <int D>
struct CableInertia {
  static constexpr int nq = 4 * D, nd = 2 + D;
  static constexpr bool has_mass = true, is_constant = true;
  static constexpr bool in_mass(int i, int j) { return i % D == j % D; }
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T* d, T* r) {
    const T total = d[0] * d[1];
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    add_cable_product<D, T>(CableShapes::mass, total / CableShapes::mass_divisor, d[1], a, r);
    for (int i = 0; i < 4; ++i) {
      T weight = total * (CableShapes::weight[i] / CableShapes::weight_divisor);
      if (CableShapes::is_slope(i)) weight = weight * d[1];
      for (int c = 0; c < D; ++c) r[D * i + c] -= weight * d[2 + c];
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      T weight = d[0] * d[1] * (CableShapes::weight[i] / CableShapes::weight_divisor);
      if (CableShapes::is_slope(i)) weight = weight * d[1];
      for (int c = 0; c < D; ++c) sum -= weight * d[2 + c] * q[D * i + c];
    }
    return sum;
  }
};

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
    add_cable_bending<D, T>(d[0], d[1], q, r);
    if constexpr (std::is_same_v<T, double>) {
      if (d[2] == 0) return;
    }
    // w = v - omega x q, with omega = chord x chord' / |chord|^2; the force is (dw/dv)^T K w.
    T chord[D], rate[D], w[nq], f[nq], square = 0.0;
    for (int c = 0; c < D; ++c) {
      chord[c] = q[2 * D + c] - q[c];
      rate[c] = v[2 * D + c] - v[c];
      square += chord[c] * chord[c];
    }
    // omega x x = (rate (chord . x) - chord (rate . x)) / |chord|^2, in the plane, too.
    for (int i = 0; i < 4; ++i) {
      T along = 0.0, across = 0.0;
      for (int c = 0; c < D; ++c) {
        along += chord[c] * q[D * i + c];
        across += rate[c] * q[D * i + c];
      }
      for (int c = 0; c < D; ++c) w[D * i + c] = v[D * i + c] - (rate[c] * along - chord[c] * across) / square;
    }
    for (int i = 0; i < nq; ++i) f[i] = 0.0;
    add_cable_bending<D, T>(d[0] * d[2], d[1], w, f);
    T pull[D];  // what omega's dependence on the chord's rate adds
    for (int c = 0; c < D; ++c) pull[c] = 0.0;
    for (int i = 0; i < 4; ++i) {
      T along = 0.0, across = 0.0;
      for (int c = 0; c < D; ++c) {
        along += chord[c] * q[D * i + c];
        across += chord[c] * f[D * i + c];
      }
      for (int c = 0; c < D; ++c) pull[c] += (f[D * i + c] * along - q[D * i + c] * across) / square;
    }
    for (int i = 0; i < nq; ++i) r[i] += f[i];
    for (int c = 0; c < D; ++c) {
      r[c] += pull[c];
      r[2 * D + c] -= pull[c];
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int c = 0; c < D; ++c) {
      const T b = (q[c] - q[2 * D + c]) + 0.5 * d[1] * (q[D + c] + q[3 * D + c]), turn = q[D + c] - q[3 * D + c];
      sum += 0.5 * d[0] * (12.0 * b * b / (d[1] * d[1] * d[1]) + turn * turn / d[1]);
    }
    return sum;
  }
};

/// The strain of the chord, d / l - 1, and its rate; what the two axial forms by the chord have in common.
template <int D, class T>
struct ChordStrain {
  T chord[D], length = 0.0, strain, rate = 0.0;
  ChordStrain(const T* q, const T* v, const T& l) {
    using std::sqrt;
    for (int c = 0; c < D; ++c) {
      chord[c] = q[2 * D + c] - q[c];
      length += chord[c] * chord[c];
      rate += chord[c] * (v[2 * D + c] - v[c]);
    }
    length = sqrt(length);
    strain = length / l - 1.0;
    rate = rate / (length * l);
  }
};

/// Axial force by the chord: U = EA l (d / l - 1)^2 / 2, d the distance of the nodes. Data of all axial forms: axial
/// stiffness EA (N), length l (m), damping time (s).
template <int D>
struct CableChord {
  static constexpr int nq = 4 * D, nd = 3;
  static constexpr bool has_mass = false, is_constant = false;
  static constexpr bool in_jacobians(int i, int j) { return i / D % 2 == 0 && j / D % 2 == 0; }
  static bool is_damped(const double* d) { return d[2] != 0; }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    const ChordStrain<D, T> s(q, v, d[1]);
    const T pull = d[0] * (s.strain + d[2] * s.rate) / s.length;
    for (int c = 0; c < D; ++c) {
      r[c] = -pull * s.chord[c];
      r[2 * D + c] = pull * s.chord[c];
      r[D + c] = r[3 * D + c] = 0.0;
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T still[nq];
    for (int i = 0; i < nq; ++i) still[i] = 0.0;
    const ChordStrain<D, T> s(q, still, d[1]);
    return 0.5 * d[0] * d[1] * s.strain * s.strain;
  }
};

/// Axial force as printed (Ebrahimi 2019, (34), (59)): EA (d / l - 1) times the integral of S'^T S', which is no
/// gradient of any energy.
template <int D>
struct CablePrinted {
  static constexpr int nq = 4 * D, nd = 3;
  static constexpr bool has_mass = false, is_constant = false;
  static bool is_damped(const double* d) { return d[2] != 0; }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    const ChordStrain<D, T> s(q, v, d[1]);
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    const T pull = d[0] * (s.strain + d[2] * s.rate) / (d[1] * CableShapes::stretch_divisor);
    add_cable_product<D, T>(CableShapes::stretch, pull, d[1], q, r);
  }
};

/// Axial force by Green's strain of the line, (r'.r' - 1) / 2, at five points of Gauss, which integrate it exactly.
template <int D>
struct CableGreen {
  static constexpr int nq = 4 * D, nd = 3;
  static constexpr bool has_mass = false, is_constant = false;
  static bool is_damped(const double* d) { return d[2] != 0; }
  struct Node {
    double at, weight;
  };
  static constexpr Node nodes[5] = {{0.046910077030668004, 0.11846344252809454},
                                    {0.23076534494715845, 0.23931433524968324},
                                    {0.5, 0.28444444444444444},
                                    {0.76923465505284155, 0.23931433524968324},
                                    {0.953089922969332, 0.11846344252809454}};

  /// r' at x = xi l from the four vectors, whose shape functions' slopes it leaves in `s`.
  template <class T>
  static void slope(double xi, const T* q, const T& l, T* s, T* out) {
    s[0] = 6.0 * (xi * xi - xi) / l;
    s[1] = 1.0 - 4.0 * xi + 3.0 * xi * xi;
    s[2] = -s[0];
    s[3] = 3.0 * xi * xi - 2.0 * xi;
    for (int c = 0; c < D; ++c) {
      out[c] = 0.0;
      for (int i = 0; i < 4; ++i) out[c] += s[i] * q[D * i + c];
    }
  }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    for (const Node& node : nodes) {
      T s[4], tangent[D], rate[D], strain = -1.0, strain_rate = 0.0;
      slope(node.at, v, d[1], s, rate);
      slope(node.at, q, d[1], s, tangent);
      for (int c = 0; c < D; ++c) {
        strain += tangent[c] * tangent[c];
        strain_rate += tangent[c] * rate[c];
      }
      const T pull = d[0] * d[1] * node.weight * (0.5 * strain + d[2] * strain_rate);
      for (int i = 0; i < 4; ++i) {
        for (int c = 0; c < D; ++c) r[D * i + c] += pull * s[i] * tangent[c];
      }
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (const Node& node : nodes) {
      T s[4], tangent[D], strain = -1.0;
      slope(node.at, q, d[1], s, tangent);
      for (int c = 0; c < D; ++c) strain += tangent[c] * tangent[c];
      sum += 0.125 * d[0] * d[1] * node.weight * strain * strain;
    }
    return sum;
  }
};

}  // namespace perilune::model
