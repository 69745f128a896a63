// SPDX-License-Identifier: MIT
#include "analysis/small_motion/pencil.hpp"

#include <utility>

namespace perilune::analysis {

namespace {

using Complex = std::complex<double>;

/// out += scale * matrix^T x
void add_transposed(const Sparse& matrix, const MatrixXd& x, double scale, MatrixXd& out) {
  for (Index k = 0; k < x.cols(); ++k) {
    matrix.pattern.multiply_transposed(matrix.values.data(), x.col(k).data(), out.col(k).data(), scale);
  }
}

}  // namespace

MatrixXd complex_columns(const Eigen::VectorXcd& x) {
  MatrixXd out(x.size(), 2);
  out.col(0) = x.real();
  out.col(1) = x.imag();
  return out;
}

MatrixXd times(Complex s, const MatrixXd& x) {
  MatrixXd out(x.rows(), 2);
  out.col(0) = s.real() * x.col(0) - s.imag() * x.col(1);
  out.col(1) = s.real() * x.col(1) + s.imag() * x.col(0);
  return out;
}

Complex product_of(const MatrixXd& a, const MatrixXd& b) {
  return {a.col(0).dot(b.col(0)) - a.col(1).dot(b.col(1)), a.col(0).dot(b.col(1)) + a.col(1).dot(b.col(0))};
}

Pencil::Pencil(const LinearizedState& state, const LinearFlow* flow)
    : state_(state), flow_(flow), all_rows_(state.system_.constraint_count()) {
  const auto n = static_cast<Index>(state.n_), rank = static_cast<Index>(state.rank());
  MatrixXd independent = MatrixXd::Zero(rank, n);
  state.jacobian_.add_to(independent);
  jacobian_ = MatrixXd::Zero(all_rows_, n);
  jacobian_(state.rows_, Eigen::all) = independent;
  if (rank == 0) return;
  velocities_.compute(independent.transpose());
  const MatrixXd of_positions = independent(state.position_rows_, Eigen::all);
  if (of_positions.rows() > 0) positions_.compute(of_positions.transpose());
}

MatrixXd Pencil::flowed(const MatrixXd& x) const {
  return flow_ ? flow_->derivative(x) : MatrixXd(MatrixXd::Zero(x.rows(), x.cols()));
}

MatrixXd Pencil::of_velocity_rows(const MatrixXd& right) const {
  if (state_.rank() == 0) return MatrixXd::Zero(0, right.cols());
  return velocities_.solve(right);
}

MatrixXd Pencil::of_position_rows(const MatrixXd& right) const {
  MatrixXd out = MatrixXd::Zero(all_rows_, right.cols());
  if (state_.position_rows_.empty()) return out;
  const MatrixXd found = positions_.solve(right);
  Index row = 0;
  for (const int k : state_.position_rows_) out.row(state_.row(k)) = found.row(row++);
  return out;
}

Eigen::MatrixXcd Pencil::neighbours(const Eigen::MatrixXcd& x) const {
  const auto [dq, dv] = state_.columns();
  Eigen::MatrixXcd out(2 * dq.rows(), x.cols());
  out << dq * x, dv * x;
  return out;
}

PencilMotion Pencil::motion(const Eigen::VectorXcd& x, Complex s, const Eigen::VectorXcd& fed) const {
  const auto n = static_cast<Index>(state_.n_), rank = static_cast<Index>(state_.rank());
  const auto [dq, dv] = state_.columns();
  const MatrixXd unknowns = complex_columns(x), given = complex_columns(fed);
  const auto spread = [&](const MatrixXd& part) {  // to all constraints
    MatrixXd out = MatrixXd::Zero(all_rows_, part.cols());
    out(state_.rows_, Eigen::all) = part;
    return out;
  };
  PencilMotion out;
  out.q = dq * unknowns;
  out.v = dv * unknowns;
  const MatrixXd solution = state_.solution_of(out.q, out.v);
  out.a = solution.topRows(n);
  out.lambda = spread(solution.bottomRows(rank));
  // First-order states have rates of their own, which no constraint meets.
  out.mu = of_position_rows(out.v - dq * given - times(s, out.q) - flowed(out.q));
  MatrixXd across = out.a - dv * given - times(s, out.v) - flowed(out.v);
  MatrixXd kappa = MatrixXd::Zero(rank, 2);
  if (!flow_ && rank > 0) {
    kappa = of_velocity_rows(out.v);
    add_transposed(state_.acceleration_by_velocity_, kappa, -1, across);
    add_transposed(state_.rate_, kappa, 1, across);
  }
  out.nu = spread(of_velocity_rows(across));
  out.kappa = spread(kappa);
  return out;
}

PencilWeights Pencil::weights(const Eigen::VectorXcd& eta, Complex s) const {
  const auto n = static_cast<Index>(state_.n_), rank = static_cast<Index>(state_.rank());
  const Index d = state_.position_freedoms(), e = state_.velocity_freedoms();
  const MatrixXd shares = complex_columns(eta);
  const auto spread = [&](const MatrixXd& part) {
    MatrixXd out = MatrixXd::Zero(all_rows_, part.cols());
    out(state_.rows_, Eigen::all) = part;
    return out;
  };
  PencilWeights out;
  out.of_q = out.of_v = MatrixXd::Zero(n, 2);
  if (d > 0) out.of_q = state_.free_ * shares.topRows(d);
  if (e > 0) out.of_v = state_.rolling_ * shares.middleRows(d, e);
  const auto count = static_cast<Index>(state_.states_.size());
  for (Index k = 0; k < count; ++k) out.of_v.row(state_.states_[static_cast<std::size_t>(k)]) = shares.row(d + e + k);
  for (Index k = count; k < state_.states(); ++k) out.of_q.row(state_.integrated(k - count)) = shares.row(d + e + k);
  MatrixXd right = MatrixXd::Zero(n + rank, 2);
  right.topRows(n) = out.of_v;
  const MatrixXd solution = state_.lu_->transpose().solve(right);
  out.of_forces = solution.topRows(n);
  const MatrixXd of_accelerations = solution.bottomRows(rank);
  MatrixXd of_turning = MatrixXd::Zero(rank, 2);
  if (!flow_ && rank > 0) {
    MatrixXd turned = MatrixXd::Zero(rank, 2);
    state_.acceleration_by_velocity_.add_product(out.of_v, 1, turned);
    state_.rate_.add_product(out.of_v, -1, turned);
    of_turning = of_velocity_rows(velocities_.pseudoInverse().transpose() * turned);
  }
  // D is skew.
  MatrixXd by_v = out.of_q - times(s, out.of_v) + flowed(out.of_v);
  add_transposed(state_.damping_, out.of_forces, -1, by_v);
  add_transposed(state_.acceleration_by_velocity_, of_accelerations, -1, by_v);
  add_transposed(state_.jacobian_, of_turning, -1, by_v);
  const MatrixXd of_velocities = of_velocity_rows(by_v);
  MatrixXd by_q = flowed(out.of_q) - times(s, out.of_q);
  add_transposed(state_.stiffness_, out.of_forces, -1, by_q);
  add_transposed(state_.acceleration_, of_accelerations, -1, by_q);
  add_transposed(state_.rate_, of_velocities, -1, by_q);
  out.of_positions = of_position_rows(by_q);
  out.of_accelerations = spread(of_accelerations);
  out.of_velocities = spread(of_velocities);
  out.of_turning = spread(of_turning);
  return out;
}

}  // namespace perilune::analysis
