// SPDX-License-Identifier: MIT
#include "analysis/linearization.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "analysis/linearized_state.hpp"
#include "analysis/steady_motion.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

using system::System;

Mode mode_of(std::complex<double> value, std::vector<std::complex<double>> shape) {
  const double size = std::abs(value);
  Mode mode{value.real(), value.imag(), 0, 0, std::move(shape)};
  if (value.imag() > 0) mode.frequency = size / (2 * std::numbers::pi);
  if (size > 0) mode.damping = -value.real() / size;
  return mode;
}

/// Q^T A Q = (Z B; 0 C) with Q orthogonal and Z nilpotent: the eigenvalue 0 with all its multiplicity is in Z.
struct ZerosApart {
  MatrixXd basis, matrix;
  Index zeros = 0;
};

/// What rolls off leaves chains of eigenvalues 0, which rounding would move by its roots, and their neighbours, too.
ZerosApart zeros_apart(const MatrixXd& A) {
  constexpr double negligible = 1e-13;
  const Index n = A.rows();
  ZerosApart out{MatrixXd::Identity(n, n), A, 0};
  const double limit = negligible * A.norm();
  while (out.zeros < n) {
    const Index left = n - out.zeros;
    const Eigen::JacobiSVD<MatrixXd> svd(out.matrix.bottomRightCorner(left, left), Eigen::ComputeFullV);
    Index count = 0;
    while (count < left && svd.singularValues()[left - 1 - count] <= limit) ++count;
    if (count == 0) break;
    const MatrixXd turned = svd.matrixV().rowwise().reverse();  // the null space first
    out.matrix.rightCols(left) = (out.matrix.rightCols(left) * turned).eval();
    out.matrix.bottomRows(left) = (turned.transpose() * out.matrix.bottomRows(left)).eval();
    out.basis.rightCols(left) = (out.basis.rightCols(left) * turned).eval();
    out.matrix.block(out.zeros, out.zeros, left, count).setZero();
    out.zeros += count;
  }
  return out;
}

Linearization modes_of(const LinearizedState& state, const LinearFlow* flow) {
  Linearization out;
  out.degrees_of_freedom = state.velocity_freedoms();
  out.position_freedoms = state.position_freedoms();
  out.states = state.states();
  const MatrixXd A = state.matrix(flow);
  if (A.rows() == 0) return out;
  if (!A.allFinite()) throw NumericalError("the linearized equations of motion are not finite");
  ZerosApart apart{MatrixXd(), A, 0};
  const bool rolls_off = flow || out.degrees_of_freedom != out.position_freedoms;
  if (rolls_off) apart = dense_work(A.rows(), [A] { return zeros_apart(A); });
  const Index zeros = apart.zeros, rest = A.rows() - zeros;
  for (Index k = 0; k < zeros; ++k) {
    out.eigenvalues.emplace_back(0);
    out.modes.push_back(mode_of(0, state.shape(apart.basis.col(k).cast<std::complex<double>>())));
  }
  if (rest == 0) return out;
  const MatrixXd moving = apart.matrix.bottomRightCorner(rest, rest);
  const auto solver = dense_work(rest, [moving] { return Eigen::EigenSolver<MatrixXd>(moving); });
  if (solver.info() != Eigen::Success) throw NumericalError("the eigenvalues of the linearized motion were not found");
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Index k = 0; k < rest; ++k) {
    check_interrupt();
    const std::complex<double> value = solver.eigenvalues()[k];
    out.eigenvalues.push_back(value);
    if (value.imag() < 0) continue;
    Eigen::VectorXcd x = vectors.col(k);
    if (zeros > 0) {
      const Eigen::MatrixXcd shifted =
          value * MatrixXd::Identity(zeros, zeros) - apart.matrix.topLeftCorner(zeros, zeros);
      Eigen::VectorXcd whole(A.rows());
      whole << shifted.fullPivLu().solve(apart.matrix.topRightCorner(zeros, rest) * x), x;
      x = apart.basis * whole;
    }
    out.modes.push_back(mode_of(value, state.shape(x)));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const Mode& a, const Mode& b) {
    return std::hypot(a.real, a.imaginary) < std::hypot(b.real, b.imaginary);
  });
  return out;
}

/// Beyond what rounding leaves of velocities that are declared zero.
bool moves(const System& system, const std::vector<double>& v) {
  for (int i = 0; i < system.coordinate_count(); ++i) {
    if (system.role(i) != model::Role::State && std::abs(v[static_cast<std::size_t>(i)]) > 1e-9) return true;
  }
  return false;
}

}  // namespace

bool Linearization::is_unstable() const {
  double largest = 0, growth = 0;
  for (const auto& value : eigenvalues) {
    largest = std::max(largest, std::abs(value));
    growth = std::max(growth, value.real());
  }
  return growth > 1e-6 * largest;  // rounding moves a double eigenvalue 0 by the root of its relative size
}

Linearization linearize(const System& system, const system::Data& data, double t, const std::vector<double>& q,
                        const std::vector<double>& v) {
  if (system.constrains_velocities() && moves(system, v)) {
    throw Error("m:linearize about a state that moves is not offered with constraints on velocities, such as that of " +
                system.describe_constraint(system.velocity_rows().front()) +
                ", unless the motion is steady: say steady = true, or linearize at rest");
  }
  return modes_of(LinearizedState(system, data, t, q, v), nullptr);
}

Linearization linearize_steady(const model::Model& model, const System& system, const system::Data& data, double t,
                               const std::vector<double>& q, const std::vector<double>& v) {
  const LinearizedState state(system, data, t, q, v);
  const SteadyMotion flow(model, system, q, v, state.acceleration(), data.parameters);
  flow.verify(state, data, t);
  return modes_of(state, &flow);
}

}  // namespace perilune::analysis
