// SPDX-License-Identifier: MIT
#include "optimize/newton/box_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sufficient_share = 0.1;  // of what the slope promises

class BoxModel {
 public:
  BoxModel(Curvature& curvature, const VectorXd& gradient, const VectorXd& lower, const VectorXd& upper)
      : curvature_(curvature),
        gradient_(gradient),
        lower_(lower),
        upper_(upper),
        step_(VectorXd::Zero(gradient.size())),
        image_(step_) {}

  /// Along P(step - t slope): the t of the least along the straight piece, shortened until the bend leaves enough of
  /// it.
  void to_cauchy_point() {
    const VectorXd slope = gradient_ + image_, down = free_part(-slope);
    const double size = down.squaredNorm();
    if (size == 0) return;
    const double bend = down.dot(curvature_.times(down));
    double t = 0;  // by which the last variable arrives at its limit
    for (Index i = 0; i < down.size(); ++i) {
      if (down[i] != 0) t = std::max(t, ((down[i] > 0 ? upper_[i] : lower_[i]) - step_[i]) / down[i]);
    }
    if (bend > 0) t = std::min(t, size / bend);
    constexpr int most_cuts = 40;
    for (int cut = 0; cut < most_cuts; ++cut, t *= 0.5) {
      const VectorXd next = (step_ + t * down).cwiseMax(lower_).cwiseMin(upper_);
      const VectorXd move = next - step_, product = curvature_.times(move);
      if (slope.dot(move) + 0.5 * move.dot(product) > sufficient_share * slope.dot(move)) continue;
      step_ = next;
      image_ += product;
      return;
    }
  }

  /// Whether the model falls from a limit that the step came to.
  bool is_held_in_vain() const {
    const VectorXd down = free_part(-(gradient_ + image_));
    for (Index i = 0; i < down.size(); ++i) {
      if (!is_free(i) && down[i] != 0) return true;
    }
    return false;
  }

  void along_faces(double enough) {
    for (Index face = 0; face <= gradient_.size(); ++face) {
      if (!on_face(enough)) return;
    }
  }

  /// Of the model, without what the box holds.
  double free_slope() const { return free_part(-(gradient_ + image_)).norm(); }
  double value() const { return gradient_.dot(step_) + 0.5 * step_.dot(image_); }
  const VectorXd& step() const { return step_; }

 private:
  bool is_free(Index i) const { return lower_[i] < step_[i] && step_[i] < upper_[i]; }

  /// Of a direction from the step: what the box leaves of it.
  VectorXd free_part(VectorXd direction) const {
    for (Index i = 0; i < direction.size(); ++i) {
      if (direction[i] > 0 ? step_[i] >= upper_[i] : step_[i] <= lower_[i]) direction[i] = 0;
    }
    return direction;
  }

  VectorXd on_free(VectorXd v) const {
    for (Index i = 0; i < v.size(); ++i) {
      if (!is_free(i)) v[i] = 0;
    }
    return v;
  }

  /// Conjugate gradients from the present step. Returns whether a limit ended them, so that another face is to follow.
  bool on_face(double enough) {
    VectorXd rest = on_free(-(gradient_ + image_)), direction = rest;
    const Index most = 2 * gradient_.size() + 10;  // against rounding
    for (Index k = 0; k < most; ++k) {
      const double size = rest.squaredNorm();
      if (std::sqrt(size) <= enough) return false;
      const VectorXd product = curvature_.times(direction);
      const double bend = direction.dot(product);
      const double reach = longest(direction);
      const double wanted = bend > 0 ? size / bend : infinity;
      if (wanted >= reach) {
        go(direction, product, reach);
        return true;
      }
      go(direction, product, wanted);
      const VectorXd next = on_free(-(gradient_ + image_));
      direction = next + next.squaredNorm() / size * direction;
      rest = next;
    }
    return false;
  }

  double longest(const VectorXd& direction) const {
    double reach = infinity;
    for (Index i = 0; i < direction.size(); ++i) {
      if (direction[i] == 0) continue;
      reach = std::min(reach, ((direction[i] > 0 ? upper_[i] : lower_[i]) - step_[i]) / direction[i]);
    }
    return reach;
  }

  /// What arrives at a limit up to rounding is put onto it.
  void go(const VectorXd& direction, const VectorXd& product, double t) {
    for (Index i = 0; i < step_.size(); ++i) {
      if (direction[i] == 0) continue;
      const double limit = direction[i] > 0 ? upper_[i] : lower_[i];
      const bool arrives = std::isfinite(limit) && (limit - step_[i]) / direction[i] <= t * (1 + 1e-12);
      step_[i] = arrives ? limit : std::clamp(step_[i] + t * direction[i], lower_[i], upper_[i]);
    }
    image_ += t * product;
  }

  Curvature& curvature_;
  const VectorXd& gradient_;
  const VectorXd& lower_;
  const VectorXd& upper_;
  VectorXd step_, image_;  // and the Hessian times it
};

}  // namespace

BoxStep box_step(Curvature& curvature, const VectorXd& gradient, const VectorXd& lower, const VectorXd& upper,
                 double tolerance) {
  BoxModel model(curvature, gradient, lower, upper);
  const double enough = tolerance * model.free_slope();
  constexpr int most_rounds = 5;
  for (int round = 0; round < most_rounds; ++round) {
    const double before = model.value();
    model.to_cauchy_point();
    model.along_faces(enough);
    constexpr double relevant = 1e-2;
    if (!model.is_held_in_vain() || before - model.value() <= relevant * -model.value()) break;
  }
  return {model.step(), -model.value()};
}

}  // namespace perilune::optimize
