// SPDX-License-Identifier: MIT
#include "analysis/small_motion/linearization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "analysis/small_motion/eigenvalue_derivatives.hpp"
#include "analysis/small_motion/linearized_state.hpp"
#include "analysis/small_motion/steady_motion.hpp"
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

/// Units by which rows and columns of the matrix get sizes alike, powers of 2, so that nothing is rounded: of positions
/// and velocities in s and 1/s a fast and a slow mode would lose the digits by which the square of their frequencies
/// differ (Parlett and Reinsch 1969).
VectorXd balancing_units(MatrixXd A) {
  VectorXd units = VectorXd::Ones(A.rows());
  A.diagonal().setZero();
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (Index k = 0; k < A.rows(); ++k) {
      const double row = A.row(k).lpNorm<1>(), column = A.col(k).lpNorm<1>();
      if (!(row > 0 && column > 0)) continue;
      const double unit = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * unit + row / unit < 0.95 * (column + row))) continue;
      A.col(k) *= unit;
      A.row(k) /= unit;
      units[k] *= unit;
      is_changed = true;
    }
  }
  return units;
}

/// Both eigenvectors of a matrix for each of its simple eigenvalues, from its triangular form T = U^H A U.
class EigenVectors {
 public:
  explicit EigenVectors(const MatrixXd& A) : schur_(A.cast<std::complex<double>>()), size_(A.norm()) {
    if (schur_.info() != Eigen::Success)
      throw NumericalError("the eigenvectors of the linearized motion were not found");
  }

  /// Whether a distance from other eigenvalues is beyond what rounding moves, with left^T right = 1.
  bool is_apart(double gap, double left, double right) const {
    constexpr double margin = 1e6;
    return gap > margin * std::numeric_limits<double>::epsilon() * size_ * left * right;
  }

  /// Empty vectors where another eigenvalue is as near as rounding may have moved this one.
  EigenPair pair(std::complex<double> value) const {
    const Eigen::MatrixXcd &T = schur_.matrixT(), &U = schur_.matrixU();
    const Index n = T.rows();
    Index at = 0;
    (T.diagonal().array() - value).abs().minCoeff(&at);
    double gap = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < n; ++k) {
      if (k != at) gap = std::min(gap, std::abs(T(k, k) - T(at, at)));
    }
    EigenPair out{value, {}, {}};
    if (gap == 0) return out;
    Eigen::VectorXcd right = Eigen::VectorXcd::Zero(n), left = right;
    right[at] = left[at] = 1;
    for (Index k = at; k-- > 0;) {
      const std::complex<double> sum = (T.row(k).segment(k + 1, at - k) * right.segment(k + 1, at - k)).value();
      right[k] = -sum / (T(k, k) - T(at, at));
    }
    for (Index k = at + 1; k < n; ++k) {
      const std::complex<double> sum = (left.segment(at, k - at).transpose() * T.col(k).segment(at, k - at)).value();
      left[k] = -sum / (T(k, k) - T(at, at));
    }
    if (!is_apart(gap, left.norm(), right.norm())) return out;
    out.right = U * right;
    out.left = U.conjugate() * left;
    return out;
  }

 private:
  Eigen::ComplexSchur<Eigen::MatrixXcd> schur_;
  double size_;
};

/// Eigenvalues and modes of a matrix whose coordinates are counted in these units. `pairs`: where eigenvectors are
/// wanted, one for each eigenvalue; may be null. `rolls_off`: it may have many eigenvalues 0.
void find_modes(const LinearizedState& state, const MatrixXd& given, const VectorXd& units, bool rolls_off,
                std::vector<EigenPair>* pairs, Linearization& out) {
  const MatrixXd A = units.cwiseInverse().asDiagonal() * given * units.asDiagonal();
  ZerosApart apart{MatrixXd(), A, 0};
  if (rolls_off) apart = dense_work(A.rows(), [A] { return zeros_apart(A); });
  const Index zeros = apart.zeros, rest = A.rows() - zeros;
  for (Index k = 0; k < zeros; ++k) {
    out.eigenvalues.emplace_back(0);
    out.modes.push_back(
        mode_of(0, state.shape((units.asDiagonal() * apart.basis.col(k)).cast<std::complex<double>>())));
    out.modes.back().eigenvalue = static_cast<std::size_t>(k);
    if (pairs) pairs->push_back({0, {}, {}});
  }
  if (rest == 0) return;
  const MatrixXd moving = apart.matrix.bottomRightCorner(rest, rest);
  const auto solver = dense_work(rest, [moving] { return Eigen::EigenSolver<MatrixXd>(moving); });
  if (solver.info() != Eigen::Success) throw NumericalError("the eigenvalues of the linearized motion were not found");
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  // From the eigenvector of what the zeros were split off from.
  const auto whole = [&](std::complex<double> value, const Eigen::VectorXcd& x) -> Eigen::VectorXcd {
    if (zeros == 0) return x;
    const Eigen::MatrixXcd shifted =
        value * MatrixXd::Identity(zeros, zeros) - apart.matrix.topLeftCorner(zeros, zeros);
    Eigen::VectorXcd both(A.rows());
    // Triangular, as Z is: a rank would be decided by rounding where the eigenvalue is small.
    both << shifted.triangularView<Eigen::Upper>().solve(apart.matrix.topRightCorner(zeros, rest) * x), x;
    return apart.basis * both;
  };
  const auto both_vectors =
      pairs ? std::make_unique<EigenVectors>(dense_work(rest, [moving] { return EigenVectors(moving); })) : nullptr;
  for (Index k = 0; k < rest; ++k) {
    check_interrupt();
    const std::complex<double> value = solver.eigenvalues()[k];
    out.eigenvalues.push_back(value);
    if (pairs) {
      EigenPair pair = both_vectors->pair(value);
      if (pair.right.size() > 0) {
        const Eigen::VectorXcd moving_part = pair.right;
        pair.right = whole(value, moving_part);
        if (zeros > 0) {
          pair.left = apart.basis.rightCols(rest) * pair.left;
          pair.moving = apart.basis.rightCols(rest) * moving_part;
          pair.is_near_zero = !both_vectors->is_apart(std::abs(value), pair.left.norm(), pair.right.norm());
          pair.fed.resize(A.rows(), zeros);
          Eigen::VectorXcd fed = apart.matrix.topRightCorner(zeros, rest) * moving_part;
          for (Index j = 0; j < zeros; ++j) {
            pair.fed.col(j) = apart.basis.leftCols(zeros) * fed;
            fed = (apart.matrix.topLeftCorner(zeros, zeros) * fed).eval();
          }
          pair.moving = units.asDiagonal() * pair.moving;
          pair.fed = units.asDiagonal() * pair.fed;
        }
        pair.right = units.asDiagonal() * pair.right;
        pair.left = units.cwiseInverse().asDiagonal() * pair.left;
      }
      pairs->push_back(std::move(pair));
    }
    if (value.imag() < 0) continue;
    out.modes.push_back(mode_of(value, state.shape(units.asDiagonal() * whole(value, vectors.col(k)))));
    out.modes.back().eigenvalue = out.eigenvalues.size() - 1;
  }
}

/// `pairs`: where eigenvectors of the matrix are wanted, one for each eigenvalue; may be null.
Linearization modes_of(const LinearizedState& state, const LinearFlow* flow, std::vector<EigenPair>* pairs) {
  Linearization out;
  out.degrees_of_freedom = state.velocity_freedoms();
  out.position_freedoms = state.position_freedoms();
  out.states = state.states();
  const MatrixXd A = state.matrix(flow);
  if (A.rows() == 0) return out;
  if (!A.allFinite()) throw NumericalError("the linearized equations of motion are not finite");
  const bool rolls_off = flow || out.degrees_of_freedom != out.position_freedoms;
  // Beside steady motions what is rigid alone moves, with eigenvalues of like sizes.
  const VectorXd units = flow ? VectorXd::Ones(A.rows()) : balancing_units(A);
  find_modes(state, A, units, rolls_off, pairs, out);
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const Mode& a, const Mode& b) {
    return std::hypot(a.real, a.imaginary) < std::hypot(b.real, b.imaginary);
  });
  return out;
}

void add_derivatives(EigenvalueDerivatives found, Linearization& out) {
  out.derivatives = std::move(found.by_parameter);
  out.unbalancing = std::move(found.unbalancing);
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
  double largest = 0;
  for (const auto& value : eigenvalues) largest = std::max(largest, std::abs(value));
  // Rounding moves a double eigenvalue 0 by the root of its relative size, any other one by less than its own size.
  return std::any_of(eigenvalues.begin(), eigenvalues.end(), [&](const std::complex<double>& value) {
    return value.real() > 2e-7 * largest && value.real() > 1e-6 * std::abs(value);
  });
}

Linearization linearize(const System& system, const system::Data& data, double t, const std::vector<double>& q,
                        const std::vector<double>& v, const StateRates* rates) {
  if (system.constrains_velocities() && moves(system, v)) {
    throw Error("m:linearize about a state that moves is not offered with constraints on velocities, such as that of " +
                system.describe_constraint(system.velocity_rows().front()) +
                ", unless the motion is steady: say steady = true, or linearize at rest");
  }
  const LinearizedState state(system, data, t, q, v);
  if (!rates) return modes_of(state, nullptr, nullptr);
  std::vector<EigenPair> pairs;
  Linearization out = modes_of(state, nullptr, &pairs);
  add_derivatives(differentiate(system, data, t, q, v, state, nullptr, {}, pairs, *rates), out);
  return out;
}

Linearization linearize_steady(const model::Model& model, const System& system, const system::Data& data, double t,
                               const std::vector<double>& q, const std::vector<double>& v, const StateRates* rates) {
  const LinearizedState state(system, data, t, q, v);
  const std::unique_ptr<SteadyMotion> found = SteadyMotion::find(model, state, system, data, t, q, v);
  const SteadyMotion& flow = *found;
  std::vector<EigenPair> pairs;
  Linearization out = modes_of(state, &flow, rates ? &pairs : nullptr);
  out.seen_from = flow.seen_from();
  if (!rates) return out;
  const FlowRate flow_rate = [&](const VectorXd& q_rate, const VectorXd& v_rate, const VectorXd& a_rate, double size,
                                 Index column) {
    const auto k = static_cast<std::size_t>(column);
    return flow.rate(q_rate, v_rate, a_rate, size, k < rates->over.size() ? rates->over[k] : -1);
  };
  add_derivatives(differentiate(system, data, t, q, v, state, &flow, flow_rate, pairs, *rates), out);
  return out;
}

}  // namespace perilune::analysis
