// SPDX-License-Identifier: MIT
#include "optimize/constrained/kkt.hpp"

#include <algorithm>

#include "linalg/decompositions.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The columns that may have a share, each of unit length, and whether its share may have either sign.
struct Columns {
  MatrixXd matrix;
  std::vector<Index> owners;
  std::vector<double> factors;  // share of the owner = factor * share of the column
  std::vector<bool> is_free;

  explicit Columns(Index rows) : matrix(rows, 0) {}
  void add(const VectorXd& column, Index owner, Side side) {
    const double length = column.norm();
    if (side == Side::Inside || !(length > 0)) return;
    const double factor = (side == Side::AtLower ? -1 : 1) / length;
    matrix.conservativeResize(Eigen::NoChange, matrix.cols() + 1);
    matrix.col(matrix.cols() - 1) = factor * column;
    owners.push_back(owner);
    factors.push_back(factor);
    is_free.push_back(side == Side::Fixed);
  }
};

VectorXd shares_of(const MatrixXd& matrix, const std::vector<Index>& chosen, const VectorXd& right) {
  if (chosen.empty()) return {};
  return matrix(Eigen::all, chosen).completeOrthogonalDecomposition().solve(right);
}

/// Least squares with shares that are not negative but for the free ones: C. L. Lawson and R. J. Hanson, Solving Least
/// Squares Problems (1974), chapter 23.
VectorXd non_negative_shares(const Columns& columns, const VectorXd& right) {
  const Index count = columns.matrix.cols();
  constexpr double negligible = 1e-13;
  VectorXd shares = VectorXd::Zero(count);
  std::vector<Index> chosen;
  for (Index j = 0; j < count; ++j) {
    if (columns.is_free[static_cast<std::size_t>(j)]) chosen.push_back(j);
  }
  const auto take = [&](const VectorXd& of_chosen) {
    shares.setZero();
    for (std::size_t k = 0; k < chosen.size(); ++k) shares[chosen[k]] = of_chosen[static_cast<Index>(k)];
  };
  take(shares_of(columns.matrix, chosen, right));
  for (Index round = 0; round < 3 * count; ++round) {
    const VectorXd gain = columns.matrix.transpose() * (right - columns.matrix * shares);
    Index best = -1;
    for (Index j = 0; j < count; ++j) {
      if (std::find(chosen.begin(), chosen.end(), j) != chosen.end()) continue;
      if (gain[j] > negligible * right.norm() && (best < 0 || gain[j] > gain[best])) best = j;
    }
    if (best < 0) break;
    chosen.push_back(best);
    for (;;) {
      const VectorXd wanted = shares_of(columns.matrix, chosen, right);
      double step = 1;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const double now = shares[chosen[k]], next = wanted[static_cast<Index>(k)];
        if (columns.is_free[static_cast<std::size_t>(chosen[k])] || next > 0) continue;
        step = std::min(step, now > next ? now / (now - next) : 0);
      }
      VectorXd moved(wanted.size());
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const auto i = static_cast<Index>(k);
        moved[i] = shares[chosen[k]] + step * (wanted[i] - shares[chosen[k]]);
      }
      take(moved);
      if (step == 1) break;
      std::erase_if(chosen, [&](Index j) {
        const bool leaves = !columns.is_free[static_cast<std::size_t>(j)] && shares[j] <= negligible * shares.norm();
        if (leaves) shares[j] = 0;
        return leaves;
      });
    }
  }
  return shares;
}

}  // namespace

Multipliers multipliers_of(const VectorXd& gradient, const MatrixXd& jacobian, const std::vector<Side>& constraints,
                           const std::vector<Side>& bounds) {
  const Index n = gradient.size(), m = jacobian.rows();
  Columns columns(n);
  for (Index k = 0; k < m; ++k) {
    columns.add(jacobian.row(k).transpose(), k, constraints[static_cast<std::size_t>(k)]);
  }
  for (Index i = 0; i < n; ++i) columns.add(VectorXd::Unit(n, i), m + i, bounds[static_cast<std::size_t>(i)]);
  const VectorXd shares = non_negative_shares(columns, -gradient);
  Multipliers out{VectorXd::Zero(m), VectorXd::Zero(n), gradient + columns.matrix * shares};
  for (std::size_t j = 0; j < columns.owners.size(); ++j) {
    const double value = columns.factors[j] * shares[static_cast<Index>(j)];
    const Index owner = columns.owners[j];
    (owner < m ? out.constraints[owner] : out.bounds[owner - m]) = value;
  }
  return out;
}

}  // namespace perilune::optimize
