// SPDX-License-Identifier: MIT
#include "analysis/small_motion/linearized_state.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/constraint_solver.hpp"
#include "error.hpp"
#include "formulation/implicit_newton.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::analysis {

using system::System;

namespace {

/// a b, in blocks of columns of which none takes long.
MatrixXd product(const Eigen::Ref<const MatrixXd>& a, const MatrixXd& b) {
  constexpr Index width = 32;
  MatrixXd out(a.rows(), b.cols());
  for (Index k = 0; k < b.cols(); k += width) {
    check_interrupt();
    const Index columns = std::min(width, b.cols() - k);
    out.middleCols(k, columns).noalias() = a * b.middleCols(k, columns);
  }
  return out;
}

/// Zeros, of which a hundred megabytes at once would take long.
MatrixXd zeros(Index rows, Index columns) {
  MatrixXd out(rows, columns);
  for (Index k = 0; k < columns; ++k) {
    check_interrupt();
    out.col(k).setZero();
  }
  return out;
}

/// X in A X = b. Without columns there is nothing to solve, and the library's solver would refer to where none is.
MatrixXd solved(const Eigen::FullPivLU<MatrixXd>& lu, const MatrixXd& b) {
  return b.cols() == 0 ? MatrixXd(lu.cols(), 0) : MatrixXd(lu.solve(b));
}

/// The null space of a matrix of full row rank, and the smallest solutions of matrix * X = right.
class NullSpace {
 public:
  explicit NullSpace(const MatrixXd& matrix)
      : rank_(matrix.rows()),
        qr_(matrix.transpose()),
        basis_(qr_.householderQ() * MatrixXd::Identity(matrix.cols(), matrix.cols())) {}

  MatrixXd basis() const { return basis_.rightCols(basis_.cols() - rank_); }
  MatrixXd solve(const MatrixXd& wanted) const {
    const auto R = qr_.matrixQR().topRows(rank_).template triangularView<Eigen::Upper>();
    const MatrixXd along = R.transpose().solve(wanted);
    return basis_.leftCols(rank_) * along;
  }

 private:
  Index rank_;
  Eigen::HouseholderQR<MatrixXd> qr_;
  MatrixXd basis_;
};

}  // namespace

void Sparse::add_to(Eigen::Ref<MatrixXd> out) const {
  std::size_t k = 0;
  pattern.for_each([&](int i, int j) { out(i, j) += values[k++]; });
}

void Sparse::add_transposed_to(Eigen::Ref<MatrixXd> out) const {
  std::size_t k = 0;
  pattern.for_each([&](int i, int j) { out(j, i) += values[k++]; });
}

void Sparse::add_product(const MatrixXd& b, double scale, Eigen::Ref<MatrixXd> out) const {
  for (Index k = 0; k < b.cols(); ++k) {
    check_interrupt();
    pattern.multiply(values.data(), b.col(k).data(), out.col(k).data(), scale);
  }
}

LinearizedState::LinearizedState(const System& s, const system::Data& data, double t, const std::vector<double>& q,
                                 const std::vector<double>& v)
    : system_(s),
      w_(s),
      n_(s.coordinate_count()),
      a_(static_cast<std::size_t>(n_)),
      lambda_(static_cast<std::size_t>(s.constraint_count())) {
  refuse_sampled(s, "a linearization");
  s.evaluate_metric(t, q.data(), v.data(), data, w_);
  const system::ConstraintRank constraints = system::constraint_rank(s, w_);
  system::require_determined_reads(s, data, q, constraints.rows);
  rows_ = constraints.rows.independent;
  for (int k = 0; k < rank(); ++k) {
    if (!s.is_velocity_row(row(k))) position_rows_.push_back(k);
  }
  for (int i = 0; i < n_; ++i) (s.role(i) == model::Role::State ? states_ : motion_).push_back(i);
  factor(w_.mass, {});
  VectorXd right(n_ + rank());
  for (int i = 0; i < n_; ++i) right[i] = w_.force[static_cast<std::size_t>(i)];
  for (int k = 0; k < rank(); ++k) right[n_ + k] = -w_.phi_bias[static_cast<std::size_t>(row(k))];
  const VectorXd x = lu_->solve(right);
  if (!x.allFinite())
    throw NumericalError("the equations of motion are not finite: " + s.explain_failure({t, q.data(), v.data()}, data));
  std::copy_n(x.data(), n_, a_.begin());
  for (int k = 0; k < rank(); ++k) lambda_[static_cast<std::size_t>(row(k))] = x[n_ + k];
  const system::Kinematics at{t, q.data(), v.data(), a_.data(), lambda_.data()};
  if (s.is_implicit()) solve_implicitly(at, data);
  s.linearize(at, data, w_, false);
  stiffness_ = Sparse(s.nn(), w_.stiffness);
  damping_ = Sparse(s.nn(), w_.damping);
  rate_ = independent_rows(w_.jacobian_rate);
  acceleration_ = independent_rows(w_.jacobian_acceleration);
  std::vector<double> by_velocity(w_.jacobian_rate.begin(), w_.jacobian_rate.end());
  for (double& entry : by_velocity) entry *= 2;
  s.for_velocity_entries(s.mn(), [&](std::size_t k) { by_velocity[k] = w_.acceleration_by_velocity[k]; });
  acceleration_by_velocity_ = independent_rows(by_velocity);
  find_freedoms();
  find_integrals();
}

std::pair<MatrixXd, MatrixXd> LinearizedState::columns() const {
  const Index d = position_freedoms(), e = velocity_freedoms();
  std::pair<MatrixXd, MatrixXd> out{zeros(n_, size()), zeros(n_, size())};
  auto& [dq, dv] = out;
  if (d > 0) {
    dq.leftCols(d) = free_;
    dv.leftCols(d) = particular_;
  }
  if (e > 0) dv.middleCols(d, e) = rolling_;
  const auto count = static_cast<Index>(states_.size());
  for (Index k = 0; k < count; ++k) dv(states_[static_cast<std::size_t>(k)], d + e + k) = 1;
  for (Index k = count; k < states(); ++k) dq(integrated(k - count), d + e + k) = 1;
  return out;
}

MatrixXd LinearizedState::solution_of(const MatrixXd& dq, const MatrixXd& dv) const {
  MatrixXd right = zeros(n_ + rank(), dq.cols());
  stiffness_.add_product(dq, -1, right.topRows(n_));
  damping_.add_product(dv, -1, right.topRows(n_));
  acceleration_.add_product(dq, -1, right.bottomRows(rank()));
  acceleration_by_velocity_.add_product(dv, -1, right.bottomRows(rank()));
  return dense_work(n_, [lu = lu_, b = std::move(right)] { return solved(*lu, b); });
}

MatrixXd LinearizedState::accelerations_along(const MatrixXd& residual_rates) const {
  MatrixXd right(n_ + rank(), residual_rates.cols());
  right.topRows(n_) = -residual_rates.topRows(n_);
  for (int k = 0; k < rank(); ++k) right.row(n_ + k) = -residual_rates.row(n_ + row(k));
  const MatrixXd solution = solved(*lu_, right);
  MatrixXd out = MatrixXd::Zero(residual_rates.rows(), residual_rates.cols());
  out.topRows(n_) = solution.topRows(n_);
  for (int k = 0; k < rank(); ++k) out.row(n_ + row(k)) = solution.row(n_ + k);
  return out;
}

LinearizedState::Rest LinearizedState::rest_along(const MatrixXd& residual_rates) const {
  // Of r and Phi by the positions of what moves, the rates of first-order states, and multipliers.
  MatrixXd matrix = MatrixXd::Zero(n_ + rank(), n_ + rank()), by_states = MatrixXd::Zero(n_, n_);
  stiffness_.add_to(matrix.topLeftCorner(n_, n_));
  damping_.add_to(by_states);
  for (const int i : states_) matrix.col(i).head(n_) = by_states.col(i);
  jacobian_.add_to(matrix.bottomLeftCorner(rank(), n_));
  const double stiffest = std::max(1.0, matrix.topLeftCorner(n_, n_).cwiseAbs().maxCoeff());
  MatrixXd reactions = MatrixXd::Zero(n_, rank());
  jacobian_.add_transposed_to(reactions);
  matrix.topRightCorner(n_, rank()) = stiffest * reactions;
  MatrixXd right(n_ + rank(), residual_rates.cols());
  right.topRows(n_) = -residual_rates.topRows(n_);
  for (int k = 0; k < rank(); ++k) right.row(n_ + k) = -residual_rates.row(n_ + row(k));
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double size = matrix.row(i).cwiseAbs().maxCoeff();
    if (size == 0) continue;
    matrix.row(i) /= size;
    right.row(i) /= size;
  }
  static constexpr double negligible = 1e-11, tolerance = 1e-7;
  const auto found = dense_work(matrix.rows(), [matrix, right, n = n_]() -> std::pair<Rest, double> {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(negligible);
    solver.compute(matrix);
    const MatrixXd solution = solver.solve(right);
    Eigen::ColPivHouseholderQR<MatrixXd> transposed;
    transposed.setThreshold(negligible);
    transposed.compute(matrix.transpose());
    const MatrixXd basis = transposed.householderQ();
    const double left = right.size() == 0 ? 0 : (matrix * solution - right).cwiseAbs().maxCoeff();
    return {{solution.topRows(n), basis.rightCols(matrix.rows() - transposed.rank()).topRows(n)}, left};
  });
  const auto& [both, left] = found;
  const double size = right.size() == 0 ? 0 : right.cwiseAbs().maxCoeff();
  if (!(left <= tolerance * size)) {
    throw NumericalError("the equilibrium gets lost when the parameters change: nothing holds a part that is pushed");
  }
  const auto split = [this](const MatrixXd& moved) {
    MatrixXd out = MatrixXd::Zero(2 * n_, moved.cols());
    out.topRows(n_) = moved;
    for (const int i : states_) {
      out.row(n_ + i) = moved.row(i);
      out.row(i).setZero();
    }
    return out;
  };
  return {split(both.moved), split(both.neutral)};
}

MatrixXd LinearizedState::position_violation(const MatrixXd& dq) const {
  MatrixXd all = zeros(rank(), dq.cols());
  jacobian_.add_product(dq, 1, all);
  return all(position_rows_, Eigen::all);
}

MatrixXd LinearizedState::velocity_violation(const MatrixXd& dq, const MatrixXd& dv) const {
  MatrixXd all = zeros(rank(), dq.cols());
  jacobian_.add_product(dv, 1, all);
  rate_.add_product(dq, 1, all);
  return all;
}

MatrixXd LinearizedState::matrix(const LinearFlow* flow) const {
  const Index d = position_freedoms(), e = velocity_freedoms();
  if (size() == 0) return {};
  auto [dq, dv] = columns();
  const MatrixXd da = acceleration_of(dq, dv);
  MatrixXd A = MatrixXd::Zero(size(), size());
  if (flow) {
    if (d > 0) A.topRows(d) = product(free_.transpose(), dv - flow->derivative(dq));
    if (e > 0) A.middleRows(d, e) = product(rolling_.transpose(), da - flow->derivative(dv));
  } else {
    if (rolls()) {
      A.topRows(d) = product(free_.transpose(), dv);
    } else if (d > 0) {
      A.block(0, d, d, d).setIdentity();
    }
    if (e > 0) A.middleRows(d, e) = product(rolling_.transpose(), da) + product(turning_.transpose(), dv);
  }
  const auto count = static_cast<Index>(states_.size());
  for (Index k = 0; k < count; ++k) A.row(d + e + k) = da.row(states_[static_cast<std::size_t>(k)]);
  for (Index k = count; k < states(); ++k) {
    A(d + e + k, d + e + integrals_[static_cast<std::size_t>(k - count)]) = 1;
  }
  return A;
}

MatrixXd LinearizedState::input_matrix(const MatrixXd& residual_rates) const {
  const MatrixXd da = accelerations_along(residual_rates).topRows(n_);
  const Index d = position_freedoms(), e = velocity_freedoms();
  MatrixXd B = MatrixXd::Zero(size(), residual_rates.cols());
  if (e > 0) B.middleRows(d, e) = rolling_.transpose() * da;
  for (std::size_t k = 0; k < states_.size(); ++k) B.row(d + e + static_cast<Index>(k)) = da.row(states_[k]);
  return B;
}

std::vector<std::complex<double>> LinearizedState::shape(const Eigen::VectorXcd& x) const {
  Eigen::VectorXcd out = Eigen::VectorXcd::Zero(n_);
  const Index d = position_freedoms(), z = d + velocity_freedoms();
  if (d > 0) out = free_.cast<std::complex<double>>() * x.head(d);
  for (std::size_t k = 0; k < states_.size(); ++k) out[states_[k]] = x[z + static_cast<Index>(k)];
  Index largest = 0;
  if (out.cwiseAbs().maxCoeff(&largest) > 0) out /= std::complex<double>(out[largest]);
  return {out.data(), out.data() + out.size()};
}

/// Of a matrix with a row for each constraint.
Sparse LinearizedState::independent_rows(std::span<const double> all) const {
  const linalg::SparsePattern& pattern = system_.mn();
  linalg::Entries entries;
  std::vector<double> values;
  for (int k = 0; k < rank(); ++k) {
    const auto at = static_cast<std::size_t>(row(k));
    for (int e = pattern.row_start()[at]; e < pattern.row_start()[at + 1]; ++e) {
      entries.emplace(k, pattern.column()[static_cast<std::size_t>(e)]);
      values.push_back(all[static_cast<std::size_t>(e)]);
    }
  }
  return {linalg::SparsePattern(rank(), n_, entries), values};
}

/// Where forces read accelerations and multipliers: from those that these give while they read zeros.
void LinearizedState::solve_implicitly(const system::Kinematics& at, const system::Data& data) {
  formulation::ImplicitNewton newton(at.t, system_);
  for (bool is_solved = false;;) {
    system_.evaluate(at, data, w_);
    factor(w_.inertia, w_.force_multiplier);
    if (is_solved) return;
    VectorXd r = VectorXd::Zero(n_ + rank());
    system_.residual(w_, at.a, at.lambda, r.data());
    newton.judge(w_, r.data(), at.a);
    const VectorXd x = lu_->solve(r);
    VectorXd step = VectorXd::Zero(n_ + system_.constraint_count());
    step.head(n_) = x.head(n_);
    for (int k = 0; k < rank(); ++k) step[n_ + row(k)] = x[n_ + k];
    is_solved = newton.correct(step.data(), a_.data(), lambda_.data());
  }
}

/// The matrix bordered by the independent constraints: r_a, and what forces add by the multipliers that they read.
void LinearizedState::factor(std::span<const double> inertia, std::span<const double> force_multiplier) {
  jacobian_ = independent_rows(w_.jacobian);
  std::vector<std::tuple<int, int, double>> reads;
  std::size_t entry = 0;
  system_.nr().for_each([&](int i, int k) {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), k);
    if (entry < force_multiplier.size() && found != rows_.end() && *found == k) {
      reads.emplace_back(i, n_ + static_cast<int>(found - rows_.begin()), force_multiplier[entry]);
    }
    ++entry;
  });
  lu_ = dense_work(n_ + rank(), [mass = Sparse(system_.nn(), inertia), jacobian = jacobian_, reads = std::move(reads),
                                 n = n_, m = rank()] {
    MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
    for (const auto& [i, j, value] : reads) matrix(i, j) += value;
    mass.add_to(matrix.topLeftCorner(n, n));
    jacobian.add_to(matrix.bottomLeftCorner(m, n));
    jacobian.add_transposed_to(matrix.topRightCorner(n, m));
    return std::make_shared<const Eigen::FullPivLU<MatrixXd>>(matrix);
  });
  if (!lu_->isInvertible()) {
    throw NumericalError(
        "the equations of motion cannot be linearized here: a part that moves has no mass, or "
        "masses and inertias differ too much in size");
  }
}

void LinearizedState::find_integrals() {
  std::vector<char> is_read(static_cast<std::size_t>(n_), 0);
  std::size_t k = 0;
  stiffness_.pattern.for_each([&](int, int j) {
    if (stiffness_.values[k++] != 0) is_read[static_cast<std::size_t>(j)] = 1;
  });
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (is_read[static_cast<std::size_t>(states_[i])]) integrals_.push_back(static_cast<int>(i));
  }
}

void LinearizedState::find_freedoms() {
  const auto count = static_cast<Index>(motion_.size());
  if (rank() == 0) {
    free_ = zeros(n_, count);
    for (Index i = 0; i < count; ++i) free_(motion_[static_cast<std::size_t>(i)], i) = 1;
    rolling_ = free_;
    turning_ = particular_ = zeros(n_, count);
    return;
  }
  const auto work = [jacobian = jacobian_, rate = rate_, by_velocity = acceleration_by_velocity_, motion = motion_,
                     position_rows = position_rows_, n = n_, m = rank()] {
    const auto size = static_cast<Index>(motion.size());
    const auto spread = [&](const MatrixXd& part) {  // to all coordinates
      MatrixXd out = MatrixXd::Zero(n, part.cols());
      for (Index i = 0; i < size; ++i) out.row(motion[static_cast<std::size_t>(i)]) = part.row(i);
      return out;
    };
    MatrixXd all = MatrixXd::Zero(m, n);
    jacobian.add_to(all);
    const MatrixXd both = all(Eigen::all, motion);
    const NullSpace velocities(both);
    const bool rolls = static_cast<int>(position_rows.size()) < m;
    std::array<MatrixXd, 4> out;
    auto& [free, rolling, particular, turning] = out;
    // Eigen's products and blocks have nothing to refer to where nothing is free.
    rolling = size > m ? spread(velocities.basis()) : MatrixXd(n, 0);
    if (!rolls) {
      free = rolling;
    } else if (position_rows.empty()) {
      free = spread(MatrixXd::Identity(size, size));
    } else {
      const MatrixXd of_positions = both(position_rows, Eigen::all);
      free = spread(NullSpace(of_positions).basis());
    }
    particular = turning = MatrixXd(n, 0);
    if (free.cols() > 0) {
      MatrixXd right = MatrixXd::Zero(m, free.cols());
      rate.add_product(free, -1, right);
      particular = spread(velocities.solve(right));
    }
    if (!rolls) {
      turning = particular;
    } else if (rolling.cols() > 0) {
      // With d/dt [Phi_q; A] = (Phi'', Psi')_v - (Phi', Psi)_q.
      MatrixXd right = MatrixXd::Zero(m, rolling.cols());
      by_velocity.add_product(rolling, -1, right);
      rate.add_product(rolling, 1, right);
      turning = spread(velocities.solve(right));
    }
    return out;
  };
  const std::array<MatrixXd, 4> found = dense_work(count, work);
  free_ = found[0];
  rolling_ = found[1];
  particular_ = found[2];
  turning_ = found[3];
}

}  // namespace perilune::analysis
