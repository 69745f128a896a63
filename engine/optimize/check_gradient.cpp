// SPDX-License-Identifier: MIT
#include "optimize/check_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace perilune::optimize {

using Eigen::Index;
using Eigen::VectorXd;

std::optional<GradientCheck> check_gradient(ScaledObjective& objective, const Point& start, bool& stopped) {
  constexpr double step = 6e-6;  // cube root of the rounding unit: balances truncation and cancellation
  stopped = false;
  if (objective.evaluations_left() < 4) return std::nullopt;

  const VectorXd &lower = objective.lower(), &upper = objective.upper();
  const Index n = start.u.size();
  std::mt19937 random(20240607);  // raw words: the distributions of <random> differ between libraries
  VectorXd direction = VectorXd::Zero(n), middle = start.u;
  for (Index i = 0; i < n; ++i) {
    const auto word = random();
    const double size = 0.5 + 0.5 * static_cast<double>(word >> 8) / 16777216.0;
    if (upper[i] - lower[i] < 4 * step) continue;
    direction[i] = (word & 1u) != 0 ? size : -size;
    middle[i] = std::clamp(middle[i], lower[i] + step, upper[i] - step);
  }
  if (direction.isZero(0)) return std::nullopt;

  const auto succeeded = [&](const VectorXd& u, Point& point) {
    const Evaluation evaluation = objective.evaluate(u, point);
    stopped = evaluation == Evaluation::Stop;
    return evaluation == Evaluation::Good;
  };
  Point centre = start, before, after;
  if (middle != start.u && !succeeded(middle, centre)) return std::nullopt;
  if (!succeeded(middle - step * direction, before) || !succeeded(middle + step * direction, after))
    return std::nullopt;

  GradientCheck check;
  check.directional = centre.gradient.dot(direction);
  check.difference = (after.value - before.value) / (2 * step);
  // Cancellation alone makes the difference uncertain by about 4e-11 |objective|.
  const double floor = 1.5e-8 * std::max(std::abs(after.value), std::abs(before.value));
  const double size = std::max({std::abs(check.directional), std::abs(check.difference), floor});
  check.relative_error = size > 0 ? std::abs(check.directional - check.difference) / size : 0;
  return check;
}

}  // namespace perilune::optimize
