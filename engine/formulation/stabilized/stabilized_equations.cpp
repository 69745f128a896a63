// SPDX-License-Identifier: MIT
#include "formulation/stabilized/stabilized_equations.hpp"

#include <algorithm>

#include "formulation/step_failure.hpp"
#include "poll.hpp"

namespace perilune::formulation {

namespace {

/// Calls visit(list, row, column) for all entries of a block, with the list of slots that the entry belongs to.
template <class Visit>
void for_each_entry(const System& s, bool is_own, Visit&& visit) {
  using Slots = StabilizedEquations::Slots;
  // Rows: of u, of a, of positions, of their rates. Columns: u, a, mu, lambda.
  const int n = s.coordinate_count(), a = n, mu = 2 * n, position = mu, lambda = mu + s.constraint_count(),
            rate = lambda;
  s.nn().for_each([&](int i, int j) {
    visit(&Slots::u_u, i, j);
    visit(&Slots::a_u, a + i, j);
    visit(&Slots::a_a, a + i, a + j);
  });
  for (int i = 0; i < n; ++i) {
    visit(&Slots::u_u_diagonal, i, i);
    visit(&Slots::u_a_diagonal, i, a + i);
  }
  s.mn().for_each([&](int i, int j) {
    visit(&Slots::position_u, position + i, j);
    visit(&Slots::rate_u, rate + i, j);
    visit(&Slots::rate_a, rate + i, a + j);
    if (!is_own) return;
    visit(&Slots::u_mu, j, mu + i);
    visit(&Slots::a_lambda, a + j, lambda + i);
  });
  if (!is_own) return;
  s.nr().for_each([&](int i, int j) { visit(&Slots::reads, a + i, lambda + j); });
  for (const int k : s.velocity_rows()) visit(&Slots::mu_mu, position + k, mu + k);
}

int unknowns_of(const System& s) { return 2 * (s.coordinate_count() + s.constraint_count()); }

std::shared_ptr<const linalg::MatrixLayout> layout_of(const System& s, int size) {
  linalg::Entries entries;
  const int block = unknowns_of(s);
  Poll poll;
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      for_each_entry(s, row == column, [&](auto, int i, int j) {
        poll();
        entries.emplace(row * block + i, column * block + j);
      });
    }
  }
  return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(size * block, size * block, entries));
}

/// values[slot] += weight * x, entry by entry.
void scatter(const std::vector<int>& slots, double weight, std::span<const double> x, double* values) {
  for (std::size_t k = 0; k < slots.size(); ++k) values[slots[k]] += weight * x[k];
}

}  // namespace

StabilizedEquations::StabilizedEquations(std::shared_ptr<const System> system, std::shared_ptr<const Data> data)
    : system_(std::move(system)),
      data_(std::move(data)),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      of_mu_(*system_),
      zero_(static_cast<std::size_t>(n_), 0.0) {}

void StabilizedEquations::evaluate(const Node& x) {
  system_->evaluate({x.t, x.q, x.v, x.a, x.lambda}, *data_, w_);
  if (!system_->constrains_velocities()) return;
  of_positions_.assign(w_.jacobian.begin(), w_.jacobian.end());
  system_->for_velocity_entries(system_->mn(), [this](std::size_t k) { of_positions_[k] = 0; });
}

void StabilizedEquations::residual(const Node& x, double h, double* r) {
  evaluate(x);
  double *of_a = r + n_, *position = r + 2 * n_, *rate = position + m_;
  for (int i = 0; i < n_; ++i) r[i] = x.u[i] - x.v[i];
  system_->mn().multiply_transposed(of_positions().data(), x.mu, r);
  system_->residual(w_, x.a, x.lambda, of_a);
  for (int k = 0; k < m_; ++k) {
    position[k] = w_.phi[static_cast<std::size_t>(k)] / h;
    rate[k] = w_.phi_rate[static_cast<std::size_t>(k)] / h;
  }
  for (const int k : system_->velocity_rows()) position[k] = x.mu[k];
}

void StabilizedEquations::linearize(const Node& x, bool with_data) {
  system_->linearize({x.t, x.q, x.v, x.a, x.lambda}, *data_, w_, with_data);
  system_->linearize({x.t, x.q, x.v, zero_.data(), x.mu}, *data_, of_mu_, with_data, system::Part::Constraints);
}

void StabilizedEquations::add_block(const Slots& slots, double h, double of_v, double of_q, bool is_own,
                                    double* values) const {
  scatter(slots.u_u, of_q, of_mu_.stiffness, values);
  scatter(slots.a_u, of_q, w_.stiffness, values);
  scatter(slots.a_a, of_v, w_.damping, values);
  scatter(slots.rate_u, of_q / h, w_.jacobian_rate, values);
  scatter(slots.rate_a, of_v / h, w_.jacobian, values);
  scatter(slots.position_u, of_q / h, of_positions(), values);
  for (int slot : slots.u_a_diagonal) values[slot] -= of_v;
  if (!is_own) return;
  for (int slot : slots.u_u_diagonal) values[slot] += 1;
  scatter(slots.a_a, 1, w_.inertia, values);
  scatter(slots.u_mu, 1, of_positions(), values);
  for (int slot : slots.mu_mu) values[slot] += 1;
  scatter(slots.a_lambda, 1, w_.jacobian, values);
  scatter(slots.reads, 1, w_.force_multiplier, values);
}

void StabilizedEquations::negative_partials(double h, const double* z, int count, double* out) const {
  const System& s = *system_;
  const int half = n_ * count, low = m_ * count;
  const double *dq = z, *dv = z + half, *data = z + 2 * half;
  double *of_a = out + half, *position = out + 2 * half, *rate = position + low;
  std::copy_n(dv, half, out);
  std::fill_n(of_a, half + 2 * low, 0.0);
  s.nn().subtract_product(of_mu_.stiffness.data(), dq, out, count);
  s.nd().subtract_product(of_mu_.residual_data.data(), data, out, count);
  s.nn().subtract_product(w_.stiffness.data(), dq, of_a, count);
  s.nn().subtract_product(w_.damping.data(), dv, of_a, count);
  s.nd().subtract_product(w_.residual_data.data(), data, of_a, count);
  s.mn().subtract_product(of_positions().data(), dq, position, count);
  s.md().subtract_product(w_.phi_data.data(), data, position, count);
  s.mn().subtract_product(w_.jacobian_rate.data(), dq, rate, count);
  s.mn().subtract_product(w_.jacobian.data(), dv, rate, count);
  s.md().subtract_product(w_.phi_rate_data.data(), data, rate, count);
  for (int k = 0; k < 2 * low; ++k) position[k] /= h;
}

void StabilizedEquations::subtract_partials_transposed(double h, double* w, double* z) const {
  const System& s = *system_;
  double *q = z, *v = z + n_, *data = z + 2 * n_;
  double *of_a = w + n_, *position = w + 2 * n_, *rate = position + m_;
  for (int k = 0; k < 2 * m_; ++k) position[k] /= h;
  for (int i = 0; i < n_; ++i) v[i] += w[i];
  s.nn().multiply_transposed(of_mu_.stiffness.data(), w, q, -1);
  s.nd().multiply_transposed(of_mu_.residual_data.data(), w, data, -1);
  s.nn().multiply_transposed(w_.stiffness.data(), of_a, q, -1);
  s.nn().multiply_transposed(w_.damping.data(), of_a, v, -1);
  s.nd().multiply_transposed(w_.residual_data.data(), of_a, data, -1);
  s.mn().multiply_transposed(of_positions().data(), position, q, -1);
  s.md().multiply_transposed(w_.phi_data.data(), position, data, -1);
  s.mn().multiply_transposed(w_.jacobian_rate.data(), rate, q, -1);
  s.mn().multiply_transposed(w_.jacobian.data(), rate, v, -1);
  s.md().multiply_transposed(w_.phi_rate_data.data(), rate, data, -1);
}

StabilizedMatrix::StabilizedMatrix(const System& system, int size) : size_(size), solver_(layout_of(system, size)) {
  const int block = unknowns_of(system);
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      StabilizedEquations::Slots slots;
      for_each_entry(system, row == column, [&](std::vector<int> StabilizedEquations::Slots::*list, int i, int j) {
        (slots.*list).push_back(solver_.layout().slot(row * block + i, column * block + j));
      });
      slots_.push_back(std::move(slots));
    }
  }
}

void StabilizedMatrix::factor(const Coupling& coupling, std::span<const std::unique_ptr<StabilizedEquations>> nodes,
                              double t) {
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < size_; ++j) {
      nodes[static_cast<std::size_t>(i)]->add_block(slots_[static_cast<std::size_t>(i * size_ + j)], coupling.h,
                                                    coupling.va(i, j), coupling.qu(i, j), i == j, values);
    }
  }
  if (!solver_.factor()) fail_singular_step(t);
}

}  // namespace perilune::formulation
