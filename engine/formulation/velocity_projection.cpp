// SPDX-License-Identifier: MIT
#include "formulation/velocity_projection.hpp"

#include <algorithm>

namespace perilune::formulation {

VelocityProjection::VelocityProjection(Dynamics& dynamics)
    : dynamics_(dynamics),
      w_(dynamics.system()),
      x_(static_cast<std::size_t>(dynamics.n() + dynamics.m())),
      a_(static_cast<std::size_t>(dynamics.n())),
      lambda_(static_cast<std::size_t>(dynamics.m())) {}

void VelocityProjection::project(const Node& x) {
  const auto n = a_.size(), m = lambda_.size();
  dynamics_.factor_point(x.t, x.q, x.v);
  std::fill_n(x_.begin(), n, 0.0);
  for (std::size_t k = 0; k < m; ++k) x_[n + k] = -dynamics_.workspace().phi_rate[k];
  dynamics_.solve(x_.data());
  std::copy_n(x.v, n, x.proposed + n);
  for (std::size_t i = 0; i < n; ++i) x.v[i] += x_[i];
}

void VelocityProjection::linearize(const Node& x) {
  const System& system = dynamics_.system();
  const system::Workspace& point = dynamics_.workspace();
  const auto n = a_.size(), m = lambda_.size();
  // The matrix times (v - v*, sigma) is (0, Phi_q (v - v*)): this finds sigma again.
  for (std::size_t i = 0; i < n; ++i) a_[i] = x.v[i] - x.proposed[n + i];
  std::fill(x_.begin(), x_.end(), 0.0);
  system.mn().multiply(point.jacobian.data(), a_.data(), x_.data() + n);
  dynamics_.solve(x_.data());
  // M a + Phi_q^T lambda - Q is affine in a and lambda: its derivatives at (a + v - v*, lambda + sigma) exceed those at
  // (a, lambda), which are known, by those of M (v - v*) + Phi_q^T sigma.
  for (std::size_t i = 0; i < n; ++i) a_[i] += x.a[i];
  for (std::size_t k = 0; k < m; ++k) lambda_[k] = x.lambda[k] + x_[n + k];
  system.linearize({x.t, x.q, x.v, a_.data(), lambda_.data(), x.a, x.lambda}, dynamics_.data(), w_, true);
  for (std::size_t k = 0; k < w_.stiffness.size(); ++k) w_.stiffness[k] -= point.stiffness[k];
  for (std::size_t k = 0; k < w_.residual_data.size(); ++k) w_.residual_data[k] -= point.residual_data[k];
}

void VelocityProjection::tangent(int count, double* z) {
  const System& system = dynamics_.system();
  const int n = dynamics_.n(), m = dynamics_.m();
  const double *dq = z, *data = z + 2 * n * count;
  many_.resize(std::max(many_.size(), static_cast<std::size_t>((n + m) * count)));
  std::fill(many_.begin(), many_.end(), 0.0);
  double *dv = z + n * count, *x = many_.data(), *low = x + n * count;
  system.nn().subtract_product(w_.stiffness.data(), dq, x, count);
  system.nd().subtract_product(w_.residual_data.data(), data, x, count);
  system.mn().subtract_product(w_.jacobian_rate.data(), dq, low, count);
  system.mn().subtract_product(dynamics_.workspace().jacobian.data(), dv, low, count);
  system.md().subtract_product(w_.phi_rate_data.data(), data, low, count);
  dynamics_.solve_many(x, count);
  for (int i = 0; i < n * count; ++i) dv[i] += x[i];
}

void VelocityProjection::adjoint(double* z) {
  const System& system = dynamics_.system();
  const int n = dynamics_.n();
  double *q = z, *v = z + n, *data = z + 2 * n;
  std::fill(x_.begin(), x_.end(), 0.0);
  std::copy_n(v, n, x_.begin());
  dynamics_.solve_transposed(x_.data());
  const double *x = x_.data(), *low = x_.data() + n;
  system.nn().multiply_transposed(w_.stiffness.data(), x, q, -1);
  system.nd().multiply_transposed(w_.residual_data.data(), x, data, -1);
  system.mn().multiply_transposed(w_.jacobian_rate.data(), low, q, -1);
  system.mn().multiply_transposed(dynamics_.workspace().jacobian.data(), low, v, -1);
  system.md().multiply_transposed(w_.phi_rate_data.data(), low, data, -1);
}

}  // namespace perilune::formulation
