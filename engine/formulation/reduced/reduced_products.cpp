// SPDX-License-Identifier: MIT
// Sensitivities of one node: tangents and adjoints of completing positions and velocities, and of the equations of
// motion by R and S.
#include <algorithm>

#include "formulation/reduced/reduced_node.hpp"

namespace perilune::formulation {

void ReducedNode::complete_tangent(int count, double* z) {
  if (!all_.exist()) return;
  const system::Workspace& w = dynamics_.workspace();
  const linalg::SparsePattern &mn = system().mn(), &md = system().md();
  double *q = z, *v = z + n() * count, *data = v + n() * count, *low = room(low_, m(), count);
  std::fill_n(low, m() * count, 0.0);
  mn.subtract_product(w.jacobian.data(), q, low, count);
  md.subtract_product(w.phi_data.data(), data, low, count);
  positions().solve_many(low, count);
  positions().add_to_dependent(count, low, q);
  std::fill_n(low, m() * count, 0.0);
  mn.subtract_product(w.jacobian.data(), v, low, count);
  mn.subtract_product(w.jacobian_rate.data(), q, low, count);
  md.subtract_product(w.phi_rate_data.data(), data, low, count);
  all_.solve_many(low, count);
  all_.add_to_dependent(count, low, v);
}

void ReducedNode::complete_adjoint(double* z, double* of_positions, double* of_rates) {
  if (!all_.exist()) return;
  const system::Workspace& w = dynamics_.workspace();
  const linalg::SparsePattern &mn = system().mn(), &md = system().md();
  double *q = z, *v = z + n(), *data = v + n();
  auto take_dependent = [&](Dependents& these, double* x, double* low) {
    these.gather(1, x, low);
    these.solve_transposed(low);
    mn.multiply_transposed(w.jacobian.data(), low, x, -1);
    for (int i : these.split().dependent) x[i] = 0;  // what was proposed for them has no effect
  };
  take_dependent(all_, v, of_rates);
  mn.multiply_transposed(w.jacobian_rate.data(), of_rates, q, -1);
  md.multiply_transposed(w.phi_rate_data.data(), of_rates, data, -1);
  take_dependent(positions(), q, of_positions);
  md.multiply_transposed(w.phi_data.data(), of_positions, data, -1);
}

void ReducedNode::move(int count, const double* dp, const double* dv, double* z) const {
  double *q = z, *v = z + n() * count;
  for (int k = 0; k < p(); ++k) {
    const int i = independent_positions()[static_cast<std::size_t>(k)] * count;
    for (int c = 0; c < count; ++c) q[i + c] += dp[k * count + c];
  }
  for (int k = 0; k < d(); ++k) {
    const int i = partition_->independent[static_cast<std::size_t>(k)] * count;
    for (int c = 0; c < count; ++c) v[i + c] += dv[k * count + c];
  }
  const double* slope = positions().slopes().data();
  for (int dependent : positions().split().dependent) {
    const int i = dependent * count;
    for (int k = 0; k < p(); ++k, ++slope) {
      for (int c = 0; c < count; ++c) q[i + c] -= *slope * dp[k * count + c];
    }
  }
  slope = all_.slopes().data();
  const double* rate = slope_rates_.data();
  for (int dependent : partition_->dependent) {
    const int i = dependent * count;
    for (int k = 0; k < p(); ++k, ++rate) {
      for (int c = 0; c < count; ++c) v[i + c] += *rate * dp[k * count + c];
    }
    for (int k = 0; k < d(); ++k, ++slope) {
      for (int c = 0; c < count; ++c) v[i + c] -= *slope * dv[k * count + c];
    }
  }
}

void ReducedNode::move_adjoint(const double* z, double* dp, double* dv) const {
  const double *q = z, *v = z + n();
  std::fill_n(dp, p(), 0.0);
  std::fill_n(dv, d(), 0.0);
  positions().add_reduced(positions().slopes(), 1, q, dp);
  all_.add_reduced(all_.slopes(), 1, v, dv);
  const double* rate = slope_rates_.data();
  for (int i : partition_->dependent) {
    for (int k = 0; k < p(); ++k) dp[k] += *rate++ * v[i];
  }
}

void ReducedNode::reduce_force(int count, const double* fg, double* out) {
  const int size = n() * count;
  double *force = room(full_, n(), count), *a = room(other_, n(), count), *low = room(low_, m(), count);
  std::copy_n(fg, size, force);
  if (all_.exist()) {
    std::copy_n(fg + size, m() * count, low);
    all_.solve_many(low, count);
    all_.spread(count, low, n(), a);
    system().nn().subtract_product(inertia().data(), a, force, count);
  }
  std::fill_n(out, d() * count, 0.0);
  all_.add_reduced(left_slopes(), count, force, out);
}

void ReducedNode::rolling_tangent(int count, const double* fg, double* out) {
  if (rolling().empty()) return;
  double *a = room(other_, n(), count), *low = room(low_, m(), count);
  std::copy_n(fg + n() * count, m() * count, low);
  all_.solve_many(low, count);
  all_.spread(count, low, n(), a);
  out += d() * count;
  for (const int i : rolling()) out = std::copy_n(a + i * count, count, out);
}

void ReducedNode::rolling_adjoint(const double* y, double* fg) {
  if (rolling().empty()) return;
  double *a = room(other_, n(), 1), *low = room(low_, m(), 1), *g = fg + n();
  std::fill_n(a, n(), 0.0);
  y += d();
  for (const int i : rolling()) a[i] = *y++;
  all_.gather(1, a, low);
  all_.solve_transposed(low);
  for (int i = 0; i < m(); ++i) g[i] += low[i];
}

void ReducedNode::solve_rest(int count, const double* acceleration, double* fg) {
  const int size = n() * count;
  double *a = room(full_, n(), count), *lambda = fg + size;
  all_.expand(all_.slopes(), count, acceleration, a);
  if (all_.exist()) {
    all_.solve_many(lambda, count);
    all_.add_to_dependent(count, lambda, a);
    system().nn().subtract_product(inertia().data(), a, fg, count);
    all_.gather(count, fg, lambda);
    solve_multipliers_many(count, lambda);
  }
  std::copy_n(a, size, fg);
}

void ReducedNode::solve_multipliers_many(int count, double* x) {
  double* one = one_.data();
  for (int c = 0; c < count; ++c) {
    for (int i = 0; i < m(); ++i) one[i] = x[i * count + c];
    solve_multipliers(one);
    for (int i = 0; i < m(); ++i) x[i * count + c] = one[i];
  }
}

void ReducedNode::solve_rest_adjoint(const double* abar, const double* lbar, double* acceleration, double* fg) {
  double *f = fg, *g = fg + n(), *a = room(full_, n(), 1);
  std::copy_n(abar, n(), a);
  std::fill_n(f, n(), 0.0);
  if (all_.exist()) {  // lambda = S^T (f - M a)
    double* low = room(low_, m(), 1);
    std::copy_n(lbar, m(), low);
    solve_multipliers_transposed(low);
    for (int i : partition_->dependent) f[i] = *low++;
    system().nn().multiply_transposed(inertia().data(), f, a, -1);
    all_.gather(1, a, g);
    all_.solve_transposed(g);
  }
  all_.add_reduced(all_.slopes(), 1, a, acceleration);
}

void ReducedNode::reduce_force_adjoint(const double* y, double* fg) {
  double *f = fg, *g = fg + n(), *force = room(full_, n(), 1);
  all_.expand(left_slopes(), 1, y, force);
  for (int i = 0; i < n(); ++i) f[i] += force[i];
  if (!all_.exist()) return;
  double *a = room(other_, n(), 1), *low = room(low_, m(), 1);
  std::fill_n(a, n(), 0.0);
  system().nn().multiply_transposed(inertia().data(), force, a);
  all_.gather(1, a, low);
  all_.solve_transposed(low);
  for (int i = 0; i < m(); ++i) g[i] -= low[i];
}

}  // namespace perilune::formulation
