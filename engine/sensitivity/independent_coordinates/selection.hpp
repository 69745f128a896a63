// SPDX-License-Identifier: MIT
// Coordinates from which the others follow, where forces feel accelerations or loads, or constraints on velocities
// leave fewer freedoms to velocities than to positions: z = B_q q and w = B_v v. The others follow from
// [Phi_q; B_q] dq = (-Phi_d dd; dz) and [J; B_v] dv = (-(J v)_q dq - (J v)_d dd; dw), where J has the rows of Phi_q and
// of A; accelerations and multipliers are those of points.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "at_time.hpp"
#include "error.hpp"
#include "linalg/decompositions.hpp"
#include "sensitivity/continuous/continuous_motion.hpp"

namespace perilune::sensitivity {

/// Coordinates from which the others follow by some rows of a Jacobian.
class Selection {
 public:
  explicit Selection(std::vector<Eigen::Index> rows) : rows_(std::move(rows)) {}

  Eigen::Index freedoms() const { return static_cast<Eigen::Index>(independent_.size()); }
  Eigen::Index row_count() const { return static_cast<Eigen::Index>(rows_.size()); }

  void choose(const Eigen::MatrixXd& jacobian, double t) {
    independent_.clear();
    const Eigen::Index n = jacobian.cols(), m = row_count();
    if (m == 0) {
      for (Eigen::Index k = 0; k < n; ++k) independent_.push_back(k);
    } else {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(own_rows(jacobian));
      if (lu.rank() < m) {
        throw NumericalError(at_time(t) +
                             "there are no independent coordinates: redundant constraints, or a singular position");
      }
      for (Eigen::Index k = m; k < n; ++k) independent_.push_back(lu.permutationQ().indices()[k]);
      std::sort(independent_.begin(), independent_.end());
    }
    update(jacobian);
  }
  /// These, which have to be independent.
  void take(std::vector<Eigen::Index> independent, const Eigen::MatrixXd& jacobian) {
    independent_ = std::move(independent);
    update(jacobian);
  }
  void update(const Eigen::MatrixXd& jacobian) {
    const Eigen::Index n = jacobian.cols(), m = row_count();
    Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(n, n);
    bordered.topRows(m) = own_rows(jacobian);
    for (Eigen::Index k = 0; k < freedoms(); ++k) bordered(m + k, independent_[static_cast<std::size_t>(k)]) = 1;
    bordered_.compute(bordered);
    largest_ = freedoms() > 0
                   ? bordered_.solve(Eigen::MatrixXd::Identity(n, n).rightCols(freedoms())).cwiseAbs().maxCoeff()
                   : 0;
  }
  /// How much the others move with these, at most: about 1 where the choice is good.
  double largest() const { return largest_; }

  template <class Matrix>
  Eigen::MatrixXd pick(const Matrix& x) const {
    Eigen::MatrixXd out(freedoms(), x.cols());
    for (Eigen::Index k = 0; k < freedoms(); ++k) out.row(k) = x.row(independent_[static_cast<std::size_t>(k)]);
    return out;
  }
  void add_spread(const double* z, double* x) const {
    for (Eigen::Index k = 0; k < freedoms(); ++k) x[independent_[static_cast<std::size_t>(k)]] += z[k];
  }
  /// What x (n columns long) is by its own rows of `top` (m) and the independent coordinates.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& top, const Eigen::MatrixXd& independent) const {
    Eigen::MatrixXd right(row_count() + freedoms(), independent.cols());
    right << own_rows(top), independent;
    return bordered_.solve(right);
  }
  /// The transpose: from the adjoint of x those of the right-hand side, of `top` into the rows of an array of m zeros.
  void solve_transposed(const double* x, double* top, double* independent) const {
    const Eigen::Index n = row_count() + freedoms();
    const Eigen::VectorXd both = bordered_.transpose().solve(Eigen::Map<const Eigen::VectorXd>(x, n));
    for (Eigen::Index k = 0; k < row_count(); ++k) top[rows_[static_cast<std::size_t>(k)]] = both[k];
    std::copy_n(both.data() + row_count(), freedoms(), independent);
  }

 private:
  Eigen::MatrixXd own_rows(const Eigen::MatrixXd& all) const {
    Eigen::MatrixXd out(row_count(), all.cols());
    for (Eigen::Index k = 0; k < row_count(); ++k) out.row(k) = all.row(rows_[static_cast<std::size_t>(k)]);
    return out;
  }

  std::vector<Eigen::Index> rows_, independent_;
  Eigen::PartialPivLU<Eigen::MatrixXd> bordered_;
  double largest_ = 0;
};

/// Numbers of the constraints on positions, or of all.
inline std::vector<Eigen::Index> rows_of(const System& system, bool has_velocity_rows) {
  std::vector<Eigen::Index> rows;
  for (int k = 0; k < system.constraint_count(); ++k) {
    if (has_velocity_rows || !system.is_velocity_row(k)) rows.push_back(k);
  }
  return rows;
}

/// Independent coordinates of positions and of velocities where a motion stands.
class TwoSelections {
 public:
  explicit TwoSelections(LinearizedMotion& motion)
      : positions(rows_of(motion.system(), false)), velocities(rows_of(motion.system(), true)), motion_(motion) {
    choose();
  }

  std::size_t size() const { return static_cast<std::size_t>(positions.freedoms() + velocities.freedoms()); }
  void choose() {
    const Eigen::MatrixXd jacobian = motion_.dense(Block::Jacobian);
    for (Selection* each : {&positions, &velocities}) each->choose(jacobian, motion_.point().t);
    visit_ = motion_.visit();
  }
  void update() {
    if (visit_ == motion_.visit()) return;
    const Eigen::MatrixXd jacobian = motion_.dense(Block::Jacobian);
    for (Selection* each : {&positions, &velocities}) each->update(jacobian);
    visit_ = motion_.visit();
  }
  /// Others would be followed less violently.
  bool is_outgrown() {
    update();
    constexpr double limit = 2;  // about 1 is good; the next choice has to be worth its while
    const double own = std::max(positions.largest(), velocities.largest());
    if (own < limit) return false;
    const TwoSelections other(motion_);
    return 2 * std::max(other.positions.largest(), other.velocities.largest()) < own;
  }

  Selection positions, velocities;

 private:
  LinearizedMotion& motion_;
  long visit_ = 0;
};

}  // namespace perilune::sensitivity
