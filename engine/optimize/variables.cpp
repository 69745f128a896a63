// SPDX-License-Identifier: MIT
#include "optimize/variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

std::string variable(Index i) { return "The optimization variable with index " + std::to_string(i) + " (from 0) "; }

// The width of the bounds says how far a variable may move, unless it is so wide that it was only meant as "any value";
// then the magnitude of the start says more.
double scale_of(double start, double lower, double upper) {
  const double width = upper - lower, magnitude = std::abs(start);
  const bool bounded = std::isfinite(width) && width > 0;
  const bool is_telling = bounded && (width <= 1e3 * std::max(magnitude, 1.0) || magnitude <= 1e-12);
  const double scale = is_telling ? width : magnitude > 1e-12 ? magnitude : 1;
  return std::exp2(std::round(std::log2(std::clamp(scale, 1e-100, 1e100))));
}

}  // namespace

void check_variables(const VectorXd& start, const VectorXd& lower, const VectorXd& upper) {
  const Index n = start.size();
  if (n == 0) throw Error("The optimization problem has no variables; give at least one.");
  if (lower.size() != n || upper.size() != n)
    throw Error("The optimization problem has " + std::to_string(n) + " start values but " +
                std::to_string(lower.size()) + " lower and " + std::to_string(upper.size()) +
                " upper bounds; give one of each per variable.");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n; ++i) {
    if (!std::isfinite(start[i]))
      throw Error(variable(i) + "starts at a value that is not a finite number; give a finite start.");
    if (std::isnan(lower[i]) || std::isnan(upper[i]))
      throw Error(variable(i) + "has a bound that is not a number; use an infinite bound where there is none.");
    if (lower[i] > upper[i])
      throw Error(variable(i) + "has the lower bound " + std::to_string(lower[i]) + " above its upper bound " +
                  std::to_string(upper[i]) + "; exchange or correct them.");
    if (lower[i] == infinity || upper[i] == -infinity)
      throw Error(variable(i) + "has no finite value between its bounds; correct the infinite bound.");
  }
}

VectorXd variable_scales(const VectorXd& start, const VectorXd& lower, const VectorXd& upper) {
  VectorXd scales(start.size());
  for (Index i = 0; i < start.size(); ++i)
    scales[i] = scale_of(std::clamp(start[i], lower[i], upper[i]), lower[i], upper[i]);
  return scales;
}

}  // namespace perilune::optimize
