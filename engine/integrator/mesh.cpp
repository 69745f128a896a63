// SPDX-License-Identifier: MIT
#include <algorithm>

#include "integrator/integrator.hpp"

namespace perilune::integrator {

void Mesh::reserve(std::size_t points) {
  t.reserve(points);
  points_.reserve(points);
}

void Mesh::truncate(std::size_t points) {
  t.resize(points);
  points_.truncate(points);
}

void Mesh::append(double time, const double* qs, const double* vs, const double* as, const double* lambdas) {
  t.push_back(time);
  double *q = points_.append(), *v = q + n, *a = v + n;
  for (int i = 0; i < n; ++i) {
    q[i] = qs[i];
    v[i] = vs[i];
    a[i] = as[i];
  }
  std::copy_n(lambdas, m, a + n);
}

void Mesh::interpolate(double time, double* qs, double* vs, std::size_t& hint) const {
  if (size() == 1) {
    std::copy_n(q_at(0), n, qs);
    std::copy_n(v_at(0), n, vs);
    return;
  }
  time = std::clamp(time, t.front(), t.back());
  if (hint + 1 >= size()) hint = size() - 2;
  if (time < t[hint] || time > t[hint + 1]) {
    const auto above = std::upper_bound(t.begin(), t.end(), time);
    hint = std::min(static_cast<std::size_t>(above - t.begin()), size() - 1) - 1;
  }
  const std::size_t k = hint;
  const double h = t[k + 1] - t[k], s = h > 0 ? (time - t[k]) / h : 1;  // two points at an event
  if (s == 0 || s == 1) {
    std::copy_n(q_at(k + (s == 1)), n, qs);
    std::copy_n(v_at(k + (s == 1)), n, vs);
    return;
  }
  // q(s) = q0 + h s v0 + h^2 s^2/2 a0 + s^3 (c0 + c1 s + c2 s^2) with q1, v1, a1 matched at s = 1.
  const double *from = q_at(k), *to = q_at(k + 1);
  for (int i = 0; i < n; ++i) {
    const double q0 = from[i], v0 = h * from[n + i], a0 = h * h * from[2 * n + i];
    const double dq = to[i] - (q0 + v0 + a0 / 2), dv = h * to[n + i] - (v0 + a0), da = h * h * to[2 * n + i] - a0;
    const double c0 = 10 * dq - 4 * dv + da / 2, c1 = -15 * dq + 7 * dv - da, c2 = 6 * dq - 3 * dv + da / 2;
    qs[i] = q0 + s * (v0 + s * (a0 / 2 + s * (c0 + s * (c1 + s * c2))));
    vs[i] = (v0 + s * (a0 + s * (3 * c0 + s * (4 * c1 + s * 5 * c2)))) / h;
  }
}

}  // namespace perilune::integrator
