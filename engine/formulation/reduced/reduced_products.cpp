// SPDX-License-Identifier: MIT
// Sensitivities of one node: tangents and adjoints of completing positions and velocities, and of the equations of
// motion by R and S.
#include <algorithm>

#include "formulation/reduced/reduced_node.hpp"

namespace perilune::formulation {

void ReducedNode::complete_tangent(int count, double* z) {
  if (!solver_) return;
  const system::Workspace& w = dynamics_.workspace();
  const linalg::SparsePattern &mn = system().mn(), &md = system().md();
  double *q = z, *v = z + n() * count, *data = v + n() * count, *low = room(low_, m(), count);
  auto add_to_dependent = [&](double* x) {
    solver_->solve_many(low, count);
    const double* step = low;
    for (int i : partition_->dependent) {
      for (int c = 0; c < count; ++c) x[i * count + c] += *step++;
    }
  };
  std::fill_n(low, m() * count, 0.0);
  mn.subtract_product(w.jacobian.data(), q, low, count);
  md.subtract_product(w.phi_data.data(), data, low, count);
  add_to_dependent(q);
  std::fill_n(low, m() * count, 0.0);
  mn.subtract_product(w.jacobian.data(), v, low, count);
  mn.subtract_product(w.jacobian_rate.data(), q, low, count);
  md.subtract_product(w.phi_rate_data.data(), data, low, count);
  add_to_dependent(v);
}

void ReducedNode::complete_adjoint(double* z, double* of_positions, double* of_rates) {
  if (!solver_) return;
  const system::Workspace& w = dynamics_.workspace();
  const linalg::SparsePattern &mn = system().mn(), &md = system().md();
  double *q = z, *v = z + n(), *data = v + n();
  auto take_dependent = [&](double* x, double* low) {
    gather_dependent(1, x, low);
    solver_->solve_transposed(low);
    mn.multiply_transposed(w.jacobian.data(), low, x, -1);
    for (int i : partition_->dependent) x[i] = 0;  // what was proposed for them has no effect
  };
  take_dependent(v, of_rates);
  mn.multiply_transposed(w.jacobian_rate.data(), of_rates, q, -1);
  md.multiply_transposed(w.phi_rate_data.data(), of_rates, data, -1);
  take_dependent(q, of_positions);
  md.multiply_transposed(w.phi_data.data(), of_positions, data, -1);
}

void ReducedNode::move(int count, const double* dz, const double* dv, double* z) const {
  double *q = z, *v = z + n() * count;
  for (int k = 0; k < d(); ++k) {
    const int i = partition_->independent[static_cast<std::size_t>(k)] * count;
    for (int c = 0; c < count; ++c) {
      q[i + c] += dz[k * count + c];
      v[i + c] += dv[k * count + c];
    }
  }
  const double *slope = slopes_.data(), *rate = slope_rates_.data();
  for (int dependent : partition_->dependent) {
    const int i = dependent * count;
    for (int k = 0; k < d(); ++k, ++slope, ++rate) {
      for (int c = 0; c < count; ++c) {
        q[i + c] -= *slope * dz[k * count + c];
        v[i + c] += *rate * dz[k * count + c] - *slope * dv[k * count + c];
      }
    }
  }
}

void ReducedNode::move_adjoint(const double* z, double* dz, double* dv) const {
  const double *q = z, *v = z + n();
  std::fill_n(dz, d(), 0.0);
  std::fill_n(dv, d(), 0.0);
  add_reduced(slopes_, 1, q, dz);
  add_reduced(slopes_, 1, v, dv);
  const double* rate = slope_rates_.data();
  for (int i : partition_->dependent) {
    for (int k = 0; k < d(); ++k) dz[k] += *rate++ * v[i];
  }
}

void ReducedNode::reduce_force(int count, const double* fg, double* out) {
  const int size = n() * count;
  double *force = room(full_, n(), count), *a = room(other_, n(), count), *low = room(low_, m(), count);
  std::copy_n(fg, size, force);
  if (solver_) {
    std::copy_n(fg + size, m() * count, low);
    solver_->solve_many(low, count);
    std::fill_n(a, size, 0.0);
    for (const int i : partition_->dependent) {
      std::copy_n(low, count, a + i * count);
      low += count;
    }
    system().nn().subtract_product(inertia().data(), a, force, count);
  }
  std::fill_n(out, d() * count, 0.0);
  add_reduced(left_slopes(), count, force, out);
}

void ReducedNode::solve_rest(int count, const double* acceleration, double* fg) {
  const int size = n() * count;
  double *a = room(full_, n(), count), *lambda = fg + size;
  expand(slopes_, count, acceleration, a);
  if (solver_) {
    double* step = lambda;
    solver_->solve_many(step, count);
    for (int i : partition_->dependent) {
      for (int c = 0; c < count; ++c) a[i * count + c] += *step++;
    }
    system().nn().subtract_product(inertia().data(), a, fg, count);
    gather_dependent(count, fg, lambda);
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
  if (solver_) {  // lambda = S^T (f - M a)
    double* low = room(low_, m(), 1);
    std::copy_n(lbar, m(), low);
    solve_multipliers_transposed(low);
    for (int i : partition_->dependent) f[i] = *low++;
    system().nn().multiply_transposed(inertia().data(), f, a, -1);
    gather_dependent(1, a, g);
    solver_->solve_transposed(g);
  }
  add_reduced(slopes_, 1, a, acceleration);
}

void ReducedNode::reduce_force_adjoint(const double* y, double* fg) {
  double *f = fg, *g = fg + n(), *force = room(full_, n(), 1);
  expand(left_slopes(), 1, y, force);
  for (int i = 0; i < n(); ++i) f[i] += force[i];
  if (!solver_) return;
  double *a = room(other_, n(), 1), *low = room(low_, m(), 1);
  std::fill_n(a, n(), 0.0);
  system().nn().multiply_transposed(inertia().data(), force, a);
  gather_dependent(1, a, low);
  solver_->solve_transposed(low);
  for (int i = 0; i < m(); ++i) g[i] -= low[i];
}

}  // namespace perilune::formulation
