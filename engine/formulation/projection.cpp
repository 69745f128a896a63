// SPDX-License-Identifier: MIT
#include "formulation/projection.hpp"

#include <algorithm>
#include <cmath>

#include "at_time.hpp"
#include "error.hpp"
#include "formulation/regularization.hpp"
#include "formulation/step_failure.hpp"
#include "profile.hpp"

namespace perilune::formulation {

namespace {

constexpr double rounding = 1e-16;

/// The penalty form takes redundant constraints as the augmented Lagrangian form does.
Formulation form_of_projection(const Formulation& formulation) {
  const Properties form = properties(formulation);
  if (!form.is_regularized) return Index1{};
  return AugmentedLagrangian{.alpha = form.iterated_alpha.value_or(0)};
}

double largest(const double* x, int count) {
  double size = 0;
  for (int i = 0; i < count; ++i) size = std::max(size, std::abs(x[i]));
  return size;
}

}  // namespace

Projection::Projection(const std::shared_ptr<const System>& system, const std::shared_ptr<const Data>& data,
                       const Formulation& formulation)
    : at_proposal_(system, data, form_of_projection(formulation)),
      n_(at_proposal_.n()),
      m_(at_proposal_.m()),
      end_(at_proposal_.system()),
      solver_(at_proposal_.shared_layout()),
      slots_(at_proposal_.block_slots(solver_.layout(), 0, 0, true)),
      x_(static_cast<std::size_t>(n_ + m_)),
      c_(static_cast<std::size_t>(n_)),
      zero_(x_.size()),
      violation_(static_cast<std::size_t>(m_)) {
  at_proposal_.set_law({1, 0, 0, 0});
  if (!system->constrains_velocities()) return;
  of_positions_alone_ = std::make_unique<Dynamics>(system, data, form_of_projection(formulation));
  of_positions_alone_->set_rows(Dynamics::Rows::OfPositions);
  solver_of_positions_.emplace(at_proposal_.shared_layout());
}

std::vector<linalg::Pivoting> Projection::pivoting() {
  std::vector<linalg::Pivoting> out{at_proposal_.pivoting()};
  if (of_positions_alone_) out.push_back(of_positions_alone_->pivoting());
  out.push_back(solver_.pivoting());
  if (solver_of_positions_) out.push_back(solver_of_positions_->pivoting());
  return out;
}

void Projection::set_pivoting(std::span<const linalg::Pivoting> kept) {
  auto next = kept.begin();
  at_proposal_.set_pivoting(*next++);
  if (of_positions_alone_) of_positions_alone_->set_pivoting(*next++);
  solver_.set_pivoting(*next++);
  if (solver_of_positions_) solver_of_positions_->set_pivoting(*next++);
}

double Projection::correct(Dynamics& metric, std::span<const double> violation, double* state) {
  std::fill_n(x_.begin(), n_, 0.0);
  for (int k = 0; k < m_; ++k) x_[static_cast<std::size_t>(n_ + k)] = -violation[static_cast<std::size_t>(k)];
  metric.solve(x_.data());
  double size = 0;
  for (int i = 0; i < n_; ++i) {
    const double step = x_[static_cast<std::size_t>(i)];
    state[i] += step;
    size = std::max(size, std::abs(step));
    if (!(std::abs(step) < 1e300)) return std::numeric_limits<double>::infinity();
  }
  return size;
}

void Projection::evaluate_end(const Node& x) {
  system().evaluate({x.t, x.q, x.v, nullptr, nullptr}, at_proposal_.data(), end_, system::Part::Constraints);
  ++evaluations_;
}

void Projection::project(const Node& x) {
  const TimedTask timed(Task::Projection);
  std::copy_n(x.q, n_, x.proposed);
  std::copy_n(x.v, n_, x.proposed + n_);
  if (m_ == 0) return;
  at_proposal_.factor_point(x.t, x.q, x.v);
  if (of_positions_alone_) of_positions_alone_->factor_point(x.t, x.q, x.v);
  project_positions(x);
  project_velocities(x);
}

void Projection::project_positions(const Node& x) {
  constexpr int max_iterations = 25;
  constexpr double least_size = 1e-3;  // m: coordinates may be zero where the parts between them are not
  double before = correct(metric_of_positions(), at_proposal_.workspace().phi, x.q);
  evaluate_end(x);
  for (int iteration = 2;; ++iteration) {
    const double correction = correct(metric_of_positions(), end_.phi, x.q), size = largest(x.q, n_);
    if (correction <= 4 * rounding * size) return;
    const double ratio = correction / before;
    const bool is_last =
        ratio * correction <= rounding * size || (ratio > 0.5 && correction <= 1e-10 * std::max(size, least_size));
    evaluate_end(x);
    if (is_last) return;
    if (iteration == max_iterations || !std::isfinite(correction)) {
      throw NumericalError(at_time(x.t) +
                           "no positions satisfy the constraints near those proposed: Newton's method did not "
                           "converge; try a smaller step");
    }
    before = correction;
  }
}

void Projection::project_velocities(const Node& x) {
  std::copy(end_.phi_rate.begin(), end_.phi_rate.end(), violation_.begin());
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 1; iteration <= 10; ++iteration) {
    const double correction = correct(at_proposal_, violation_, x.v);
    if (!(correction < before / 2) || correction <= rounding * largest(x.v, n_)) return;
    before = correction;
    system().mn().multiply(end_.jacobian.data(), x_.data(), violation_.data());
  }
}

void Projection::find_curvature(Dynamics& metric, linalg::LinearSolver& solver, const Node& x, const double* corrected,
                                const double* proposed, Curvature& out) {
  for (int i = 0; i < n_; ++i) c_[static_cast<std::size_t>(i)] = corrected[i] - proposed[i];
  // [M Phi_q(q*)^T; Phi_q(q) 0] times (c, mu) is (0, Phi_q(q) c): this finds mu again.
  std::fill(x_.begin(), x_.end(), 0.0);
  system().mn().multiply(end_.jacobian.data(), c_.data(), x_.data() + n_);
  if (&metric == of_positions_alone_.get()) {
    for (const int k : system().velocity_rows()) x_[static_cast<std::size_t>(n_ + k)] = 0;
  }
  solver.solve(x_.data());
  if (at_proposal_.regularization() != 0) {
    undo_regularization(at_proposal_.regularization(), n_, m_, 1, x_.data(), correction_,
                        [&](double* rhs) { solver.solve(rhs); });
  }
  metric.linearize_metric(x.t, x.proposed, x.proposed + n_, c_.data(), x_.data() + n_);
  const system::Workspace& w = metric.workspace();
  out.stiffness.assign(w.stiffness.begin(), w.stiffness.end());
  out.residual_data.assign(w.residual_data.begin(), w.residual_data.end());
  for (std::size_t k = 0; k < out.stiffness.size(); ++k) out.stiffness[k] -= base_.stiffness[k];
  for (std::size_t k = 0; k < out.residual_data.size(); ++k) out.residual_data[k] -= base_.residual_data[k];
}

void Projection::linearize(const Node& x) {
  if (m_ == 0) return;
  evaluate_end(x);
  system().linearize({x.t, x.q, x.v, zero_.data(), zero_.data()}, at_proposal_.data(), end_, true,
                     system::Part::Constraints);
  const system::Workspace& w = at_proposal_.workspace();
  at_proposal_.evaluate_metric(x.t, x.proposed, x.proposed + n_);
  factor_end(solver_, false, x.t);
  if (solver_of_positions_) factor_end(*solver_of_positions_, true, x.t);
  at_proposal_.linearize_metric(x.t, x.proposed, x.proposed + n_, zero_.data(), zero_.data());
  base_.stiffness.assign(w.stiffness.begin(), w.stiffness.end());
  base_.residual_data.assign(w.residual_data.begin(), w.residual_data.end());
  if (of_positions_alone_) of_positions_alone_->evaluate_metric(x.t, x.proposed, x.proposed + n_);
  linalg::LinearSolver& of_positions = solver_of_positions_ ? *solver_of_positions_ : solver_;
  find_curvature(metric_of_positions(), of_positions, x, x.q, x.proposed, of_positions_);
  find_curvature(at_proposal_, solver_, x, x.v, x.proposed + n_, of_velocities_);
}

void Projection::factor_end(linalg::LinearSolver& solver, bool of_positions_alone, double t) {
  const system::Workspace& w = at_proposal_.workspace();
  double* values = solver.values();
  std::fill_n(values, solver.value_count(), 0.0);
  for (std::size_t k = 0; k < slots_.nn.size(); ++k) values[slots_.nn[k]] = w.mass[k];
  for (std::size_t k = 0; k < slots_.lower.size(); ++k) {
    values[slots_.lower[k]] = end_.jacobian[k];
    values[slots_.upper[k]] = w.jacobian[k];
  }
  for (int slot : slots_.compliance) values[slot] = -at_proposal_.regularization();
  if (of_positions_alone) at_proposal_.leave_out_velocity_rows(slots_, values);
  if (!solver.factor()) fail_singular_step(t);
}

void Projection::tangent(int count, double* z) {
  if (m_ == 0) return;
  const int size = n_ * count, all = (n_ + m_) * count;
  many_.resize(std::max(many_.size(), static_cast<std::size_t>(all)));
  dq_.assign(z, z + size);
  double *q = z, *v = z + size, *x = many_.data(), *low = x + size;
  const double* data = z + 2 * size;
  auto solve_into = [&](linalg::LinearSolver& solver, const Curvature& curvature, std::span<const double> of_data,
                        double* state) {
    system().nn().subtract_product(curvature.stiffness.data(), dq_.data(), x, count);
    system().nd().subtract_product(curvature.residual_data.data(), data, x, count);
    system().mn().subtract_product(end_.jacobian.data(), state, low, count);
    system().md().subtract_product(of_data.data(), data, low, count);
    solver.solve_many(x, count);
    if (at_proposal_.regularization() != 0) {
      undo_regularization(at_proposal_.regularization(), size, m_ * count, 1, x, correction_,
                          [&](double* b) { solver.solve_many(b, count); });
    }
    for (int i = 0; i < size; ++i) state[i] += x[i];
  };
  std::fill_n(x, all, 0.0);
  solve_into(solver_of_positions_ ? *solver_of_positions_ : solver_, of_positions_, end_.phi_data, q);
  std::fill_n(x, all, 0.0);
  system().mn().subtract_product(end_.jacobian_rate.data(), q, low, count);
  solve_into(solver_, of_velocities_, end_.phi_rate_data, v);
}

void Projection::adjoint(double* z) {
  if (m_ == 0) return;
  double *q = z, *v = z + n_, *data = z + 2 * n_;
  const double* low = x_.data() + n_;
  auto solve_from = [&](linalg::LinearSolver& solver, const double* state) {
    std::fill(x_.begin(), x_.end(), 0.0);
    std::copy_n(state, n_, x_.begin());
    solver.solve_transposed(x_.data());
    if (at_proposal_.regularization() == 0) return;
    undo_regularization(at_proposal_.regularization(), n_, m_, 1, x_.data(), correction_,
                        [&](double* b) { solver.solve_transposed(b); });
  };
  auto add_data = [&](const Curvature& curvature, std::span<const double> of_data) {
    system().nd().multiply_transposed(curvature.residual_data.data(), x_.data(), data, -1);
    system().md().multiply_transposed(of_data.data(), low, data, -1);
  };
  solve_from(solver_, v);
  add_data(of_velocities_, end_.phi_rate_data);
  system().mn().multiply_transposed(end_.jacobian.data(), low, v, -1);
  system().mn().multiply_transposed(end_.jacobian_rate.data(), low, q, -1);
  dq_.assign(static_cast<std::size_t>(n_), 0.0);  // what reaches q* past q
  system().nn().multiply_transposed(of_velocities_.stiffness.data(), x_.data(), dq_.data(), -1);
  solve_from(solver_of_positions_ ? *solver_of_positions_ : solver_, q);
  add_data(of_positions_, end_.phi_data);
  system().mn().multiply_transposed(end_.jacobian.data(), low, q, -1);
  system().nn().multiply_transposed(of_positions_.stiffness.data(), x_.data(), q, -1);
  for (int i = 0; i < n_; ++i) q[i] += dq_[static_cast<std::size_t>(i)];
}

}  // namespace perilune::formulation
