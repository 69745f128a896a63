// SPDX-License-Identifier: MIT
// The derivatives of a variational step: of q+ and Lambda from E1, then of v+ and kappa from E3.
#include <algorithm>

#include "formulation/absolute/variational_step.hpp"
#include "formulation/add.hpp"

namespace perilune::formulation {

system::MetricProducts& VariationalStep::metric() {
  if (!metric_) metric_.emplace(*system_);
  return *metric_;
}

void VariationalStep::linearize(double h, const Node& start, std::span<const Node> x) {
  set(h, start, x);
  evaluate();
  differentiate(true);
  factor_step();
  end_.factor_evaluated(to_.t, to_.q, middle_.v);
  ++effort_.factorizations;
  find_end_velocities();
  for (std::size_t k = 0; k < m_; ++k) impulse_[k] = h * middle_.lambda[k] - kappa_[k];
  end_.evaluate(to_.t, to_.q, to_.v, nullptr, nullptr);
  end_.linearize(to_.t, to_.q, to_.v, to_.a, to_.lambda, true, false);
  is_linearized_ = true;
}

const double* VariationalStep::sum(double a, const double* x, double b, const double* y) {
  for (std::size_t k = 0; k < n_; ++k) sum_[k] = a * x[k] + b * y[k];
  return sum_.data();
}

void VariationalStep::subtract_metric(const Node& at, const double* q, const double* d, const double* a,
                                      const double* lambda, double weight, double* out) {
  const std::size_t size = n_ + data_count_, rows = n_ + m_;
  separate_.assign(width_ * size, 0.0);
  products_of_.assign(width_ * rows, 0.0);
  directions_.clear();
  for (std::size_t k = 0; k < width_; ++k) {
    double* z = separate_.data() + k * size;
    for (std::size_t i = 0; i < n_ && q; ++i) z[i] = q[i * width_ + k];
    for (std::size_t i = 0; i < data_count_; ++i) z[n_ + i] = d[i * width_ + k];
    directions_.push_back({z, nullptr, nullptr, nullptr, z + n_, 0});
  }
  metric().add_tangent({at.t, at.q, nullptr, nullptr, nullptr}, *data_, directions_, a, lambda, products_of_.data());
  for (std::size_t k = 0; k < width_; ++k) {
    for (std::size_t i = 0; i < n_; ++i) out[i * width_ + k] -= weight * products_of_[k * rows + i];
  }
}

void VariationalStep::subtract_metric_transposed(const Node& at, const double* w, const double* a, const double* lambda,
                                                 double weight, double* q, double* d) {
  for (std::size_t k = 0; k < n_; ++k) scaled_[k] = -weight * w[k];
  metric().add_gradient({at.t, at.q, nullptr, nullptr, nullptr}, *data_, scaled_.data(), a, lambda,
                        {q, nullptr, nullptr, nullptr, d, 0});
}

void VariationalStep::subtract_mass(const system::Workspace& w, const double* x, double weight, double* out) {
  many_.assign(n_ * width_, 0.0);
  add(many_.data(), weight, x, many_.size());
  system_->nn().subtract_product(w.mass.data(), many_.data(), out, static_cast<int>(width_));
}

void VariationalStep::tangent(int count, const TangentNode& start, std::span<const TangentNode> x,
                              const double* by_length) {
  if (!is_linearized_) {
    const Node nodes[] = {middle_, to_};
    linearize(h_, Node(from_), nodes);
  }
  width_ = static_cast<std::size_t>(count);
  tangent_of_positions(start, x, by_length);
  tangent_of_velocities(start, x, by_length);
}

void VariationalStep::tangent_of_positions(const TangentNode& start, std::span<const TangentNode> x,
                                           const double* by_length) {
  const std::size_t half = n_ * width_;
  const double *of_start = start.z + 2 * half, *of_middle = x[0].z + 2 * half, *of_end = x[1].z + 2 * half;
  z_between_.resize((2 * n_ + data_count_) * width_);
  rows_.resize((n_ + m_) * width_);
  double *q = z_between_.data(), *v = q + half, *low = rows_.data() + half;
  for (std::size_t k = 0; k < half; ++k) {
    q[k] = (1 - alpha_) * start.z[k];
    v[k] = -start.z[k] / h_;
    if (by_length) v[k] -= middle_.v[k / width_] / h_ * by_length[k % width_];
  }
  std::copy_n(of_middle, data_count_ * width_, v + half);
  between_.negative_partials(q, static_cast<int>(width_), rows_.data());
  for (double& each : rows_) each *= first_;
  subtract_mass(between_.workspace(), v, 1, rows_.data());
  subtract_mass(start_, start.z + half, -1, rows_.data());
  if (share_ > 0) {
    subtract_mass(start_, v, share_, rows_.data());
    subtract_mass(end_.workspace(), v, -share_, rows_.data());
    subtract_metric(to_, nullptr, of_end, middle_.v, nullptr, -share_, rows_.data());
  }
  subtract_metric(from_, start.z, of_start, sum(share_, middle_.v, -1, from_.v), impulse_.data(), 1, rows_.data());
  if (alpha_ != 0.5) subtract_metric(middle_, nullptr, of_middle, middle_.v, nullptr, 2 * alpha_ - 1, rows_.data());
  const system::Workspace& w = between_.workspace();
  for (std::size_t k = 0; k < half && by_length; ++k) {
    rows_[k] += (1 - alpha_) * w.force[k / width_] * by_length[k % width_];
  }
  std::fill_n(low, m_ * width_, 0.0);
  system_->md().subtract_product(end_.workspace().phi_data.data(), of_end, low, static_cast<int>(width_));
  for (std::size_t k = 0; k < m_ * width_; ++k) low[k] /= h_;
  step_.solve_many(rows_.data(), static_cast<int>(width_));
  dx_.resize(half);
  for (std::size_t k = 0; k < half; ++k) {
    dx_[k] = h_ * rows_[k];
    q[k] += alpha_ * dx_[k];
    v[k] += rows_[k];
  }
  std::copy_n(low, m_ * width_, x[0].x + half);  // of Lambda, for now
}

void VariationalStep::tangent_of_velocities(const TangentNode& start, std::span<const TangentNode> x,
                                            const double* by_length) {
  const std::size_t half = n_ * width_;
  const double *of_start = start.z + 2 * half, *of_middle = x[0].z + 2 * half, *of_end = x[1].z + 2 * half;
  const double *q = z_between_.data(), *v = q + half;
  double* low = rows_.data() + half;
  const int width = static_cast<int>(width_);
  between_.negative_partials(q, width, rows_.data());
  for (double& each : rows_) each *= second_;
  subtract_mass(between_.workspace(), v, -1, rows_.data());
  subtract_metric(middle_, q, of_middle, middle_.v, nullptr, -(1 + 2 * alpha_), rows_.data());
  if (share_ > 0) {
    subtract_mass(start_, v, share_, rows_.data());
    subtract_mass(end_.workspace(), v, -share_, rows_.data());
    subtract_metric(from_, start.z, of_start, middle_.v, nullptr, share_, rows_.data());
  }
  subtract_metric(to_, dx_.data(), of_end, sum(1, to_.v, -share_, middle_.v), kappa_.data(), 1, rows_.data());
  const system::Workspace& w = between_.workspace();
  for (std::size_t k = 0; k < half && by_length; ++k) {
    rows_[k] += alpha_ * w.force[k / width_] * by_length[k % width_];
  }
  system_->mn().negative_product(end_.workspace().jacobian_rate.data(), dx_.data(), low, width);
  system_->md().subtract_product(end_.workspace().phi_rate_data.data(), of_end, low, width);
  end_.solve_many(rows_.data(), width);
  std::copy_n(q, 2 * half, x[0].z);
  std::copy_n(dx_.data(), half, x[1].z);
  std::copy_n(rows_.data(), half, x[1].z + half);
  end_.tangent(x[1].z, width, x[1].x);
  for (std::size_t k = 0; k < half; ++k) {
    x[0].x[k] = (rows_[k] - start.z[half + k]) / h_;
    if (by_length) x[0].x[k] -= middle_.a[k / width_] / h_ * by_length[k % width_];
  }
  for (std::size_t k = 0; k < m_ * width_; ++k) {
    double& lambda = x[0].x[half + k];
    lambda = (lambda + low[k]) / h_;
    if (by_length) lambda -= middle_.lambda[k / width_] / h_ * by_length[k % width_];
  }
}

void VariationalStep::adjoint(const AdjointNode& start, std::span<const AdjointNode> x) {
  end_.adjoint(x[1].a, x[1].lambda, x[1].z);
  add(x[1].z + n_, 1 / h_, x[0].a, n_);
  add(start.z + n_, -1 / h_, x[0].a, n_);
  adjoint_of_velocities(start, x);
  adjoint_of_positions(start, x);
}

void VariationalStep::adjoint_of_velocities(const AdjointNode& start, std::span<const AdjointNode> x) {
  double *w = w_.data(), *low = w + n_, *data = start.z + 2 * n_;
  std::copy_n(x[1].z + n_, n_, w);
  for (std::size_t k = 0; k < m_; ++k) low[k] = x[0].lambda[k] / h_;
  end_.solve_transposed(w);
  std::fill(z_.begin(), z_.end(), 0.0);
  for (std::size_t k = 0; k < n_; ++k) scaled_[k] = second_ * w[k];
  between_.subtract_partials_transposed(scaled_.data(), z_.data());
  add_mass(between_.workspace(), w, 1, z_.data() + n_);
  add_mass_change(w, -1, z_.data() + n_);
  subtract_metric_transposed(middle_, w, middle_.v, nullptr, -(1 + 2 * alpha_), z_.data(), data);
  if (share_ > 0) subtract_metric_transposed(from_, w, middle_.v, nullptr, share_, start.z, data);
  subtract_metric_transposed(to_, w, sum(1, to_.v, -share_, middle_.v), kappa_.data(), 1, x[1].z, data);
  system_->mn().multiply_transposed(end_.workspace().jacobian_rate.data(), low, x[1].z, -1);
  system_->md().multiply_transposed(end_.workspace().phi_rate_data.data(), low, data, -1);
  add(x[0].z, 1, z_.data(), 2 * n_);
  add(data, 1, z_.data() + 2 * n_, data_count_);
}

void VariationalStep::adjoint_of_positions(const AdjointNode& start, std::span<const AdjointNode> x) {
  const double *q = x[0].z, *v = q + n_;
  double *w = w_.data(), *low = w + n_, *data = start.z + 2 * n_;
  for (std::size_t k = 0; k < n_; ++k) {
    w[k] = h_ * (x[1].z[k] + alpha_ * q[k]) + v[k];
    start.z[k] += (1 - alpha_) * q[k] - v[k] / h_;
  }
  for (std::size_t k = 0; k < m_; ++k) low[k] = x[0].lambda[k] / h_;
  step_.solve_transposed(w);
  std::fill(z_.begin(), z_.end(), 0.0);
  for (std::size_t k = 0; k < n_; ++k) scaled_[k] = first_ * w[k];
  between_.subtract_partials_transposed(scaled_.data(), z_.data());
  add_mass(between_.workspace(), w, -1, z_.data() + n_);
  add_mass_change(w, -1, z_.data() + n_);
  for (std::size_t k = 0; k < n_; ++k) start.z[k] += (1 - alpha_) * z_[k] - z_[n_ + k] / h_;
  add(data, 1, z_.data() + 2 * n_, data_count_);
  add_mass(start_, w, 1, start.z + n_);
  subtract_metric_transposed(from_, w, sum(share_, middle_.v, -1, from_.v), impulse_.data(), 1, start.z, data);
  if (alpha_ != 0.5) subtract_metric_transposed(middle_, w, middle_.v, nullptr, 2 * alpha_ - 1, nullptr, data);
  if (share_ > 0) subtract_metric_transposed(to_, w, middle_.v, nullptr, -share_, nullptr, data);
  system_->md().multiply_transposed(end_.workspace().phi_data.data(), low, data, -1 / h_);
}

}  // namespace perilune::formulation
