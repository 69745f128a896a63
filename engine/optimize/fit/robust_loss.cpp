// SPDX-License-Identifier: MIT
#include "optimize/fit/robust_loss.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_curvature = 0.1;  // of the weight rho'

double squared_ratio(double residual, double scale) {
  const double ratio = residual / scale;
  return ratio * ratio;
}

}  // namespace

LossValue loss_value(const RobustLoss& loss, double z) {
  switch (loss.kind) {
    case RobustLoss::Kind::None:
      break;
    case RobustLoss::Kind::Huber: {
      if (z <= 1) break;
      const double root = std::sqrt(z);
      return {2 * root - 1, 1 / root, -0.5 / (z * root)};
    }
    case RobustLoss::Kind::SoftL1: {
      const double root = std::sqrt(1 + z);
      return {2 * z / (root + 1), 1 / root, -0.5 / ((1 + z) * root)};  // 2 (root - 1), without its rounding
    }
    case RobustLoss::Kind::Cauchy:
      return {std::log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))};
  }
  return {z, 1, 0};
}

void check_loss(const RobustLoss& loss) {
  if (!(loss.scale > 0) || !std::isfinite(loss.scale))
    throw Error("The scale of a robust loss must be a positive finite number; give the size of an ordinary residual.");
}

double robust_cost(const RobustLoss& loss, const VectorXd& residuals) {
  if (loss.kind == RobustLoss::Kind::None) return 0.5 * residuals.squaredNorm();
  double sum = 0;
  for (const double residual : residuals) sum += loss_value(loss, squared_ratio(residual, loss.scale)).value;
  return 0.5 * loss.scale * loss.scale * sum;
}

void correct_for_loss(const RobustLoss& loss, VectorXd& residuals, MatrixXd& jacobian) {
  if (loss.kind == RobustLoss::Kind::None) return;
  for (Index i = 0; i < residuals.size(); ++i) {
    const double z = squared_ratio(residuals[i], loss.scale);
    const auto [value, first, second] = loss_value(loss, z);
    const double root = std::sqrt(std::max(first + 2 * z * second, least_curvature * first));
    residuals[i] *= first / root;
    jacobian.row(i) *= root;
  }
}

}  // namespace perilune::optimize
