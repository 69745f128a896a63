// SPDX-License-Identifier: MIT
#include "optimize/fit/identifiability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "format/text.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_singular_value = 1e-7;  // relative; simulated Jacobians are seldom better than that
constexpr double least_part = 1e-3;            // of the largest effect on the residuals within a combination
constexpr double least_coefficient = 0.05;     // of the largest in a weak combination; less is only noise to a reader
constexpr double infinite = std::numeric_limits<double>::infinity();

// The columns span the same space afterwards, each with as few entries as Gauss and Jordan can leave: singular vectors
// to equal values are any mixture of what should be told one by one.
void separate(MatrixXd& space) {
  std::vector<char> is_used(static_cast<std::size_t>(space.rows()), 0);
  for (Index column = 0; column < space.cols(); ++column) {
    Index row = -1, from = -1;
    for (Index j = column; j < space.cols(); ++j)
      for (Index i = 0; i < space.rows(); ++i)
        if (!is_used[i] && (row < 0 || std::abs(space(i, j)) > std::abs(space(row, from)))) {
          row = i;
          from = j;
        }
    space.col(column).swap(space.col(from));
    is_used[row] = 1;
    const double pivot = space(row, column);
    space.col(column) /= pivot;
    for (Index j = 0; j < space.cols(); ++j) {
      if (j == column) continue;
      const double factor = space(row, j);
      space.col(j) -= factor * space.col(column);
      space(row, j) = 0;
    }
  }
}

// From a direction in variables that have unit effects on the residuals.
Combination combination(VectorXd direction, const VectorXd& effects, const std::vector<std::string>& names,
                        double least) {
  const double largest = direction.lpNorm<Eigen::Infinity>();
  for (double& part : direction)
    if (std::abs(part) < least_part * largest) part = 0;
  VectorXd relative = direction.cwiseQuotient(effects);
  relative /= relative.lpNorm<Eigen::Infinity>();
  for (double& part : relative)
    if (std::abs(part) < least) part = 0;
  Index first = 0;
  while (relative[first] == 0) ++first;
  if (relative[first] < 0) relative = -relative;
  return {relative, 0, infinite, combination_text(relative, names)};
}

}  // namespace

std::string combination_text(const VectorXd& coefficients, const std::vector<std::string>& names) {
  std::string text;
  for (Index i = 0; i < coefficients.size(); ++i) {
    const double part = coefficients[i];
    if (part == 0) continue;
    text += text.empty() ? (part < 0 ? "-" : "") : part < 0 ? " - " : " + ";
    text += format::significant(std::abs(part), 3) + " * " + names[static_cast<std::size_t>(i)];
  }
  return text;
}

Identifiability identify(const MatrixXd& jacobian, const VectorXd& sizes, const std::vector<std::string>& names,
                         double deviation) {
  const Index m = jacobian.rows(), n = jacobian.cols();
  if (m < n)
    throw Error("The fit has " + std::to_string(n) + " free variables but only " + std::to_string(m) +
                " residuals, which cannot determine them; give more measured values or fix variables.");
  Identifiability found;
  found.is_lost.assign(static_cast<std::size_t>(n), false);
  found.unit_covariance = MatrixXd::Zero(n, n);
  if (n == 0) return found;
  VectorXd norms = jacobian.colwise().norm();
  for (double& norm : norms)
    if (norm == 0) norm = 1;
  const MatrixXd scaled = jacobian * norms.cwiseInverse().asDiagonal();
  const MatrixXd triangle = Eigen::HouseholderQR<MatrixXd>(scaled).matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<MatrixXd> svd(triangle, Eigen::ComputeFullV);
  const VectorXd& values = svd.singularValues();
  found.singular_values = values;
  Index rank = 0;
  while (rank < n && values[rank] > least_singular_value * values[0]) ++rank;

  const MatrixXd told = svd.matrixV().leftCols(rank) * values.head(rank).cwiseInverse().asDiagonal();
  const MatrixXd by_variable = norms.cwiseInverse().asDiagonal() * told;
  found.unit_covariance = by_variable * by_variable.transpose();

  const VectorXd effects = norms.cwiseProduct(sizes);  // of a relative change of each variable
  MatrixXd untold = svd.matrixV().rightCols(n - rank);
  separate(untold);
  for (Index k = 0; k < untold.cols(); ++k) {
    Combination lost = combination(untold.col(k), effects, names, 0);
    lost.singular_value = values[0] > 0 ? values[rank + k] / values[0] : 0;
    for (Index i = 0; i < n; ++i)
      if (lost.coefficients[i] != 0) found.is_lost[static_cast<std::size_t>(i)] = true;
    found.lost.push_back(std::move(lost));
  }
  for (Index k = 0; k < rank; ++k) {
    const double reach = deviation * told.col(k).cwiseQuotient(effects).lpNorm<Eigen::Infinity>();
    if (!(reach > 1)) continue;
    Combination weak = combination(told.col(k), effects, names, least_coefficient);
    weak.singular_value = values[k] / values[0];
    weak.reach = reach;
    found.weak.push_back(std::move(weak));
  }
  return found;
}

}  // namespace perilune::optimize
