// SPDX-License-Identifier: MIT
#include "formulation/absolute/variational_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/step_failure.hpp"

namespace perilune::formulation {

using system::Part;

namespace {

/// Positions that differ by less (m) are the same to Newton's method.
constexpr double smallest = 1e-12;

}  // namespace

VariationalStep::VariationalStep(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                 const Formulation& formulation, double alpha, Effort& effort)
    : system_(std::move(system)),
      data_(std::move(data)),
      effort_(effort),
      alpha_(alpha),
      share_(system_->has_moving_mass() ? 0.5 : 0),
      n_(static_cast<std::size_t>(system_->coordinate_count())),
      m_(static_cast<std::size_t>(system_->constraint_count())),
      data_count_(static_cast<std::size_t>(system_->data_count())),
      between_(system_, data_, formulation),
      end_(system_, data_, formulation),
      start_(*system_),
      moving_(*system_),
      still_(*system_),
      step_(between_.shared_layout()),
      momentum_(n_),
      a_(n_),
      impulse_(m_),
      kappa_(m_),
      r_(n_ + m_),
      between_r_(r_.size()),
      w_(r_.size()),
      scaled_(r_.size()),
      z_(2 * n_ + data_count_),
      sum_(n_),
      zero_(r_.size()) {
  between_.set_law({0, 0, 0, 0, 0});
  slots_ = between_.block_slots(step_.layout(), 0, 0, true);
}

void VariationalStep::set(double h, const Node& start, std::span<const Node> x) {
  h_ = h;
  first_ = (1 - alpha_) * h;
  second_ = alpha_ * h;
  from_ = start;
  middle_ = x[0];
  to_ = x[1];
  is_linearized_ = false;
  system_->evaluate({start.t, start.q, start.v, nullptr, nullptr}, *data_, start_, Part::Metric);
}

void VariationalStep::evaluate() {
  for (std::size_t k = 0; k < n_; ++k) {
    const double step = to_.q[k] - from_.q[k];
    middle_.q[k] = from_.q[k] + alpha_ * step;
    middle_.v[k] = step / h_;
    a_[k] = 2 * middle_.v[k] / h_;
  }
  between_.residual(middle_.t, middle_.q, middle_.v, a_.data(), zero_.data(), between_r_.data());
  end_.evaluate_without_forces(to_.t, to_.q, middle_.v);
  ++effort_.evaluations;
}

void VariationalStep::add_mass(const system::Workspace& w, const double* x, double weight, double* out) const {
  system_->mass().multiply(w.mass.data(), x, out, weight);
}

void VariationalStep::add_mass_change(const double* x, double weight, double* out) const {
  if (share_ == 0) return;
  add_mass(start_, x, weight * share_, out);
  add_mass(end_.workspace(), x, -weight * share_, out);
}

void VariationalStep::find_residual() {
  for (std::size_t k = 0; k < n_; ++k) r_[k] = first_ * between_r_[k] - momentum_[k];
  if (alpha_ != 0.5) add_mass(between_.workspace(), middle_.v, 2 * alpha_ - 1, r_.data());
  add_mass_change(middle_.v, 1, r_.data());
  system_->mn().multiply_transposed(start_.jacobian.data(), impulse_.data(), r_.data());
  for (std::size_t k = 0; k < m_; ++k) r_[n_ + k] = end_.workspace().phi[k] / h_;
}

void VariationalStep::differentiate(bool with_data) {
  between_.linearize(middle_.t, middle_.q, middle_.v, a_.data(), zero_.data(), with_data, false);
  ++effort_.jacobians;
  if (share_ == 0) return;
  system_->linearize({to_.t, to_.q, zero_.data(), middle_.v, zero_.data()}, *data_, moving_, false, Part::Masses);
  system_->linearize({to_.t, to_.q, zero_.data(), zero_.data(), zero_.data()}, *data_, still_, false, Part::Masses);
}

void VariationalStep::factor_step() {
  double* values = step_.values();
  std::fill_n(values, step_.value_count(), 0.0);
  const system::Workspace &w = between_.workspace(), &end = end_.workspace();
  const double of_q = first_ * second_;
  for (std::size_t k = 0; k < slots_.nn.size(); ++k) {
    values[slots_.nn[k]] += w.mass[k] + first_ * w.damping[k] + of_q * w.stiffness[k];
  }
  if (share_ > 0) {
    for (const int slot : system_->mass().slots()) {
      const auto k = static_cast<std::size_t>(slot);
      values[slots_.nn[k]] +=
          share_ * (start_.mass[k] - end.mass[k] - h_ * (moving_.stiffness[k] - still_.stiffness[k]));
    }
  }
  for (std::size_t k = 0; k < slots_.lower.size(); ++k) {
    values[slots_.lower[k]] = end.jacobian[k];
    values[slots_.upper[k]] = start_.jacobian[k];
  }
  ++effort_.factorizations;
  if (!step_.factor()) fail_singular_step(to_.t);
}

bool VariationalStep::is_rounding(double correction) const {
  double size = 1;
  for (std::size_t k = 0; k < n_; ++k) size = std::max(size, std::abs(to_.q[k]));
  return h_ * correction <= smallest * size;
}

void VariationalStep::fail(int iterations, double correction) {
  if (!std::isfinite(correction)) between_.factor_point(middle_.t, middle_.q, middle_.v);  // names the force
  fail_newton(to_.t, h_, iterations, correction);
}

void VariationalStep::guess(bool by_acceleration) {
  const double weight = by_acceleration ? h_ / 2 : 0;
  for (std::size_t k = 0; k < n_; ++k) to_.q[k] = from_.q[k] + h_ * (from_.v[k] + weight * from_.a[k]);
  for (std::size_t k = 0; k < m_; ++k) impulse_[k] = first_ * from_.lambda[k];
}

bool VariationalStep::is_smooth() const {
  constexpr double part = 0.1;
  double size = 0, difference = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    const double change = h_ / 2 * from_.a[k], reached = (to_.q[k] - from_.q[k]) / h_ - from_.v[k];
    size = std::max(size, std::abs(change));
    difference = std::max(difference, std::abs(reached - change));
  }
  return difference <= part * size || h_ * difference <= smallest;
}

double VariationalStep::find_correction() {
  find_residual();
  step_.solve(r_.data());
  double size = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    size = std::max(size, std::abs(r_[k]));
    if (!(std::abs(r_[k]) < 1e300)) return std::numeric_limits<double>::infinity();
  }
  return size;
}

void VariationalStep::solve(double h, const Node& start, std::span<const Node> x, double tolerance) {
  set(h, start, x);
  std::fill(momentum_.begin(), momentum_.end(), 0.0);
  add_mass(start_, start.v, 1, momentum_.data());
  guess(expects_smooth_);
  constexpr int max_matrices = 25;
  constexpr double quick = 0.05, rounding = 1e-15;
  double before = std::numeric_limits<double>::infinity();  // the last correction
  for (int matrices = 0;;) {
    evaluate();
    double size = 1;
    for (std::size_t k = 0; k < n_; ++k) size = std::max(size, std::abs(middle_.v[k]));
    const double allowed = tolerance * size;
    // The matrix is kept while it makes corrections shrink quickly, where it costs many residuals, and for the one that
    // is left to make below the tolerance.
    double correction = 0, left = 0;  // the second: of the error, by this iteration
    bool is_kept = matrices > 0 && n_ + m_ > linalg::dense_limit;
    if (is_kept) {
      correction = find_correction();
      left = correction / before;
      is_kept = left <= quick || before <= allowed || (left > 0.5 && is_rounding(correction));
    }
    if (!is_kept) {
      differentiate(false);
      factor_step();
      ++matrices;
      correction = find_correction();
      left = 0;
    }
    for (std::size_t k = 0; k < n_; ++k) to_.q[k] -= h * r_[k];
    for (std::size_t k = 0; k < m_; ++k) impulse_[k] -= r_[n_ + k];
    ++effort_.newton_iterations;
    // Newton's corrections are far larger than what they leave, which momenta would show; those by a matrix that was
    // kept are not.
    if (correction <= allowed && (left * correction <= rounding * size || before <= allowed)) break;
    if (correction > before / 2 && is_rounding(correction)) break;
    before = correction;
    if (matrices == max_matrices || !std::isfinite(correction)) fail(matrices, correction);
  }
  expects_smooth_ = is_smooth();
  // With the last correction: the force of both halves is the same to the last bit, which keeps momenta.
  evaluate();
  end_.factor_evaluated(to_.t, to_.q, middle_.v);
  ++effort_.factorizations;
  find_end_velocities();
  for (std::size_t k = 0; k < n_; ++k) {
    to_.v[k] = r_[k];
    middle_.a[k] = (r_[k] - from_.v[k]) / h_;
  }
  for (std::size_t k = 0; k < m_; ++k) middle_.lambda[k] = (impulse_[k] + kappa_[k]) / h_;
  end_.accelerations_again(to_.t, to_.q, to_.v, to_.a, to_.lambda);
  ++effort_.evaluations;
}

void VariationalStep::find_end_velocities() {
  const system::Workspace& end = end_.workspace();
  for (std::size_t k = 0; k < n_; ++k) r_[k] = -second_ * between_r_[k];
  add_mass(between_.workspace(), middle_.v, 1 + 2 * alpha_, r_.data());
  add_mass_change(middle_.v, -1, r_.data());
  for (std::size_t k = 0; k < m_; ++k) r_[n_ + k] = -end.phi_rate[k];
  system_->mn().multiply(end.jacobian.data(), middle_.v, r_.data() + n_);
  end_.solve(r_.data());
  std::copy_n(r_.data() + n_, m_, kappa_.data());
}

}  // namespace perilune::formulation
