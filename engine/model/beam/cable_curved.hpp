// SPDX-License-Identifier: MIT
// The elastic forces of a cable element (cable_element.hpp) in the plane that is curved as declared: by differences of
// measures that no motion as a rigid body changes, so that it is stressed by nothing but its change of shape.
#pragma once
#include <cmath>

#include "model/beam/cable_shapes.hpp"
#include "model/beam/cubic.hpp"

namespace perilune::model {

/// Axial force by the mean along the element of Green's strain, (r'.r' - r0'.r0') / 2: by its value in every place an
/// arc would lock, as a cubic cannot bend without stretching somewhere. U = EA l e^2 / 2. Data: axial stiffness EA (N),
/// length l (m), damping time (s), the mean of r0'.r0'.
struct CurvedCableStretch {
  static constexpr int D = 2, nq = 4 * D, nd = 4;
  static constexpr bool has_mass = false, is_constant = false;
  static bool is_damped(const double* d) { return d[2] != 0; }
  /// The mean of r'.w' along the element.
  template <class T>
  static T mean(const T* q, const T* w, const T& l) {
    T product[nq], sum = 0.0;
    for (int i = 0; i < nq; ++i) product[i] = 0.0;
    add_cable_product<D, T>(CableShapes::stretch, T(1.0 / (CableShapes::stretch_divisor * l * l)), l, w, product);
    for (int i = 0; i < nq; ++i) sum += q[i] * product[i];
    return sum;
  }
  template <class T>
  static T strain(const T* q, const T& l, const T& natural) {
    return 0.5 * (mean(q, q, l) - natural);
  }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    const T pull = d[0] * (strain(q, d[1], d[3]) + d[2] * mean(q, v, d[1])) / (d[1] * CableShapes::stretch_divisor);
    add_cable_product<D, T>(CableShapes::stretch, pull, d[1], q, r);
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    const T e = strain(q, d[1], d[3]);
    return 0.5 * d[0] * d[1] * e * e;
  }
};

/// r'' along the line's left normal and along the line itself (1/m): curvature, and how the stretch changes.
template <class T>
struct CableBend {
  T across, along;
  /// Derivatives of both by r' and r''.
  T across_by_slope[2], across_by_bend[2], along_by_slope[2], along_by_bend[2];
  /// slope, bend: r' and r''.
  CableBend(const T* slope, const T* bend) {
    using std::sqrt;
    const T length = sqrt(slope[0] * slope[0] + slope[1] * slope[1]);
    const T tangent[2] = {slope[0] / length, slope[1] / length};
    across = tangent[0] * bend[1] - tangent[1] * bend[0];
    along = tangent[0] * bend[0] + tangent[1] * bend[1];
    across_by_bend[0] = -tangent[1];
    across_by_bend[1] = tangent[0];
    across_by_slope[0] = (bend[1] - across * tangent[0]) / length;
    across_by_slope[1] = (-bend[0] - across * tangent[1]) / length;
    for (int c = 0; c < 2; ++c) {
      along_by_bend[c] = tangent[c];
      along_by_slope[c] = (bend[c] - along * tangent[c]) / length;
    }
  }
};

/// Bending: U = EI ((k - k0)^2 + (g - g0)^2) / 2 along the line with k and g of CableBend, at three points of Gauss:
/// EI |r''|^2 / 2 where the line is straight as declared. Data: bending stiffness EI (N m^2), length l (m), damping
/// time (s), k0 at the three points, g0 there (1/m).
struct CurvedCableBending {
  static constexpr int D = 2, nq = 4 * D, points = 3, nd = 3 + 2 * points;
  static constexpr bool has_mass = false, is_constant = false;
  static constexpr double at[points] = {0.11270166537925831, 0.5, 0.8872983346207417};
  static constexpr double weight[points] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  static bool is_damped(const double* d) { return d[2] != 0; }

  /// Shares of the four vectors in r' and r'' at x, from 0 to 1.
  template <class T>
  struct Shapes {
    T slope[4], bend[4];
    Shapes(const T& x, const T& l) {
      const auto first = cubic_slope(x), second = cubic_bend(x);
      for (int i = 0; i < 4; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool is_slope = CableShapes::is_slope(i);
        slope[i] = is_slope ? first[k] : T(first[k] / l);
        bend[i] = is_slope ? T(second[k] / l) : T(second[k] / (l * l));
      }
    }
    static void combine(const T* shares, const T* q, T* out) {
      for (int c = 0; c < D; ++c) {
        out[c] = 0.0;
        for (int i = 0; i < 4; ++i) out[c] += shares[i] * q[D * i + c];
      }
    }
  };
  template <class T>
  static CableBend<T> bend_at(const T& x, const T& l, const T* q) {
    const Shapes<T> shapes(x, l);
    T slope[D], bend[D];
    Shapes<T>::combine(shapes.slope, q, slope);
    Shapes<T>::combine(shapes.bend, q, bend);
    return {slope, bend};
  }
  template <class T>
  static void residual(const T* q, const T* v, const T*, const T&, const T* d, T* r) {
    for (int i = 0; i < nq; ++i) r[i] = 0.0;
    for (int k = 0; k < points; ++k) {
      const Shapes<T> shapes(T(at[k]), d[1]);
      const CableBend<T> now = bend_at(T(at[k]), d[1], q);
      T slope_rate[D], bend_rate[D], across = now.across - d[3 + k], along = now.along - d[3 + points + k];
      Shapes<T>::combine(shapes.slope, v, slope_rate);
      Shapes<T>::combine(shapes.bend, v, bend_rate);
      for (int c = 0; c < D; ++c) {
        across += d[2] * (now.across_by_slope[c] * slope_rate[c] + now.across_by_bend[c] * bend_rate[c]);
        along += d[2] * (now.along_by_slope[c] * slope_rate[c] + now.along_by_bend[c] * bend_rate[c]);
      }
      const T stiffness = d[0] * d[1] * weight[k];
      for (int c = 0; c < D; ++c) {
        const T on_slope = stiffness * (across * now.across_by_slope[c] + along * now.along_by_slope[c]);
        const T on_bend = stiffness * (across * now.across_by_bend[c] + along * now.along_by_bend[c]);
        for (int i = 0; i < 4; ++i) r[D * i + c] += shapes.slope[i] * on_slope + shapes.bend[i] * on_bend;
      }
    }
  }
  template <class T>
  static T potential(const T* q, const T* d) {
    T sum = 0.0;
    for (int k = 0; k < points; ++k) {
      const CableBend<T> now = bend_at(T(at[k]), d[1], q);
      const T across = now.across - d[3 + k], along = now.along - d[3 + points + k];
      sum += 0.5 * d[0] * d[1] * weight[k] * (across * across + along * along);
    }
    return sum;
  }
};

}  // namespace perilune::model
