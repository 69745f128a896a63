// SPDX-License-Identifier: MIT
#include "optimize/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sufficient_decrease = 1e-4;
constexpr double curvature = 0.9;
constexpr int max_trials = 40;
constexpr int max_trials_at_wall = 4;

// The objective and its slope at a step along the direction.
struct Sample {
  double step = 0;
  double value = 0;
  double slope = 0;
};

// Where the cubic through both ends, with their slopes, has its minimum; NaN if it has none.
double cubic_minimum(const Sample& a, const Sample& b) {
  const double width = b.step - a.step;
  const double d = a.slope + b.slope - 3 * (b.value - a.value) / width;
  const double root = std::sqrt(d * d - a.slope * b.slope);
  return b.step - width * (b.slope + root - d) / (b.slope - a.slope + 2 * root);
}

// Keeps [too_short, too_long] around a step that satisfies the Wolfe conditions. For a smooth objective there is one:
// it has decreased enough and still falls at the short end, while at the long end it has not decreased enough or it
// rises.
class Bracket {
 public:
  explicit Bracket(const Sample& origin) : short_(origin), previous_(origin) {}

  void set_too_short(const Sample& sample) {
    previous_ = short_;
    short_ = sample;
  }
  void set_too_long(const Sample& sample) {
    long_ = sample;
    wall_ = false;
  }
  void set_failed(double step) {
    long_.step = step;
    wall_ = true;
    ++failures_;
  }

  /// What the objective may still lose between the ends, to first order; infinite while one is unknown.
  double gain() const { return -short_.slope * (wall_ ? infinity : long_.step - short_.step); }

  /// Whether an evaluation failed beyond a step that is good enough.
  bool at_wall() const { return wall_ && short_.step > 0; }

  double next(double longest) {
    if (long_.step == infinity) return std::min(expanded(), longest);
    const double width = long_.step - short_.step;
    if (wall_) return short_.step + width * (short_.step > 0 ? 0.5 : failures_ < 4 ? 0.25 : 0.1);
    const bool sluggish = width > 0.66 * width_before_last_;
    width_before_last_ = last_width_;
    last_width_ = width;
    const double guess = cubic_minimum(short_, long_);
    if (sluggish || !std::isfinite(guess)) return short_.step + 0.5 * width;
    // Steps that are far too long at first are common, so the first cut may be deep.
    const double margin = (short_.step > 0 ? 0.1 : 0.01) * width;
    return std::clamp(guess, short_.step + margin, long_.step - margin);
  }

 private:
  // Follows the slope to where it would vanish, but neither timidly nor out of sight.
  double expanded() const {
    const double run = short_.step - previous_.step, rise = short_.slope - previous_.slope;
    const double guess = rise > 0 ? short_.step - short_.slope * run / rise : infinity;
    return std::clamp(guess, 2 * short_.step, 10 * short_.step);
  }

  Sample short_, previous_;
  Sample long_{infinity, 0, 0};
  bool wall_ = false;
  int failures_ = 0;
  double last_width_ = infinity, width_before_last_ = infinity;
};

}  // namespace

Search line_search(ScaledObjective& objective, const Point& origin, const VectorXd& direction, double relevant,
                   Point& reached) {
  const Sample start{0, origin.value, origin.gradient.dot(direction)};
  if (!(start.slope < 0) || !direction.allFinite()) return Search::Failed;
  const double longest = objective.longest_step(origin.u, direction);
  if (!(longest > 0)) return Search::Failed;

  Bracket bracket(start);
  Point trial;
  bool have_fallback = false, is_exhausted = false;
  int trials_at_wall = 0;
  double step = std::min(1.0, longest);
  for (int trials = 0; trials < max_trials; ++trials) {
    const VectorXd u = objective.along(origin.u, direction, step);
    if (u == origin.u) break;
    const Evaluation evaluation = objective.evaluate(u, trial);
    if (evaluation == Evaluation::Stop) return Search::Stopped;
    if (evaluation == Evaluation::Failed) {
      bracket.set_failed(step);
    } else {
      const Sample sample{step, trial.value, trial.gradient.dot(direction)};
      const bool armijo = sample.value <= start.value + sufficient_decrease * step * start.slope;
      // Close to the minimum noise hides the decrease, and the slope alone decides.
      const bool decreased = armijo || sample.value <= start.value + objective.noise_of(start.value);
      const bool at_bound = step >= longest && sample.slope < 0;
      if (decreased && (std::abs(sample.slope) <= -curvature * start.slope || at_bound)) {
        reached = trial;
        return Search::Accepted;
      }
      if (armijo && (!have_fallback || sample.value < reached.value)) {
        reached = trial;
        have_fallback = true;
      }
      if (decreased && sample.slope < 0)
        bracket.set_too_short(sample);
      else
        bracket.set_too_long(sample);
    }
    if (bracket.at_wall() && ++trials_at_wall >= max_trials_at_wall) break;
    // At a kink, or a jump by noise, no step may satisfy both conditions, and the ends would meet in vain.
    is_exhausted = bracket.gain() <= relevant;
    if (is_exhausted) break;
    step = bracket.next(longest);
  }
  const bool is_relevant = have_fallback && start.value - reached.value > relevant;
  return is_relevant || (have_fallback && is_exhausted) ? Search::Accepted : Search::Failed;
}

VectorXd steepest_descent(const ScaledObjective& objective, const Point& origin, double reach) {
  const VectorXd projected = objective.projected_step(origin);
  double largest = 0;
  for (Index i = 0; i < projected.size(); ++i)
    if (projected[i] != 0) largest = std::max(largest, std::abs(origin.gradient[i]));
  if (largest == 0) return VectorXd::Zero(projected.size());
  return objective.project(origin.u - origin.gradient * (reach / largest)) - origin.u;
}

Search projected_gradient_step(ScaledObjective& objective, const Point& origin, double reach, double relevant,
                               Point& reached) {
  for (int trials = 0; trials < max_trials; ++trials, reach *= 0.1) {
    const VectorXd step = steepest_descent(objective, origin, reach);
    const double promised = -origin.gradient.dot(step);
    const VectorXd u = objective.along(origin.u, step, 1);
    if (u == origin.u || promised <= relevant) break;
    const Evaluation evaluation = objective.evaluate(u, reached);
    if (evaluation == Evaluation::Stop) return Search::Stopped;
    if (evaluation == Evaluation::Failed) continue;
    const double gain = origin.value - reached.value;
    if (gain > relevant && gain >= sufficient_decrease * promised) return Search::Accepted;
  }
  return Search::Failed;
}

}  // namespace perilune::optimize
