// SPDX-License-Identifier: MIT
#include "formulation/absolute/dynamics.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "fibers.hpp"
#include "formulation/absolute/bordered_layout.hpp"
#include "formulation/implicit_newton.hpp"
#include "formulation/regularization.hpp"
#include "formulation/step_failure.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::formulation {

namespace {

double regularization_of(const Formulation& formulation, const System& system, const Data& data) {
  const std::optional<double> alpha = properties(formulation).iterated_alpha;
  if (!alpha) return 0;
  return *alpha > 0 ? 1 / *alpha : usual_regularization(system, data);
}

}  // namespace

Dynamics::Dynamics(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                   const Formulation& formulation)
    : system_(std::move(system)),
      data_(std::move(data)),
      law_(properties(formulation).point_law),
      regularization_(regularization_of(formulation, *system_, *data_)),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      solver_(bordered_layout(system_)),
      loads_(LoadSpan::of(*system_)),
      rhs_(static_cast<std::size_t>(n_ + m_)),
      correction_(rhs_.size()),
      zero_(rhs_.size()),
      low_q_(system_->mn().size()),
      low_v_(low_q_.size()),
      low_d_(system_->md().size()) {
  slots_ = block_slots(solver_.layout(), 0, 0, true);
  static std::atomic<unsigned> next{0};
  serial_ = ++next;
}

Dynamics::BlockSlots Dynamics::block_slots(const linalg::MatrixLayout& layout, int first_row, int first_column,
                                           bool is_own) const {
  BlockSlots slots;
  auto slot = [&](int i, int j) { return layout.slot(first_row + i, first_column + j); };
  system_->nn().for_each([&](int i, int j) { slots.nn.push_back(slot(i, j)); });
  system_->mn().for_each([&](int i, int j) {
    slots.lower.push_back(slot(n_ + i, j));
    if (is_own) slots.upper.push_back(slot(j, n_ + i));
  });
  if (is_own) system_->nr().for_each([&](int i, int j) { slots.reads.push_back(slot(i, n_ + j)); });
  for (int k = 0; k < m_ && is_own; ++k) slots.compliance.push_back(slot(n_ + k, n_ + k));
  return slots;
}

void Dynamics::assemble_base(Matrix which) {
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  const auto mass = which == Matrix::Metric ? w_.mass : w_.inertia;
  for (std::size_t k = 0; k < slots_.nn.size(); ++k) values[slots_.nn[k]] = mass[k];
  for (std::size_t k = 0; k < slots_.lower.size(); ++k) {
    values[slots_.lower[k]] = w_.jacobian[k];
    values[slots_.upper[k]] = w_.jacobian[k];
  }
  if (which == Matrix::OfResidual) {
    for (std::size_t k = 0; k < slots_.reads.size(); ++k) values[slots_.reads[k]] += w_.force_multiplier[k];
  }
  const double compliance = law_.compliance + regularization_;
  for (int slot : slots_.compliance) values[slot] = -compliance;
  if (rows_ == Rows::OfPositions) leave_out_velocity_rows(slots_, values);
}

void Dynamics::leave_out_velocity_rows(const BlockSlots& slots, double* values) const {
  system_->for_velocity_entries(system_->mn(),
                                [&](std::size_t k) { values[slots.lower[k]] = values[slots.upper[k]] = 0; });
  for (const int k : system_->velocity_rows()) values[slots.compliance[static_cast<std::size_t>(k)]] = -1;
}

void Dynamics::fail_implicitly(const std::string& time) const {
  const auto is_finite = [](std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); });
  };
  if (!is_finite(w_.inertia) || !is_finite(w_.force_multiplier)) {
    throw NumericalError(time + "a force as that of " + system_->implicit_element() +
                         " has no derivative by the accelerations or reactions that it reads, as a root has none "
                         "where it is zero; add a small number under the root");
  }
  // Redundant constraints are no cause where the matrix is regularized; elsewhere they are the first to be named.
  const bool is_regularized = law_.compliance + regularization_ > 0;
  if (!is_regularized && system::constraint_rank(*system_, w_).is_redundant()) return;
  throw StepFailure(time + "the forces that read accelerations and reactions, as " + system_->implicit_element() +
                    ", leave no motion, or more than one, that fits them: friction that jams, too large a "
                    "coefficient, or a part without mass");
}

void Dynamics::fail(double t, const double* q, const double* v) const {
  const std::string time = at_time(t);
  const std::string cause = system_->explain_failure({t, q, v, nullptr, nullptr}, *data_);
  if (!cause.empty()) {
    throw StepFailure(time + cause + ": a division by zero, or a root or logarithm of a negative number");
  }
  if (system_->is_implicit()) fail_implicitly(time);
  const std::string singular = time + "the equations of motion are singular: ";
  const system::ConstraintRank rank = system::constraint_rank(*system_, w_);
  // Another formulation is recommended by those who know which is in use.
  const std::string remedy = law_.compliance + regularization_ > 0 ? "; a smaller alpha may help" : "";
  if (rank.is_redundant()) {
    throw NumericalError(singular + "redundant constraints of " + system::describe(rank.redundant) +
                         ", or a singular position" + remedy);
  }
  if (rank.is_weak()) {
    throw NumericalError(singular + "the constraints of \"" + rank.weakest +
                         "\" almost follow from the others, as at a singular position" + remedy);
  }
  // With independent constraints, the matrix is singular only where they allow a motion that meets no mass.
  const int row = solver_.singular_row();
  if (row < 0 || row >= n_) {
    throw NumericalError(time +
                         "the equations of motion are singular, and it is not known where: a part that can move has "
                         "no mass, or numbers differ too much in size, as when a motion diverges");
  }
  if (rows_ == Rows::OfPositions) {
    throw NumericalError(time + "positions cannot be projected onto the constraints: " + system_->coordinate_name(row) +
                         " has no mass, and constraints on velocities alone hold it; give its part mass, or use "
                         "formulation = mbs.maggi {}");
  }
  const bool has_mass = w_.mass[static_cast<std::size_t>(system_->nn().slot(row, row))] != 0;
  throw NumericalError(time + "the equations of motion are singular (coordinate " + system_->coordinate_name(row) +
                       (has_mass
                            ? "): its part turns without inertia, as a slender rod about itself, or its inertia is "
                              "nothing beside other numbers, as when a motion diverges; hold it, give it inertia, "
                              "or try a smaller step"
                            : "): a part that can move has no mass, or turns without inertia, as a slender rod "
                              "about itself; give it some, or let joints hold it"));
}

void Dynamics::factor_point(double t, const double* q, const double* v) {
  ++evaluations_;
  evaluate_metric(t, q, v);
  factor_evaluated(t, q, v);
}

void Dynamics::factor_evaluated(double t, const double* q, const double* v) {
  assemble_base(Matrix::Metric);
  is_on_the_way_ = false;
  if (!solver_.factor(true)) fail(t, q, v);
}

void Dynamics::accelerations(double t, const double* q, const double* v, double* a, double* lambda) {
  if (Fibers::lane() >= 0 && in_lanes({t, q, v, a, lambda})) return;
  factor_point(t, q, v);
  solve_accelerations(t, q, v, a, lambda);
  if (system_->is_implicit()) solve_implicitly(t, q, v, a, lambda);
}

void Dynamics::accelerations_again(double t, const double* q, const double* v, double* a, double* lambda) {
  evaluate(t, q, v, nullptr, nullptr);
  solve_accelerations(t, q, v, a, lambda);
}

void Dynamics::solve_implicitly(double t, const double* q, const double* v, double* a, double* lambda) {
  is_on_the_way_ = true;
  if (follow_loads(t, q, v, a, lambda, [this](double* x) { solve(x); })) return;
  ImplicitNewton newton(t, *system_);
  for (bool is_solved = false; !is_solved;) {
    evaluate_again(t, q, v, a, lambda);
    residual_here(a, lambda, rhs_.data());
    // Loads have the same slopes until one changes its sign, and factorizations are most of the cost.
    if (newton.is_slow()) {
      assemble_base(Matrix::OfResidual);
      if (!solver_.factor()) fail(t, q, v);
    }
    newton.judge(w_, rhs_.data(), a);
    solve(rhs_.data());
    is_solved = newton.correct(rhs_.data(), a, lambda);
  }
}

bool Dynamics::follow_loads(double t, const double* q, const double* v, double* a, double* lambda,
                            const LoadSpan::Solve& solve) {
  if (!span_loads(t, q, v, a, lambda, nullptr, solve)) return false;
  // What linear equations leave of their residual is of this size, too.
  constexpr double rounding = 1e-13;
  ImplicitNewton newton(t, *system_);
  newton.judge(w_, rhs_.data(), in_span_.data());
  if (!(newton.imbalance() <= rounding)) return false;
  std::copy_n(in_span_.data(), n_, a);
  std::copy_n(in_span_.data() + n_, m_, lambda);
  return true;
}

bool Dynamics::follow_loads_of(const std::vector<int>& rows, double t, const double* q, const double* v,
                               const double* a, const double* guess, double* lambda, double* r,
                               const LoadSpan::Solve& solve) {
  if (!span_loads(t, q, v, a, lambda, guess, solve)) return false;
  constexpr double rounding = 1e-14;  // where Newton's method ends, too
  std::fill(correction_.begin(), correction_.end(), 0.0);
  for (const int i : rows) correction_[static_cast<std::size_t>(i)] = rhs_[static_cast<std::size_t>(i)];
  ImplicitNewton newton(t, *system_);
  newton.judge(w_, correction_.data(), a);
  if (!(newton.imbalance() <= rounding)) return false;
  std::copy_n(in_span_.data() + n_, m_, lambda);
  std::copy_n(rhs_.data(), n_, r);
  return true;
}

bool Dynamics::span_loads(double t, const double* q, const double* v, const double* a, const double* lambda,
                          const double* guess, const LoadSpan::Solve& solve) {
  if (!loads_) return false;
  std::vector<double>& x = in_span_;
  x.assign(a, a + n_);
  x.insert(x.end(), lambda, lambda + m_);
  if (!loads_->complete(t, q, v, *data_, solve, guess, x.data(), w_)) return false;
  residual_here(x.data(), x.data() + n_, rhs_.data());
  return true;
}

void Dynamics::solve_accelerations(double t, const double* q, const double* v, double* a, double* lambda) {
  double* x = rhs_.data();
  std::copy(w_.force.begin(), w_.force.end(), x);
  for (int k = 0; k < m_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    x[n_ + k] = -(w_.phi_bias[i] + rate_of(k) * w_.phi_rate[i] + law_.position * w_.phi[i]);
  }
  solve(x);
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += x[i] - x[i];  // 0, or NaN if any is not finite
  if (sum != 0) fail(t, q, v);
  std::copy_n(x, n_, a);
  std::copy_n(x + n_, m_, lambda);
}

void Dynamics::linearize(double t, const double* q, const double* v, const double* a, const double* lambda,
                         bool with_data, bool refactor) {
  const system::Kinematics at{t, q, v, a, lambda};
  if (refactor) system_->evaluate(at, *data_, w_);
  if (std::exchange(is_on_the_way_, false) || refactor) {
    assemble_base(Matrix::OfResidual);
    if (!solver_.factor(!system_->is_implicit())) fail(t, q, v);
  }
  linearize_here(at, with_data);
}

void Dynamics::linearize_again(double t, const double* q, const double* v, const double* a, const double* lambda,
                               std::span<const double> factor) {
  if (system_->is_implicit() || !solver_.restore(factor)) {
    linearize(t, q, v, a, lambda, true, true);
    return;
  }
  const system::Kinematics at{t, q, v, a, lambda};
  system_->evaluate(at, *data_, w_, system::Part::Constraints);
  linearize_here(at, true);
}

void Dynamics::linearize_here(const system::Kinematics& at, bool with_data) {
  system_->linearize(at, *data_, w_, with_data);
  // Local copies of what does not change: the compiler must assume that writing to the arrays changes members.
  const double acceleration = law_.acceleration, rate = law_.rate, position = law_.position;
  const double *j0 = w_.jacobian.data(), *j1 = w_.jacobian_rate.data(), *j2 = w_.jacobian_acceleration.data();
  double *low_q = low_q_.data(), *low_v = low_v_.data();
  const std::size_t mn = low_q_.size();
#pragma GCC ivdep
  for (std::size_t k = 0; k < mn; ++k) {
    low_q[k] = acceleration * j2[k] + rate * j1[k] + position * j0[k];
    low_v[k] = 2 * acceleration * j1[k] + rate * j0[k];
  }
  system_->for_velocity_entries(system_->mn(), [&](std::size_t k) {
    low_q[k] = acceleration * j2[k] + law_.velocity_rate * j1[k];
    low_v[k] = acceleration * w_.acceleration_by_velocity[k] + law_.velocity_rate * j0[k];
  });
  std::uint64_t bits = 0;
  for (double x : w_.damping) bits |= std::bit_cast<std::uint64_t>(x) << 1;  // without the sign
  has_damping_ = bits != 0;
  if (!with_data) return;
  for (std::size_t k = 0; k < low_d_.size(); ++k) {
    low_d_[k] = acceleration * w_.phi_acceleration_data[k] + rate * w_.phi_rate_data[k] + position * w_.phi_data[k];
  }
  system_->for_velocity_entries(system_->md(), [&](std::size_t k) {
    low_d_[k] = acceleration * w_.phi_acceleration_data[k] + law_.velocity_rate * w_.phi_rate_data[k];
  });
}

void Dynamics::negative_partials(const double* z, int count, double* out) const {
  const double *zv = z + n_ * count, *zd = zv + n_ * count;
  double* low = out + n_ * count;
  if (has_damping_) {
    system_->nn().negative_products(w_.stiffness.data(), z, w_.damping.data(), zv, out, count);
  } else {
    system_->nn().negative_product(w_.stiffness.data(), z, out, count);
  }
  system_->mn().negative_products(low_q_.data(), z, low_v_.data(), zv, low, count);
  if (!w_.residual_data.empty()) system_->nd().subtract_product(w_.residual_data.data(), zd, out, count);
  if (!low_d_.empty()) system_->md().subtract_product(low_d_.data(), zd, low, count);
}

void Dynamics::subtract_partials_transposed(const double* w, double* z) const {
  const double* low = w + n_;
  double *zv = z + n_, *zd = zv + n_;
  system_->nn().multiply_transposed(w_.stiffness.data(), w, z, -1);
  if (has_damping_) system_->nn().multiply_transposed(w_.damping.data(), w, zv, -1);
  system_->nd().multiply_transposed(w_.residual_data.data(), w, zd, -1);
  system_->mn().multiply_transposed(low_q_.data(), low, z, -1);
  system_->mn().multiply_transposed(low_v_.data(), low, zv, -1);
  system_->md().multiply_transposed(low_d_.data(), low, zd, -1);
}

void Dynamics::tangent(const double* z, int count, double* x) {
  negative_partials(z, count, x);
  solve_many(x, count);
}

void Dynamics::adjoint(const double* abar, const double* lbar, double* z) {
  std::copy_n(abar, n_, rhs_.data());
  std::copy_n(lbar, m_, rhs_.data() + n_);
  solve_transposed(rhs_.data());
  subtract_partials_transposed(rhs_.data(), z);
}

void Dynamics::residual(double t, const double* q, const double* v, const double* a, const double* lambda, double* r) {
  ++evaluations_;
  evaluate(t, q, v, a, lambda);
  residual_here(a, lambda, r);
}

void Dynamics::residual_here(const double* a, const double* lambda, double* r) const {
  system_->residual(w_, a, lambda, r);
  double* low = r + n_;
  for (int k = 0; k < m_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    low[k] = law_.acceleration * w_.phi_bias[i] + rate_of(k) * w_.phi_rate[i] + law_.position * w_.phi[i] -
             law_.compliance * lambda[k];
  }
  system_->mn().multiply(w_.jacobian.data(), a, low, law_.acceleration);
}

void Dynamics::add_block(const BlockSlots& slots, double of_v, double of_q, bool is_own, double* values) const {
  for (std::size_t k = 0; k < slots.nn.size(); ++k) {
    values[slots.nn[k]] += of_v * w_.damping[k] + of_q * w_.stiffness[k] + (is_own ? w_.inertia[k] : 0);
  }
  for (std::size_t k = 0; k < slots.lower.size(); ++k) {
    values[slots.lower[k]] += of_v * low_v_[k] + of_q * low_q_[k] + (is_own ? law_.acceleration * w_.jacobian[k] : 0);
  }
  for (std::size_t k = 0; k < slots.upper.size(); ++k) values[slots.upper[k]] += w_.jacobian[k];
  for (std::size_t k = 0; k < slots.reads.size(); ++k) values[slots.reads[k]] += w_.force_multiplier[k];
  for (int slot : slots.compliance) values[slot] -= law_.compliance + regularization_;
}

void Dynamics::factor_shifted(double of_v, double of_q, double t) {
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  add_block(slots_, of_v, of_q, true, values);
  is_on_the_way_ = false;
  if (!solver_.factor()) fail_singular_step(t);
}

bool Dynamics::factor_values(std::span<const double> values) {
  std::copy(values.begin(), values.end(), solver_.values());
  is_on_the_way_ = false;
  return solver_.factor();
}

void Dynamics::solve(double* x) {
  solver_.solve(x);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_, m_, 1, x, correction_, [&](double* b) { solver_.solve(b); });
}

void Dynamics::solve_transposed(double* x) {
  solver_.solve_transposed(x);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_, m_, 1, x, correction_, [&](double* b) { solver_.solve_transposed(b); });
}

void Dynamics::solve_many(double* x, int count) {
  solver_.solve_many(x, count);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_ * count, m_ * count, 1, x, correction_,
                      [&](double* b) { solver_.solve_many(b, count); });
}

void Dynamics::apply_mass_transposed(const double* w, double* out) const {
  system_->nn().multiply_transposed(w_.inertia.data(), w, out);
  system_->mn().multiply_transposed(w_.jacobian.data(), w + n_, out);
}

}  // namespace perilune::formulation
