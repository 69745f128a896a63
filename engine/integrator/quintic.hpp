// SPDX-License-Identifier: MIT
// Quintic Hermite interpolation between two mesh points, as weights of their numbers.
#pragma once
#include <array>

namespace perilune::integrator {

/// With s = (t - t0) / h from 0 to 1, the d-th derivative of a coordinate by s is the sum over
///   q0, h v0, h^2 a0, q1, h v1, h^2 a1
/// with the weights `of[d]`: the polynomial that Mesh::interpolate evaluates.
struct Quintic {
  std::array<std::array<double, 6>, 3> of;

  explicit Quintic(double s) {
    const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    of[0] = {1 - 10 * s3 + 15 * s4 - 6 * s5, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2,
             10 * s3 - 15 * s4 + 6 * s5,     -4 * s3 + 7 * s4 - 3 * s5,    (s3 - 2 * s4 + s5) / 2};
    of[1] = {-30 * s2 + 60 * s3 - 30 * s4, 1 - 18 * s2 + 32 * s3 - 15 * s4, (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2,
             30 * s2 - 60 * s3 + 30 * s4,  -12 * s2 + 28 * s3 - 15 * s4,    (3 * s2 - 8 * s3 + 5 * s4) / 2};
    of[2] = {-60 * s + 180 * s2 - 120 * s3, -36 * s + 96 * s2 - 60 * s3, (2 - 18 * s + 36 * s2 - 20 * s3) / 2,
             60 * s - 180 * s2 + 120 * s3,  -24 * s + 84 * s2 - 60 * s3, (6 * s - 24 * s2 + 20 * s3) / 2};
  }
};

}  // namespace perilune::integrator
