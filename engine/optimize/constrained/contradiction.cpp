// SPDX-License-Identifier: MIT
#include "optimize/constrained/contradiction.hpp"

#include <cmath>

namespace perilune::optimize {

std::vector<std::string> contradiction(const ConstrainedProblem& problem, const ScaledConstrained& scaled,
                                       double feasibility, const JudgedPoint& point) {
  using Eigen::Index;
  if (!point.is_good) return {};
  Eigen::VectorXd push = Eigen::VectorXd::Zero(scaled.size());
  double size = 0;
  std::vector<Side> sides = scaled.constraint_sides(point);
  std::vector<std::string> names;
  for (Index k = 0; k < scaled.count(); ++k) {
    const double excess = scaled.excess(point, k);
    if (std::abs(excess) <= feasibility) continue;
    sides[static_cast<std::size_t>(k)] = Side::Inside;
    push += excess * point.jacobian.row(1 + k).transpose();
    size += std::abs(excess) * point.jacobian.row(1 + k).norm();
    names.push_back(problem.constraints[static_cast<std::size_t>(k)].name);
  }
  const Multipliers against =
      multipliers_of(push, point.jacobian.bottomRows(scaled.count()), sides, scaled.bound_sides(point));
  constexpr double share = 1e-3;
  if (against.rest.norm() > share * size) return {};
  for (Index k = 0; k < scaled.count(); ++k) {
    const double part = std::abs(against.constraints[k]) * point.jacobian.row(1 + k).norm();
    if (part > share * size) names.push_back(problem.constraints[static_cast<std::size_t>(k)].name);
  }
  for (Index i = 0; i < scaled.size(); ++i) {
    if (std::abs(against.bounds[i]) <= share * size || scaled.lower()[i] == scaled.upper()[i]) continue;
    const auto at = static_cast<std::size_t>(i);
    const std::string name = at < problem.names.size() ? problem.names[at] : "variable " + std::to_string(i);
    names.push_back((against.bounds[i] > 0 ? "max of " : "min of ") + name);
  }
  return names;
}

}  // namespace perilune::optimize
