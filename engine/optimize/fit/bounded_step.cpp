// SPDX-License-Identifier: MIT
#include "optimize/fit/bounded_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/decompositions.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double radius_tolerance = 0.1;

// C. L. Lawson, R. J. Hanson, Solving Least Squares Problems (1974), chapter 23, with bounds on both sides.
class ActiveSet {
 public:
  ActiveSet(const LinearModel& model, double damping)
      : model_(model), damping_(damping), t_(VectorXd::Zero(model.lower.size())), is_free_(t_.size(), 1) {
    const VectorXd gradient = this->gradient();
    for (Index i = 0; i < t_.size(); ++i) is_free_[i] = !pushes_out(i, gradient[i]);
  }

  VectorXd solve() {
    const Index n = t_.size();
    for (Index change = 0; change < 10 * (n + 1); ++change) {
      solve_free();
      const VectorXd gradient = this->gradient();
      const Index released = most_wanted(gradient);
      if (released < 0) break;
      is_free_[released] = 1;
    }
    return t_;
  }

 private:
  VectorXd gradient() const {
    return model_.matrix.transpose() * (model_.residuals + model_.matrix * t_) + damping_ * t_;
  }

  bool pushes_out(Index i, double gradient) const {
    return (t_[i] <= model_.lower[i] && gradient >= 0) || (t_[i] >= model_.upper[i] && gradient <= 0);
  }

  // The variable at a bound that gains most by leaving it; -1 if none does.
  Index most_wanted(const VectorXd& gradient) const {
    // What the sums above round; a smaller gradient has no sign.
    const double rounding = 16 * std::numeric_limits<double>::epsilon() *
                            (model_.residuals.norm() + (model_.matrix * t_).norm()) * model_.matrix.norm();
    Index most = -1;
    for (Index i = 0; i < t_.size(); ++i) {
      if (is_free_[i] || pushes_out(i, gradient[i]) || std::abs(gradient[i]) <= rounding) continue;
      if (most < 0 || std::abs(gradient[i]) > std::abs(gradient[most])) most = i;
    }
    return most;
  }

  // The minimum over the free variables; those that would leave the box on the way to it are stopped at their bounds.
  void solve_free() {
    while (true) {
      std::vector<Index> free;
      for (Index i = 0; i < t_.size(); ++i)
        if (is_free_[i]) free.push_back(i);
      if (free.empty()) return;
      const VectorXd target = minimum_over(free);
      double fraction = 1;
      Index stopped = -1;
      for (Index k = 0; k < target.size(); ++k) {
        const Index i = free[k];
        const double bound = target[k] > t_[i] ? model_.upper[i] : model_.lower[i];
        if (target[k] >= model_.lower[i] && target[k] <= model_.upper[i]) continue;
        const double room = (bound - t_[i]) / (target[k] - t_[i]);
        if (stopped >= 0 && room >= fraction) continue;
        fraction = room;
        stopped = i;
      }
      for (Index k = 0; k < target.size(); ++k) {
        const Index i = free[k];
        if (i == stopped) {
          t_[i] = target[k] > t_[i] ? model_.upper[i] : model_.lower[i];
          is_free_[i] = 0;
        } else {
          const double moved = fraction == 1 ? target[k] : t_[i] + fraction * (target[k] - t_[i]);
          t_[i] = std::clamp(moved, model_.lower[i], model_.upper[i]);
        }
      }
      if (stopped < 0) return;
    }
  }

  VectorXd minimum_over(const std::vector<Index>& free) const {
    const Index rows = model_.matrix.rows(), n = static_cast<Index>(free.size());
    MatrixXd matrix = MatrixXd::Zero(rows + (damping_ > 0 ? n : 0), n);
    VectorXd at_bounds = t_;
    for (Index k = 0; k < n; ++k) {
      matrix.col(k).head(rows) = model_.matrix.col(free[k]);
      if (damping_ > 0) matrix(rows + k, k) = std::sqrt(damping_);
      at_bounds[free[k]] = 0;
    }
    VectorXd right = VectorXd::Zero(matrix.rows());
    right.head(rows) = -(model_.residuals + model_.matrix * at_bounds);
    return matrix.completeOrthogonalDecomposition().solve(right);
  }

  const LinearModel& model_;
  double damping_;
  VectorXd t_;
  std::vector<char> is_free_;
};

}  // namespace

BoundedStep damped_step(const LinearModel& model, double damping) {
  BoundedStep step{ActiveSet(model, damping).solve(), damping, 0};
  const VectorXd change = model.matrix * step.t;
  step.promise = -change.dot(model.residuals) - 0.5 * change.squaredNorm();
  return step;
}

BoundedStep trusted_step(const LinearModel& model, double radius) {
  BoundedStep step = damped_step(model, 0);
  const double longest = step.t.norm();
  if (longest <= (1 + radius_tolerance) * radius) return step;
  // Where 1 / |t| would be were it linear in mu, which it nearly is; J. J. More, The Levenberg-Marquardt Algorithm
  // (1978), section 5.
  double low = 0, high = 2 * (model.matrix.transpose() * model.residuals).norm() / radius;
  double low_inverse = 1 / longest, high_inverse = 0;
  BoundedStep shorter = damped_step(model, high);
  high_inverse = 1 / std::max(shorter.t.norm(), std::numeric_limits<double>::min());
  double width = high;
  for (int trial = 0; trial < 60 && high > low; ++trial) {
    double damping = low + (high - low) * (1 / radius - low_inverse) / (high_inverse - low_inverse);
    const bool is_slow = trial % 3 == 2 && high - low > 0.5 * width;
    if (trial % 3 == 2) width = high - low;
    if (is_slow || !(damping > low && damping < high)) damping = std::sqrt(std::max(low, 1e-4 * high) * high);
    step = damped_step(model, damping);
    const double length = step.t.norm();
    if (std::abs(length - radius) <= radius_tolerance * radius) return step;
    if (length > radius) {
      low = damping;
      low_inverse = 1 / length;
    } else {
      high = damping;
      high_inverse = 1 / length;
      shorter = step;
    }
  }
  return shorter;
}

}  // namespace perilune::optimize
