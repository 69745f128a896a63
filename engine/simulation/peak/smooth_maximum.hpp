// SPDX-License-Identifier: MIT
// Smooth stand-ins for the greatest or the least value that a signal s has over a time T, as functions of an integral J
// along the motion (Kreisselmeier and Steinhauser 1979, with means over time in place of sums; the p-norm likewise):
//   maximum:  r + |r| / k log(J / T),  J = integral of exp(k (s - r) / |r|) dt
//   minimum:  r - |r| / k log(J / T),  J = integral of exp(k (r - s) / |r|) dt
//   p-norm:   |r| (J / T)^(1 / k),     J = integral of |s / r|^k dt
// As means they never exceed what they stand for, and come near it as the sharpness k grows. The reference r changes
// nothing but rounding and the control of errors; near the extremum it keeps the integrand near 1.
#pragma once
#include <string>

namespace perilune::simulation {

struct SmoothMaximum {
  enum class Kind { Maximum, Minimum, Norm };
  Kind kind = Kind::Maximum;
  double sharpness = 50;  // k
  double about = 1;       // r, in the unit of s, not 0

  /// Of the integral J over `time` T (s). NaN where J is not positive.
  double value(double integral, double time) const;
  /// d value / dJ and d^2 value / dJ^2, at J.
  double slope(double integral, double time) const;
  double curvature(double integral, double time) const;
  /// The J of a value.
  double integral(double value, double time) const;
};

}  // namespace perilune::simulation
