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

bool QuasiNewton::direction(const ScaledObjective& objective, const Point& point, VectorXd& direction) const {
  if (empty()) return false;
  const VectorXd gradient = point.gradient / unit_;
  const VectorXd &lower = objective.lower(), &upper = objective.upper();
  VectorXd cauchy, projection;
  try {
    std::vector<int> held, free;
    LBFGSpp::Cauchy<double>::get_cauchy_point(matrix_, point.u, gradient, lower, upper, cauchy, projection, held, free);
    if (!cauchy.allFinite()) return false;
    cauchy = objective.project(cauchy);
    // No iterations of its bounded subspace method: in 0.1.0 their multipliers lack the term theta times the step. With
    // none it returns the projection of the unbounded subspace minimum if that descends, else that minimum itself.
    const int no_iterations = 0;
    LBFGSpp::SubspaceMin<double>::subspace_minimize(matrix_, point.u, cauchy, gradient, lower, upper, projection, held,
                                                    free, no_iterations, direction);
  } catch (const std::exception&) {
    return false;
  }
  const VectorXd to_cauchy = cauchy - point.u;
  if (direction.allFinite()) {
    const VectorXd target = direction;
    direction = objective.project(point.u + target) - point.u;
    if (descends(direction, gradient)) return true;
    // Then as far from the Cauchy point towards the minimum as the bounds allow: the model decreases all the way.
    const VectorXd onwards = target - to_cauchy;
    const double share = std::min(1.0, objective.longest_step(cauchy, onwards));
    direction = objective.project(cauchy + share * onwards) - point.u;
    if (descends(direction, gradient)) return true;
  }
  direction = to_cauchy;
  return descends(direction, gradient);
}

}  // namespace perilune::optimize
