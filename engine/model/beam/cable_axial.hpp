// SPDX-License-Identifier: MIT
// The axial forces of the cable element (cable_element.hpp), in three forms: by the chord, as printed, by Green's
// strain.
#pragma once
#include "model/beam/cable_shapes.hpp"

namespace perilune::model {

/// A force N = EA (strain + damping time strain') of the chord, EA = 1 N, and its derivatives by the chord and its
/// rate, by l and by the damping time.
template <int D>
struct ChordForce {
  double direction[D], length, value, by_chord[D], by_rate[D], by_length, by_time;
  ChordForce(const double* q, const double* v, double l, double time) {
    const ChordStrain<D, double> s(q, v, l);
    length = s.length;
    value = s.strain + time * s.rate;
    for (int c = 0; c < D; ++c) {
      direction[c] = s.chord[c] / length;
      const double turning = (v[2 * D + c] - v[c]) / (length * l) - direction[c] * s.rate / length;
      by_chord[c] = direction[c] / l + time * turning;
      by_rate[c] = time * direction[c] / l;
    }
    by_length = -(s.strain + 1.0 + time * s.rate) / l;
    by_time = s.rate;
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

  static void jacobians(const double* q, const double* v, const double*, double, const double* d, double* Rq,
                        double* Rv, double* Rd) {
    const ChordForce<D> N(q, v, d[1], d[2]);
    const double across = d[0] * N.value / N.length;
    for (int c = 0; c < D; ++c) {
      for (int k = 0; k < D; ++k) {
        const double along = d[0] * N.direction[c] * N.by_chord[k] - across * N.direction[c] * N.direction[k];
        add_pair(c, k, along + (c == k ? across : 0.0), Rq);
        add_pair(c, k, d[0] * N.direction[c] * N.by_rate[k], Rv);
      }
      if (!Rd) continue;
      const double by_data[nd] = {N.value, d[0] * N.by_length, d[0] * N.by_time};
      for (int k = 0; k < nd; ++k) {
        Rd[c * nd + k] -= N.direction[c] * by_data[k];
        Rd[(2 * D + c) * nd + k] += N.direction[c] * by_data[k];
      }
    }
  }

 private:
  /// The derivative of the chord's force by the chord, as one of the nodes' forces by the nodes.
  static void add_pair(int c, int k, double entry, double* R) {
    R[c * nq + k] += entry;
    R[c * nq + 2 * D + k] -= entry;
    R[(2 * D + c) * nq + k] -= entry;
    R[(2 * D + c) * nq + 2 * D + k] += entry;
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

  static void jacobians(const double* q, const double* v, const double*, double, const double* d, double* Rq,
                        double* Rv, double* Rd) {
    const ChordForce<D> N(q, v, d[1], d[2]);
    const double l = d[1], unit = 1 / (l * CableShapes::stretch_divisor), EA = d[0] * unit;
    for (int i = 0; i < 4; ++i) {
      const int slope = CableShapes::is_slope(i) ? 1 : 0;
      double shape[4];
      for (int j = 0; j < 4; ++j) {
        shape[j] = CableShapes::stretch[i][j] * (slope ? l : 1) * (CableShapes::is_slope(j) ? l : 1);
      }
      for (int c = 0; c < D; ++c) {
        double force = 0, by_length = 0;
        for (int j = 0; j < 4; ++j) {
          const double each = shape[j] * q[D * j + c];
          force += each;
          by_length += (slope + (CableShapes::is_slope(j) ? 1 : 0) - 1) * each / l;
          Rq[(D * i + c) * nq + D * j + c] += EA * N.value * shape[j];
        }
        double *in_q = Rq + (D * i + c) * nq, *in_v = Rv + (D * i + c) * nq;
        for (int k = 0; k < D; ++k) {
          in_q[k] -= EA * force * N.by_chord[k];
          in_q[2 * D + k] += EA * force * N.by_chord[k];
          in_v[k] -= EA * force * N.by_rate[k];
          in_v[2 * D + k] += EA * force * N.by_rate[k];
        }
        if (!Rd) continue;
        double* row = Rd + (D * i + c) * nd;
        row[0] += unit * N.value * force;
        row[1] += EA * (N.by_length * force + N.value * by_length);
        row[2] += EA * N.by_time * force;
      }
    }
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

  static void jacobians(const double* q, const double* v, const double*, double, const double* d, double* Rq,
                        double* Rv, double* Rd) {
    const double EA = d[0], l = d[1], time = d[2];
    for (const Node& node : nodes) {
      double s[4], tangent[D], rate[D], strain = -1.0, strain_rate = 0.0;
      slope(node.at, v, l, s, rate);
      slope(node.at, q, l, s, tangent);
      for (int c = 0; c < D; ++c) {
        strain += tangent[c] * tangent[c];
        strain_rate += tangent[c] * rate[c];
      }
      const double weight = EA * l * node.weight, pull = weight * (0.5 * strain + time * strain_rate);
      double in_q[D * D], in_v[D * D];  // of the force pull r' by r' and its rate
      for (int c = 0; c < D; ++c) {
        for (int k = 0; k < D; ++k) {
          in_q[c * D + k] = weight * tangent[c] * (tangent[k] + time * rate[k]) + (c == k ? pull : 0.0);
          in_v[c * D + k] = weight * time * tangent[c] * tangent[k];
        }
      }
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const double share = s[i] * s[j];
          for (int c = 0; c < D; ++c) {
            const int row = (D * i + c) * nq + D * j;
            for (int k = 0; k < D; ++k) Rq[row + k] += share * in_q[c * D + k];
            if (time == 0) continue;
            for (int k = 0; k < D; ++k) Rv[row + k] += share * in_v[c * D + k];
          }
        }
      }
      if (Rd) add_data(node, q, v, d, s, tangent, rate, Rd);
    }
  }

 private:
  static void add_data(const Node& node, const double* q, const double* v, const double* d, const double* s,
                       const double* tangent, const double* rate, double* Rd) {
    const double EA = d[0], l = d[1], time = d[2];
    double tangent_l[D], strain = -1.0, strain_rate = 0.0, change = 0.0;
    for (int c = 0; c < D; ++c) {  // only the slopes of s_1 and s_3 depend on l, as 1 / l
      tangent_l[c] = -(s[0] * q[c] + s[2] * q[2 * D + c]) / l;
      const double rate_l = -(s[0] * v[c] + s[2] * v[2 * D + c]) / l;
      strain += tangent[c] * tangent[c];
      strain_rate += tangent[c] * rate[c];
      change += tangent[c] * tangent_l[c] + time * (tangent_l[c] * rate[c] + tangent[c] * rate_l);
    }
    const double measure = 0.5 * strain + time * strain_rate, weight = node.weight * l;
    for (int i = 0; i < 4; ++i) {
      const double s_l = CableShapes::is_slope(i) ? 0.0 : -s[i] / l;
      for (int c = 0; c < D; ++c) {
        double* row = Rd + (D * i + c) * nd;
        row[0] += weight * measure * s[i] * tangent[c];
        row[1] += EA * weight *
                  ((measure / l + change) * s[i] * tangent[c] + measure * (s_l * tangent[c] + s[i] * tangent_l[c]));
        row[2] += EA * weight * strain_rate * s[i] * tangent[c];
      }
    }
  }
};

}  // namespace perilune::model
