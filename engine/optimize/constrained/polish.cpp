// SPDX-License-Identifier: MIT
#include "optimize/constrained/polish.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/decompositions.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index most_directions = 30;
constexpr int most_rounds = 4;
constexpr double difference = 1e-4;  // of scaled variables

/// What holds a point: rows of constraints with a multiplier, and variables at bounds with one.
struct Held {
  MatrixXd rows;    // of the constraints (k x n), zero for variables at bounds
  VectorXd excess;  // of these constraints above the limits that hold
  std::vector<char> is_at_bound;
  MatrixXd directions;  // orthonormal, that are left (n x d)

  Held(const ScaledConstrained& problem, const JudgedPoint& point) {
    constexpr double negligible = 1e-7;  // of the gradient
    const std::vector<Side> sides = problem.constraint_sides(point), bounds = problem.bound_sides(point);
    const double size = std::max(point.jacobian.row(0).norm(), 1.0);
    const Index n = problem.size();
    is_at_bound.assign(static_cast<std::size_t>(n), 0);
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double share = std::abs(point.multipliers.bounds[i]);
      is_at_bound[k] = bounds[k] == Side::Fixed || (bounds[k] != Side::Inside && share > negligible * size);
    }
    for (Index k = 0; k < problem.count(); ++k) {
      const Side side = sides[static_cast<std::size_t>(k)];
      const VectorXd row = point.jacobian.row(1 + k);
      const bool pushes = std::abs(point.multipliers.constraints[k]) * row.norm() > negligible * size;
      if (side == Side::Inside || (side != Side::Fixed && !pushes)) continue;
      rows.conservativeResize(rows.rows() + 1, n);
      rows.bottomRows(1) = row.transpose();
      excess.conservativeResize(rows.rows());
      excess[rows.rows() - 1] = point.values[1 + k] - (side == Side::AtLower ? problem.least(k) : problem.most(k));
    }
    MatrixXd all = rows;
    for (Index i = 0; i < n; ++i) {
      if (!is_at_bound[static_cast<std::size_t>(i)]) continue;
      if (rows.rows() > 0) rows.col(i).setZero();
      all.conservativeResize(all.rows() + 1, n);
      all.bottomRows(1) = VectorXd::Unit(n, i).transpose();
    }
    if (all.rows() == 0) {
      directions = MatrixXd::Identity(n, n);
      return;
    }
    Eigen::ColPivHouseholderQR<MatrixXd> qr(all.transpose());
    const MatrixXd q = qr.householderQ() * MatrixXd::Identity(n, n);
    directions = q.rightCols(n - qr.rank());
  }

  /// The shortest step onto the limits.
  VectorXd onto_limits(Index n) const {
    if (rows.rows() == 0) return VectorXd::Zero(n);
    return rows.completeOrthogonalDecomposition().solve(-excess);
  }
};

/// Of the Lagrangian with the multipliers of `of`.
VectorXd lagrangian_gradient(const JudgedPoint& point, const JudgedPoint& of) {
  const Index m = point.jacobian.rows() - 1;
  return point.jacobian.row(0).transpose() + point.jacobian.bottomRows(m).transpose() * of.multipliers.constraints +
         of.multipliers.bounds;
}

/// Empty where a neighbour lies outside the bounds, or cannot be evaluated.
std::optional<MatrixXd> reduced_hessian(ScaledConstrained& problem, const JudgedPoint& point, const MatrixXd& along) {
  MatrixXd columns(problem.size(), along.cols());
  for (Index j = 0; j < along.cols(); ++j) {
    VectorXd sides[2];
    for (const int side : {0, 1}) {
      const VectorXd u = point.u + (side == 0 ? difference : -difference) * along.col(j);
      if (((u - problem.upper()).array() > 0).any() || ((problem.lower() - u).array() > 0).any()) return {};
      const JudgedPoint& there = problem.at(u);
      if (!there.is_good) return {};
      sides[side] = lagrangian_gradient(there, point);
    }
    columns.col(j) = (sides[0] - sides[1]) / (2 * difference);
  }
  const MatrixXd reduced = along.transpose() * columns;
  return MatrixXd(0.5 * (reduced + reduced.transpose()));
}

}  // namespace

std::optional<ReducedHessian> polish(ScaledConstrained& problem, double kkt, JudgedPoint& point) {
  std::optional<ReducedHessian> out;
  for (int round = 0; round < most_rounds && (point.kkt > kkt || !out); ++round) {
    const Held held(problem, point);
    const Index directions = held.directions.cols();
    if (directions > most_directions || problem.evaluations_left() < 2 * directions + 2) return out;
    VectorXd step = held.onto_limits(problem.size());
    if (directions > 0) {
      const std::optional<MatrixXd> hessian = reduced_hessian(problem, point, held.directions);
      if (!hessian) return out;
      const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(*hessian);
      out = ReducedHessian{parts.eigenvalues().minCoeff(), parts.eigenvalues().maxCoeff()};
      if (!out->is_minimum()) return out;
      const VectorXd left = held.directions.transpose() * lagrangian_gradient(point, point);
      step -= held.directions * hessian->llt().solve(left);
    }
    JudgedPoint next = problem.at(point.u + step);
    if (next.is_good && next.violation > 0) {  // constraints bend along the step
      const Held bent(problem, next);
      if (bent.rows.rows() == held.rows.rows()) next = problem.at(next.u + bent.onto_limits(problem.size()));
    }
    if (!next.is_good || !problem.is_feasible(next) || next.kkt >= point.kkt) return out;
    point = next;
    if (directions == 0) return out;
  }
  return out;
}

}  // namespace perilune::optimize
