// SPDX-License-Identifier: MIT
#include "analysis/linearization.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/constraint_solver.hpp"
#include "error.hpp"
#include "formulation/implicit_newton.hpp"
#include "interruptible.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::analysis {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::System;

/// What `work` returns for matrices of `rows` rows; Ctrl-C ends it. Small ones are done before a thread would start.
template <class Work>
auto dense_work(Index rows, Work work) {
  constexpr Index large = 150;
  return rows < large ? work() : interruptible(std::move(work));
}

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

/// A matrix that work in the background may own.
struct Sparse {
  linalg::SparsePattern pattern;
  std::vector<double> values;

  Sparse() = default;
  Sparse(const linalg::SparsePattern& places, std::span<const double> numbers)
      : pattern(places), values(numbers.begin(), numbers.end()) {}

  /// Adds it to a dense matrix, or its transpose.
  void add_to(Eigen::Ref<MatrixXd> out) const {
    std::size_t k = 0;
    pattern.for_each([&](int i, int j) { out(i, j) += values[k++]; });
  }
  void add_transposed_to(Eigen::Ref<MatrixXd> out) const {
    std::size_t k = 0;
    pattern.for_each([&](int i, int j) { out(j, i) += values[k++]; });
  }
  /// out += scale * this * b
  void add_product(const MatrixXd& b, double scale, Eigen::Ref<MatrixXd> out) const {
    for (Index k = 0; k < b.cols(); ++k) {
      check_interrupt();
      pattern.multiply(values.data(), b.col(k).data(), out.col(k).data(), scale);
    }
  }
};

/// Zeros, of which a hundred megabytes at once would take long.
MatrixXd zeros(Index rows, Index columns) {
  MatrixXd out(rows, columns);
  for (Index k = 0; k < columns; ++k) {
    check_interrupt();
    out.col(k).setZero();
  }
  return out;
}

/// The equations at one state, linearized, with independent constraints only.
class LinearizedState {
 public:
  LinearizedState(const System& s, const system::Data& data, double t, const std::vector<double>& q,
                  const std::vector<double>& v)
      : system_(s), w_(s), n_(s.coordinate_count()) {
    s.evaluate_metric(t, q.data(), v.data(), data, w_);
    const system::ConstraintRank constraints = system::constraint_rank(s, w_);
    system::require_determined_reads(s, data, q, constraints.rows);
    rows_ = constraints.rows.independent;
    for (int i = 0; i < n_; ++i) (s.role(i) == model::Role::State ? states_ : motion_).push_back(i);
    factor(w_.mass, {});
    std::vector<double> a(static_cast<std::size_t>(n_)), lambda(static_cast<std::size_t>(s.constraint_count()), 0.0);
    VectorXd right(n_ + rank());
    for (int i = 0; i < n_; ++i) right[i] = w_.force[static_cast<std::size_t>(i)];
    for (int k = 0; k < rank(); ++k) right[n_ + k] = -w_.phi_bias[static_cast<std::size_t>(row(k))];
    const VectorXd x = lu_->solve(right);
    if (!x.allFinite())
      throw NumericalError("the equations of motion are not finite: " +
                           s.explain_failure({t, q.data(), v.data()}, data));
    std::copy_n(x.data(), n_, a.begin());
    for (int k = 0; k < rank(); ++k) lambda[static_cast<std::size_t>(row(k))] = x[n_ + k];
    const system::Kinematics at{t, q.data(), v.data(), a.data(), lambda.data()};
    if (s.is_implicit()) solve_implicitly(at, data, a, lambda);
    s.linearize(at, data, w_, false);
    stiffness_ = Sparse(s.nn(), w_.stiffness);
    damping_ = Sparse(s.nn(), w_.damping);
    rate_ = independent_rows(w_.jacobian_rate);
    acceleration_ = independent_rows(w_.jacobian_acceleration);
    find_freedoms();
    find_integrals();
  }

  int freedoms() const { return static_cast<int>(free_.cols()); }
  int states() const { return static_cast<int>(states_.size() + integrals_.size()); }

  /// The matrix of x' = A x with x = (x1, x2, z, integrals of z that something reads).
  MatrixXd matrix() const {
    const Index d = freedoms(), size = 2 * d + states();
    if (size == 0) return {};
    MatrixXd dq = zeros(n_, size), dv = zeros(n_, size);
    if (d > 0) {
      dq.leftCols(d) = free_;
      dv.leftCols(d) = particular_;
      dv.middleCols(d, d) = free_;
    }
    const auto count = static_cast<Index>(states_.size());
    for (Index k = 0; k < count; ++k) dv(states_[static_cast<std::size_t>(k)], 2 * d + k) = 1;
    for (Index k = count; k < states(); ++k) dq(integrated(k - count), 2 * d + k) = 1;
    MatrixXd right = zeros(n_ + rank(), size);
    stiffness_.add_product(dq, -1, right.topRows(n_));
    damping_.add_product(dv, -1, right.topRows(n_));
    acceleration_.add_product(dq, -1, right.bottomRows(rank()));
    rate_.add_product(dv, -2, right.bottomRows(rank()));
    const MatrixXd da = dense_work(n_, [lu = lu_, b = std::move(right), n = n_]() -> MatrixXd {
      const MatrixXd solution = lu->solve(b);
      return solution.topRows(n);
    });
    MatrixXd A = MatrixXd::Zero(size, size);
    if (d > 0) {
      A.block(0, d, d, d).setIdentity();
      A.middleRows(d, d) = product(free_.transpose(), da) + product(particular_.transpose(), dv);
    }
    for (Index k = 0; k < count; ++k) A.row(2 * d + k) = da.row(states_[static_cast<std::size_t>(k)]);
    for (Index k = count; k < states(); ++k) A(2 * d + k, 2 * d + integrals_[static_cast<std::size_t>(k - count)]) = 1;
    return A;
  }

  /// By coordinate, from an eigenvector of matrix().
  std::vector<std::complex<double>> shape(const Eigen::VectorXcd& x) const {
    Eigen::VectorXcd out = Eigen::VectorXcd::Zero(n_);
    if (freedoms() > 0) out = free_.cast<std::complex<double>>() * x.head(freedoms());
    for (std::size_t k = 0; k < states_.size(); ++k) out[states_[k]] = x[2 * freedoms() + static_cast<Index>(k)];
    Index largest = 0;
    if (out.cwiseAbs().maxCoeff(&largest) > 0) out /= std::complex<double>(out[largest]);
    return {out.data(), out.data() + out.size()};
  }

 private:
  int integrated(Index k) const { return states_[static_cast<std::size_t>(integrals_[static_cast<std::size_t>(k)])]; }
  int rank() const { return static_cast<int>(rows_.size()); }
  int row(int k) const { return rows_[static_cast<std::size_t>(k)]; }
  /// Of a matrix with a row for each constraint.
  Sparse independent_rows(std::span<const double> all) const {
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
  void solve_implicitly(const system::Kinematics& at, const system::Data& data, std::vector<double>& a,
                        std::vector<double>& lambda) {
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
      is_solved = newton.correct(step.data(), a.data(), lambda.data());
    }
  }

  /// The matrix bordered by the independent constraints: r_a, and what forces add by the multipliers that they read.
  void factor(std::span<const double> inertia, std::span<const double> force_multiplier) {
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
      throw NumericalError("the equations of motion cannot be linearized here: a part that moves has no mass");
    }
  }

  void find_integrals() {
    std::vector<char> is_read(static_cast<std::size_t>(n_), 0);
    std::size_t k = 0;
    stiffness_.pattern.for_each([&](int, int j) {
      if (stiffness_.values[k++] != 0) is_read[static_cast<std::size_t>(j)] = 1;
    });
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (is_read[static_cast<std::size_t>(states_[i])]) integrals_.push_back(static_cast<int>(i));
    }
  }

  void find_freedoms() {
    const auto count = static_cast<Index>(motion_.size());
    if (rank() == 0) {
      free_ = particular_ = zeros(n_, count);
      for (Index i = 0; i < count; ++i) free_(motion_[static_cast<std::size_t>(i)], i) = 1;
      return;
    }
    if (count == rank()) {  // Eigen's products and blocks have nothing to refer to then
      free_ = particular_ = MatrixXd(n_, 0);
      return;
    }
    const auto work = [jacobian = jacobian_, rate = rate_, motion = motion_, n = n_, m = rank()] {
      const auto size = static_cast<Index>(motion.size()), d = size - m;
      std::vector<int> place(static_cast<std::size_t>(n), -1);  // in motion
      for (std::size_t i = 0; i < motion.size(); ++i) place[static_cast<std::size_t>(motion[i])] = static_cast<int>(i);
      MatrixXd transposed = MatrixXd::Zero(size, m);
      std::size_t k = 0;
      jacobian.pattern.for_each([&](int i, int j) {
        const int at = place[static_cast<std::size_t>(j)];
        if (at >= 0) transposed(at, i) = jacobian.values[k];
        ++k;
      });
      const Eigen::HouseholderQR<MatrixXd> qr(transposed);
      const MatrixXd basis = qr.householderQ() * MatrixXd::Identity(size, size);
      std::pair<MatrixXd, MatrixXd> out{MatrixXd::Zero(n, d), MatrixXd::Zero(n, d)};
      for (Index i = 0; i < size; ++i) out.first.row(motion[static_cast<std::size_t>(i)]) = basis.row(i).tail(d);
      // Smallest solution of Phi_q P = -(d Phi_q/dt) N: R^T y = right, P = Q y.
      MatrixXd y = MatrixXd::Zero(m, d);
      rate.add_product(out.first, -1, y);
      qr.matrixQR().topRows(m).triangularView<Eigen::Upper>().transpose().solveInPlace(y);
      const MatrixXd P = basis.leftCols(m) * y;
      for (Index i = 0; i < size; ++i) out.second.row(motion[static_cast<std::size_t>(i)]) = P.row(i);
      return out;
    };
    std::tie(free_, particular_) = dense_work(count, work);
  }

  const System& system_;
  system::Workspace w_;
  int n_;
  std::vector<int> rows_, motion_, states_;
  std::vector<int> integrals_;                            // numbers in states_
  std::shared_ptr<const Eigen::FullPivLU<MatrixXd>> lu_;  // shared with work that Ctrl-C left behind
  Sparse jacobian_, stiffness_, damping_, rate_, acceleration_;
  MatrixXd free_, particular_;
};

Mode mode_of(std::complex<double> value, std::vector<std::complex<double>> shape) {
  const double size = std::abs(value);
  Mode mode{value.real(), value.imag(), 0, 0, std::move(shape)};
  if (value.imag() > 0) mode.frequency = size / (2 * std::numbers::pi);
  if (size > 0) mode.damping = -value.real() / size;
  return mode;
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
  refuse_velocity_constraints(system, "m:linearize");
  const LinearizedState state(system, data, t, q, v);
  Linearization out;
  out.degrees_of_freedom = state.freedoms();
  out.states = state.states();
  const MatrixXd A = state.matrix();
  if (A.rows() == 0) return out;
  if (!A.allFinite()) throw NumericalError("the linearized equations of motion are not finite");
  const auto solver = dense_work(A.rows(), [A] { return Eigen::EigenSolver<MatrixXd>(A); });
  if (solver.info() != Eigen::Success) throw NumericalError("the eigenvalues of the linearized motion were not found");
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Index k = 0; k < A.rows(); ++k) {
    check_interrupt();
    const std::complex<double> value = solver.eigenvalues()[k];
    out.eigenvalues.push_back(value);
    if (value.imag() >= 0) out.modes.push_back(mode_of(value, state.shape(vectors.col(k))));
  }
  std::stable_sort(out.modes.begin(), out.modes.end(), [](const Mode& a, const Mode& b) {
    return std::hypot(a.real, a.imaginary) < std::hypot(b.real, b.imaginary);
  });
  return out;
}

}  // namespace perilune::analysis
