// SPDX-License-Identifier: MIT
#include "optimize/quasi_newton.hpp"

// LBFGSpp 0.1.0 does not include all that it uses.
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <vector>
// Keep after the above.
#include <LBFGSpp/Cauchy.h>
#include <LBFGSpp/SubspaceMin.h>

namespace perilune::optimize {
namespace {

using Eigen::VectorXd;

constexpr double curvature_threshold = 1e-10;  // cosine of step and gradient change; far below any usable curvature
constexpr double descent_threshold = 1e-14;    // cosine of direction and negative gradient

bool descends(const VectorXd& direction, const VectorXd& gradient) {
  // Only the components that move count: the gradient may be huge where a bound holds a variable.
  double norm = 0;
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    if (direction[i] != 0) norm = std::hypot(norm, gradient[i]);
  return direction.allFinite() && direction.dot(gradient) < -descent_threshold * direction.norm() * norm;
}

}  // namespace

void QuasiNewton::clear() { matrix_.reset(static_cast<int>(size_), memory_); }

void QuasiNewton::learn(const Point& from, const Point& to) {
  const VectorXd step = to.u - from.u;
  if (empty()) unit_ = std::max(from.gradient.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
  const VectorXd change = (to.gradient - from.gradient) / unit_;
  const double curvature = step.dot(change);
  if (!std::isfinite(curvature) || !(curvature > curvature_threshold * step.norm() * change.norm())) return;
  if (!std::isnormal(curvature) || !std::isnormal(change.squaredNorm() / curvature)) return;
  matrix_.add_correction(step, change);
}

double QuasiNewton::model_change(const VectorXd& direction, const VectorXd& gradient) const {
  VectorXd projection, product;  // of B = theta I - W M W'
  matrix_.apply_Wtv(direction, projection);
  matrix_.apply_Mv(projection, product);
  return gradient.dot(direction) + 0.5 * (matrix_.theta() * direction.squaredNorm() - projection.dot(product));
}

bool QuasiNewton::direction(const ScaledObjective& objective, const Point& point, VectorXd& direction) const {
  if (empty()) return false;
  const VectorXd gradient = point.gradient / unit_;
  VectorXd cauchy, projection, target;
  std::vector<int> held, free;
  try {
    LBFGSpp::Cauchy<double>::get_cauchy_point(matrix_, point.u, gradient, objective.lower(), objective.upper(), cauchy,
                                              projection, held, free);
    if (!cauchy.allFinite()) return false;
    cauchy = objective.project(cauchy);
    // Without bounds: the multipliers of the bounded subspace method of 0.1.0 lack the term theta times the step.
    const VectorXd infinite = VectorXd::Constant(size_, std::numeric_limits<double>::infinity());
    LBFGSpp::SubspaceMin<double>::subspace_minimize(matrix_, point.u, cauchy, gradient, -infinite, infinite, projection,
                                                    held, free, 0, target);
  } catch (const std::exception&) {
    return false;
  }
  direction = cauchy - point.u;
  if (target.allFinite()) {
    // The projection of the minimum is the better direction, unless it loses what the Cauchy point gained: then it may
    // be almost orthogonal to the gradient, and the search would jam.
    const double cauchy_change = model_change(direction, gradient);
    const VectorXd projected = objective.project(point.u + target) - point.u;
    if (model_change(projected, gradient) <= cauchy_change && descends(projected, gradient)) {
      direction = projected;
      return true;
    }
    // From the Cauchy point straight to the minimum the model decreases all the way: go as far as the bounds allow.
    const VectorXd onwards = target - direction;
    const double share = std::min(1.0, objective.longest_step(cauchy, onwards));
    const VectorXd truncated = objective.project(cauchy + share * onwards) - point.u;
    if (descends(truncated, gradient)) direction = truncated;
  }
  return descends(direction, gradient);
}

}  // namespace perilune::optimize
