// SPDX-License-Identifier: MIT
// Tangents and adjoints of points and groups in independent coordinates (Zhu 2014, sections 3.1.4 and 3.3, with the
// terms of parameters that enter the constraints).
#include <algorithm>

#include "formulation/reduced/reduced_motion.hpp"

namespace perilune::formulation {

void ReducedMotion::revisit(ReducedNode& reduced, const Node& x) {
  reduced.dynamics().evaluate(x.t, x.q, x.v, x.a, x.lambda);
  reduced.factor(x);
  reduced.find_slopes();
  reduced.find_left_slopes(x);
}

void ReducedMotion::linearize_point(const Node& x, Here here, std::span<const double> factor_before) {
  linearized_ = {x, here, factor_before};
  // A point found just now by matrices has these still.
  linearized_.is_by_recursion = (here == Here::Again || recursive_.found_last()) && !keeps_weights_ && !is_by_slopes() &&
                                recursive_.linearize(x, node().dynamics(), here == Here::Just);
  if (!linearized_.is_by_recursion) linearize_in_full();
}

void ReducedMotion::linearize_in_full() {
  if (linearized_.is_full) return;
  linearized_.is_full = true;
  const Node& x = linearized_.x;
  Here here = linearized_.here;
  const std::span<const double> factor_before = linearized_.factor;
  Dynamics& dynamics = node().dynamics();
  if (recursive_.found_last()) here = Here::Again;  // the recursion leaves no matrices
  recursive_.leave();
  if (!is_by_slopes() && here == Here::Again) {
    dynamics.linearize_again(x.t, x.q, x.v, x.a, x.lambda, factor_before);
    node().factor(x);
    return;
  }
  if (here == Here::Again) {
    revisit(node(), x);
    node().reduce_mass();
    factor_point(x);
  } else if (is_on_the_way_) {
    node().find_left_slopes(x);
    node().reduce_mass();
    factor_point(x);
  }
  is_on_the_way_ = false;
  dynamics.linearize(x.t, x.q, x.v, x.a, x.lambda, true, false);
}

void ReducedMotion::tangent_point(int count, const TangentNode& y) {
  if (linearized_.is_by_recursion && recursive_.tangent(linearized_.x, count, y)) return;
  linearize_in_full();
  if (is_by_slopes()) {
    tangent(uncoupled_, false, count, {&y, 1});
    return;
  }
  node().complete_tangent(count, y.z);
  node().dynamics().tangent(y.z, count, y.x);
}

void ReducedMotion::adjoint_point(const AdjointNode& y) {
  if (linearized_.is_by_recursion && recursive_.adjoint(linearized_.x, y)) return;
  linearize_in_full();
  if (is_by_slopes()) {
    adjoint(uncoupled_, false, {&y, 1});
    return;
  }
  clear_weights(1);
  node().dynamics().adjoint(y.a, y.lambda, y.z);
  add_weights(0, node().dynamics().last_weights());
  complete_adjoint(0, y.z);
}

void ReducedMotion::linearize_group(const Coupling& coupling, std::span<const Node> x) {
  prepare(coupling.size);
  recursive_.leave();
  for (std::size_t i = 0; i < x.size(); ++i) {
    revisit(*nodes_[i], x[i]);
    nodes_[i]->dynamics().linearize_evaluated(x[i].t, x[i].q, x[i].v, x[i].a, x[i].lambda, true);
    nodes_[i]->reduce_mass();
    nodes_[i]->reduce_rates();
  }
  ++effort_.jacobians;
  ++effort_.factorizations;
  factor_group(coupling, x);
}

void ReducedMotion::tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) {
  tangent(coupling, true, count, y);
}

void ReducedMotion::adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) {
  adjoint(coupling, true, y);
}

void ReducedMotion::tangent(const Coupling& coupling, bool has_weights, int count, std::span<const TangentNode> y) {
  const auto directions = static_cast<std::size_t>(count), half = static_cast<std::size_t>(n()) * directions;
  // A point has no rolling accelerations to solve for: they follow.
  const auto freedoms = static_cast<std::size_t>(has_weights ? p() : d()), block = freedoms * directions,
             size = y.size();
  many_.resize(std::max(many_.size(), (size + 2) * block));
  for (int i = 0; i < coupling.size && has_weights; ++i) {
    double* z = y[static_cast<std::size_t>(i)].z;
    for (int j = 0; j < coupling.size; ++j) {
      const double weight = coupling.qu(i, j), *v = y[static_cast<std::size_t>(j)].z + half;
      for (std::size_t k = 0; k < half; ++k) z[k] += weight * v[k];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    nodes_[i]->complete_tangent(count, y[i].z);
    nodes_[i]->dynamics().negative_partials(y[i].z, count, y[i].x);
    nodes_[i]->reduce_force(count, y[i].x, many_.data() + i * block);
    if (has_weights) nodes_[i]->rolling_tangent(count, y[i].x, many_.data() + i * block);
  }
  for (std::size_t c = 0; c < directions; ++c) {
    for (std::size_t k = 0; k < size * freedoms; ++k) z_[k] = many_[k * directions + c];
    last_lu_->solve(z_.data());
    for (std::size_t k = 0; k < size * freedoms; ++k) many_[k * directions + c] = z_[k];
  }
  double *dz = many_.data() + size * block, *dv = dz + block;
  for (std::size_t i = 0; i < size; ++i) {
    if (has_weights) {
      std::fill_n(dz, 2 * block, 0.0);
      for (std::size_t j = 0; j < size; ++j) {
        const double of_v = coupling.va(static_cast<int>(i), static_cast<int>(j));
        const double of_q = coupling.q_total(static_cast<int>(i), static_cast<int>(j));
        const double* a = many_.data() + j * block;
        for (std::size_t k = 0; k < block; ++k) {
          dz[k] += of_q * a[k];
          dv[k] += of_v * a[k];
        }
      }
      nodes_[i]->move(count, dz, dv, y[i].z);
      nodes_[i]->dynamics().negative_partials(y[i].z, count, y[i].x);
    }
    nodes_[i]->solve_rest(count, many_.data() + i * block, y[i].x);
  }
}

void ReducedMotion::clear_weights(std::size_t nodes) {
  const std::size_t size = nodes * static_cast<std::size_t>(n() + m());
  weight_numbers_.assign(3 * size, 0.0);
  const ConstraintLaw laws[] = {node().dynamics().law(), {0, 0, 1, 0, 0}, {0, 1, 0, 0, 1}};
  for (std::size_t k = 0; k < 3; ++k) weights_[k] = {laws[k], {weight_numbers_.data() + k * size, size}};
}

void ReducedMotion::add_weights(std::size_t i, std::span<const double> w) {
  double* own = weight_numbers_.data() + i * w.size();
  for (std::size_t k = 0; k < w.size(); ++k) own[k] += w[k];
}

void ReducedMotion::complete_adjoint(std::size_t i, double* z) {
  const std::size_t size = weights_[0].w.size();
  double* of_positions = weight_numbers_.data() + size + i * static_cast<std::size_t>(n() + m()) + n();
  nodes_[i]->complete_adjoint(z, of_positions, of_positions + size);
}

void ReducedMotion::adjoint(const Coupling& coupling, bool has_weights, std::span<const AdjointNode> y) {
  // Backwards through tangent(): the rest of the equations, what moved the nodes, the coupled accelerations, then what
  // these and the nodes' own completion take from the proposals and the data.
  const auto freedoms = static_cast<std::size_t>(has_weights ? p() : d()), own = static_cast<std::size_t>(d()),
             unknowns = static_cast<std::size_t>(n() + m());
  const std::size_t size = y.size();
  clear_weights(size);
  std::fill_n(z_.begin(), size * freedoms, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    double* w = pairs_.data() + i * unknowns;
    nodes_[i]->solve_rest_adjoint(y[i].a, y[i].lambda, z_.data() + i * freedoms, w);
    if (!has_weights) continue;
    nodes_[i]->dynamics().subtract_partials_transposed(w, y[i].z);
    add_weights(i, {w, unknowns});
    std::fill_n(w, unknowns, 0.0);
    nodes_[i]->move_adjoint(y[i].z, dz_.data() + i * freedoms, dv_.data() + i * freedoms);
  }
  for (int j = 0; j < coupling.size && has_weights; ++j) {
    double* to = z_.data() + static_cast<std::size_t>(j) * freedoms;
    for (int i = 0; i < coupling.size; ++i) {
      const double of_v = coupling.va(i, j), of_q = coupling.q_total(i, j);
      const double* dz = dz_.data() + static_cast<std::size_t>(i) * freedoms;
      const double* dv = dv_.data() + static_cast<std::size_t>(i) * freedoms;
      for (std::size_t k = 0; k < own; ++k) to[k] += of_v * dv[k] + of_q * dz[k];
      for (std::size_t k = own; k < freedoms; ++k) to[k] += of_q * dz[k];
    }
  }
  last_lu_->solve_transposed(z_.data());
  for (std::size_t i = 0; i < size; ++i) {
    double* w = pairs_.data() + i * unknowns;
    nodes_[i]->reduce_force_adjoint(z_.data() + i * freedoms, w);
    if (has_weights) nodes_[i]->rolling_adjoint(z_.data() + i * freedoms, w);
    nodes_[i]->dynamics().subtract_partials_transposed(w, y[i].z);
    add_weights(i, {w, unknowns});
    complete_adjoint(i, y[i].z);
  }
  for (int j = 0; j < coupling.size && has_weights; ++j) {
    double* z = y[static_cast<std::size_t>(j)].z;
    for (int i = 0; i < coupling.size; ++i) {
      const double weight = coupling.qu(i, j), *q = y[static_cast<std::size_t>(i)].z;
      for (int k = 0; k < n(); ++k) z[n() + k] += weight * q[k];
    }
  }
}

}  // namespace perilune::formulation
