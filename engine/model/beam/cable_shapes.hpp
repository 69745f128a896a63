// SPDX-License-Identifier: MIT
// What the parts of the cable element (cable_element.hpp) have in common: its shapes and its chord; and its inertia.
#pragma once
#include <cmath>

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

  static void mass(const double*, const double* d, double* M) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const double entry = d[0] * d[1] * shape(i, j, d[1]);
        for (int c = 0; c < D; ++c) M[(D * i + c) * nq + D * j + c] += entry;
      }
    }
  }
  static void jacobians(const double*, const double*, const double* a, double, const double* d, double*, double*,
                        double* Rd) {
    if (!Rd) return;
    const double density = d[0], l = d[1];
    for (int i = 0; i < 4; ++i) {
      const int slope = CableShapes::is_slope(i) ? 1 : 0;
      const double share = CableShapes::weight[i] / CableShapes::weight_divisor * (slope ? l : 1);
      for (int c = 0; c < D; ++c) {
        double inertia = 0, by_length = 0;  // of mass 1, of density 1
        for (int j = 0; j < 4; ++j) {
          const double entry = shape(i, j, l) * a[D * j + c];
          inertia += entry;
          by_length += (1 + slope + (CableShapes::is_slope(j) ? 1 : 0)) * entry;
        }
        double* row = Rd + (D * i + c) * nd;
        row[0] += l * (inertia - share * d[2 + c]);
        row[1] += density * (by_length - (1 + slope) * share * d[2 + c]);
        row[2 + c] -= density * l * share;
      }
    }
  }

 private:
  /// The integral of s_i s_j / l.
  static double shape(int i, int j, double l) {
    const double scale = (CableShapes::is_slope(i) ? l : 1) * (CableShapes::is_slope(j) ? l : 1);
    return CableShapes::mass[i][j] / CableShapes::mass_divisor * scale;
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

}  // namespace perilune::model
