// SPDX-License-Identifier: MIT
// The five-bar mechanism alone, written by hand in complex arithmetic: RK4 on the penalty form, its derivative by
// complex step. It shares nothing with the engine, so it tells what the stated steps must give to rounding.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <complex>

namespace five_bar_by_hand {

using Complex = std::complex<double>;
using Vector6 = Eigen::Matrix<Complex, 6, 1>;

struct Bar {
  int from, to;     // point numbers, -1 for ground
  double ground_x;  // of its end on ground (y = 0)
  double mass, length_squared;
};
inline const std::array<Bar, 4> bars{{{-1, 0, 0, 1, 2}, {0, 1, 0, 1.5, 3.25}, {1, 2, 0, 1.5, 3.25}, {2, -1, 1, 1, 2}}};

struct Settings {
  double alpha, xi, omega, step, end;
};

inline Vector6 accelerations(const Vector6& q, const Vector6& v, const std::array<Complex, 2>& lengths,
                             const Settings& s) {
  // [M Phi_q^T; Phi_q -1/alpha] [a; lambda] = [Q; -(Phi'' at a = 0) - 2 xi omega Phi' - omega^2 Phi]
  Eigen::Matrix<Complex, 10, 10> K;
  Eigen::Matrix<Complex, 10, 1> r;
  K.setZero();
  r.setZero();
  for (int k = 0; k < 4; ++k) {
    const Bar& bar = bars[static_cast<std::size_t>(k)];
    Complex phi = -bar.length_squared, rate = 0, bias = 0;
    for (int d = 0; d < 2; ++d) {
      const double fixed = d == 0 ? bar.ground_x : 0;
      const Complex u = (bar.to < 0 ? fixed : q[2 * bar.to + d]) - (bar.from < 0 ? fixed : q[2 * bar.from + d]);
      const Complex du = (bar.to < 0 ? 0.0 : v[2 * bar.to + d]) - (bar.from < 0 ? 0.0 : v[2 * bar.from + d]);
      phi += u * u;
      rate += 2.0 * u * du;
      bias += 2.0 * du * du;
      for (const int point : {bar.from, bar.to}) {
        if (point < 0) continue;
        K(6 + k, 2 * point + d) = K(2 * point + d, 6 + k) = (point == bar.to ? 2.0 : -2.0) * u;
        K(2 * point + d, 2 * point + d) += bar.mass / 3;
        const int other = point == bar.to ? bar.from : bar.to;
        if (other >= 0) K(2 * point + d, 2 * other + d) += bar.mass / 6;
        if (d == 1) r[2 * point + d] -= 9.81 * bar.mass / 2;
      }
    }
    K(6 + k, 6 + k) = -1 / s.alpha;
    r[6 + k] = -(bias + 2 * s.xi * s.omega * rate + s.omega * s.omega * phi);
  }
  for (int spring = 0; spring < 2; ++spring) {  // from A at the origin to points 3 and 2
    const int x = spring == 0 ? 4 : 2;
    const Complex length = std::sqrt(q[x] * q[x] + q[x + 1] * q[x + 1]);
    const Complex force = 100.0 * (length - lengths[static_cast<std::size_t>(spring)]) / length;
    r[x] -= force * q[x];
    r[x + 1] -= force * q[x + 1];
  }
  return K.partialPivLu().solve(r).head<6>();
}

inline Complex objective(const std::array<Complex, 2>& lengths, const Settings& s) {
  Vector6 q, v = Vector6::Zero();
  q << -1, -1, 0.5, -2, 2, -1;
  const double h = s.step;
  const auto g = [](const Vector6& at) { return (at[2] - 0.5) * (at[2] - 0.5) + (at[3] + 2.0) * (at[3] + 2.0); };
  Complex psi = 0;
  for (long k = std::lround(s.end / h); k > 0; --k) {
    const Vector6 a1 = accelerations(q, v, lengths, s);
    const Vector6 q2 = q + h / 2 * v, v2 = v + h / 2 * a1, a2 = accelerations(q2, v2, lengths, s);
    const Vector6 q3 = q + h / 2 * v2, v3 = v + h / 2 * a2, a3 = accelerations(q3, v3, lengths, s);
    const Vector6 q4 = q + h * v3, v4 = v + h * a3, a4 = accelerations(q4, v4, lengths, s);
    psi += h / 6 * (g(q) + 2.0 * g(q2) + 2.0 * g(q3) + g(q4));
    q += h / 6 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return psi;
}

struct Result {
  double value;
  std::array<double, 2> gradient;
};

inline Result solve(const Settings& settings) {
  Result out{};
  for (std::size_t i = 0; i < 2; ++i) {
    std::array<Complex, 2> lengths{std::sqrt(5.0), std::sqrt(4.25)};
    lengths[i] += Complex(0, 1e-30);
    const Complex psi = objective(lengths, settings);
    out.value = psi.real();
    out.gradient[i] = psi.imag() / 1e-30;
  }
  return out;
}

}  // namespace five_bar_by_hand
