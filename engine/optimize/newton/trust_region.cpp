// SPDX-License-Identifier: MIT
#include "optimize/newton/trust_region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "optimize/ending.hpp"
#include "optimize/newton/box_step.hpp"
#include "optimize/newton/curvature.hpp"
#include "optimize/scaled_objective.hpp"
#include "optimize/sentences.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double first_radius = 0.5;  // of a variable's scale
constexpr double largest_radius = 1e30;
constexpr double least_radius = 1e-13;
constexpr double least_share = 1e-4;     // of the promised decrease, for a step to be taken
constexpr double good_share = 0.75;      // for a longer one to be allowed
constexpr double poor_share = 0.25;      // for a shorter one to be asked for
constexpr double model_exactness = 0.1;  // of the least of the model, far from the minimum
constexpr Index most_directions = 10;    // in which a minimum is looked at
constexpr double flat = 1e-7;            // curvature over the largest that counts as none

/// There are no products where one is needed.
struct ProductFailure {
  std::string why;
};
/// No run is left for a product.
struct LimitReached {};

class TrustRegion {
 public:
  TrustRegion(const NewtonProblem& problem, const TrustRegionOptions& options)
      : problem_(problem),
        options_(options),
        objective_(problem.objective, options.max_evaluations),
        curvature_([this](const VectorXd& direction) { return product(direction); }) {
    if (!problem.hessian_product) throw Error("The optimization problem has no second derivatives to evaluate.");
  }

  Result run() {
    begin();
    try {
      record();
      radius_ = first_radius * size_of_variables();
      result_.reason = loop();
    } catch (const Interrupted&) {
      result_.reason = Reason::Interrupted;
    } catch (const LimitReached&) {
      result_.reason = Reason::EvaluationLimit;
    } catch (const ProductFailure& failure) {
      if (result_.iterations == 0)
        throw NumericalError("The second derivatives cannot be computed at the start of the optimization: " +
                             failure.why + ".\nmbs.lbfgsb {} needs none");
      result_.reason = Reason::Stalled;
      no_products_ = failure.why;
    }
    finish();
    return std::move(result_);
  }

 private:
  void begin() {
    current_ = objective_.begin();
    result_.initial = current_.value;
    steepest_ = current_.projected_gradient;
  }

  Reason loop() {
    for (int small_decreases = 0;;) {
      Point next;
      if (current_.projected_gradient <= options_.projected_gradient) {
        const Trial trial = leave_saddle(next);
        if (trial == Trial::Failed) return Reason::ProjectedGradient;
        if (trial == Trial::Stopped) return objective_.stop_reason();
      } else {
        const Trial trial = newton_step(next);
        if (trial == Trial::Stopped) return objective_.stop_reason();
        if (trial == Trial::Failed)
          return promised_ <= relevant() || is_hidden() ? Reason::RelativeDecrease : Reason::Stalled;
      }
      const double scale = std::max(std::abs(current_.value), std::abs(next.value));
      const bool small = current_.value - next.value <= options_.relative_decrease * scale;
      accept(next);
      small_decreases = small ? small_decreases + 1 : 0;
      if (small_decreases >= 2 && current_.projected_gradient > options_.projected_gradient)
        return Reason::RelativeDecrease;
    }
  }

  enum class Trial { Accepted, Failed, Stopped };

  double size_of_variables() const { return std::max(1.0, current_.u.lpNorm<Eigen::Infinity>()); }
  VectorXd least_step() const { return (objective_.lower() - current_.u).cwiseMax(-radius_); }
  VectorXd most_step() const { return (objective_.upper() - current_.u).cwiseMin(radius_); }

  // A smaller decrease than this does not count as one.
  double relevant() const {
    return std::max(options_.relative_decrease * std::abs(current_.value), objective_.noise_of(current_.value));
  }

  // Whether what a step could gain is lost in the rounding of the objective: in that of its variables, to which a
  // simulation adds some, or in that of terms that were as large as the objective was and cancel by now.
  bool is_hidden() {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double moved = current_.gradient.cwiseAbs().dot(current_.u.cwiseAbs());
    const double most = std::max(std::abs(result_.initial), std::abs(current_.value));
    rounding_ = std::max({16 * objective_.noise_of(1) * moved, 8 * epsilon * most, relevant()});
    return promised_ <= rounding_;
  }

  /// Steps of the model in shorter and shorter regions, until one decreases the objective by its share.
  Trial newton_step(Point& next) {
    promised_ = 0;
    radius_ = std::max(radius_, least_radius * size_of_variables() * 10);
    // Exact near the minimum, so that the steps converge faster than linearly.
    const double exactness =
        std::min(model_exactness, steepest_ > 0 ? std::sqrt(current_.projected_gradient / steepest_) : 0);
    while (radius_ > least_radius * size_of_variables()) {
      const BoxStep found = box_step(curvature_, current_.gradient, least_step(), most_step(), exactness);
      promised_ = std::max(promised_, found.promised);
      const VectorXd u = objective_.along(current_.u, found.step, 1);
      if (u == current_.u || !(found.promised > 0)) return Trial::Failed;
      const double length = (u - current_.u).lpNorm<Eigen::Infinity>();
      switch (objective_.evaluate(u, next)) {
        case Evaluation::Stop:
          return Trial::Stopped;
        case Evaluation::Failed:
          radius_ = 0.25 * length;
          continue;
        case Evaluation::Good:
          break;
      }
      if (judge(found.promised, found.step, length, next)) return Trial::Accepted;
      if (found.promised <= relevant()) return Trial::Failed;
    }
    return Trial::Failed;
  }

  /// Whether to take a step, and how far the next may go.
  bool judge(double promised, const VectorXd& step, double length, const Point& next) {
    const double noise = objective_.noise_of(std::max(std::abs(current_.value), std::abs(next.value)));
    const double gain = current_.value - next.value;
    // Where noise hides the decrease, gradients decide.
    if (promised <= 10 * noise) {
      if (gain >= -noise && next.projected_gradient < 0.9 * current_.projected_gradient) return true;
      radius_ = 0.25 * length;
      return false;
    }
    const double share = gain / promised;
    if (share < poor_share) {
      // To where the parabola through both values, with the slope at the first, has its least.
      const double slope = current_.gradient.dot(step), bend = -gain - slope;
      radius_ = length * (slope < 0 && bend > 0 ? std::clamp(-0.5 * slope / bend, 0.1, 0.5) : 0.25);
    } else if (share > good_share && length > 0.9 * radius_) {
      radius_ = std::min(largest_radius, 2.5 * radius_);
    }
    return share > least_share;
  }

  /// At a point without slope: accepted where the objective bends down within the bounds, and falls there.
  Trial leave_saddle(Point& next) {
    std::vector<char> free(static_cast<std::size_t>(current_.u.size()), 0);
    for (Index i = 0; i < current_.u.size(); ++i) {
      const double room =
          current_.gradient[i] < 0 ? objective_.upper()[i] - current_.u[i] : current_.u[i] - objective_.lower()[i];
      const bool is_held = room <= 0 && std::abs(current_.gradient[i]) > options_.projected_gradient;
      free[static_cast<std::size_t>(i)] = objective_.lower()[i] < objective_.upper()[i] && !is_held;
    }
    if (std::count(free.begin(), free.end(), 1) == 0) return Trial::Failed;
    LeastCurvature bend;
    try {
      bend = least_curvature(curvature_, free, most_directions);
    } catch (const LimitReached&) {
      return Trial::Failed;
    } catch (const ProductFailure&) {
      if (result_.iterations == 0) throw;
      return Trial::Failed;
    }
    bend_ = bend;
    if (bend.least >= -flat * bend.largest) return Trial::Failed;
    radius_ = std::max(radius_, 0.1 * size_of_variables());
    constexpr int most_lengths = 12;
    for (int k = 0; k < most_lengths; ++k, radius_ *= 0.25) {
      std::vector<VectorXd> ways = ways_down(bend, free);
      for (const VectorXd& step : ways) {
        const double promised = -current_.gradient.dot(step) - 0.5 * step.dot(curvature_.times(step));
        if (!(promised > relevant())) continue;
        const Evaluation evaluation = objective_.evaluate(objective_.along(current_.u, step, 1), next);
        if (evaluation == Evaluation::Stop) return Trial::Stopped;
        if (evaluation == Evaluation::Good && current_.value - next.value > 0.1 * promised) return Trial::Accepted;
      }
    }
    return Trial::Failed;
  }

  /// The direction of the least curvature to both sides, as far as the region goes, the one of the lower model first;
  /// and where bounds take too much of it, single variables.
  std::vector<VectorXd> ways_down(const LeastCurvature& bend, const std::vector<char>& free) {
    const VectorXd least = least_step(), most = most_step();
    const double longest = bend.direction.lpNorm<Eigen::Infinity>();
    std::vector<VectorXd> ways;
    for (const double sign : {1.0, -1.0})
      ways.emplace_back((sign * radius_ / longest * bend.direction).cwiseMax(least).cwiseMin(most));
    const auto model = [&](const VectorXd& step) {
      return current_.gradient.dot(step) + 0.5 * step.dot(curvature_.times(step));
    };
    if (bend.is_exact && std::min(model(ways[0]), model(ways[1])) >= 0.25 * bend.least * radius_ * radius_) {
      for (Index i = 0; i < least.size(); ++i) {
        if (!free[static_cast<std::size_t>(i)]) continue;
        ways.emplace_back(VectorXd::Unit(least.size(), i) * most[i]);
        ways.emplace_back(VectorXd::Unit(least.size(), i) * least[i]);
      }
    }
    std::vector<std::pair<double, Index>> order;
    for (std::size_t k = 0; k < ways.size(); ++k) order.emplace_back(model(ways[k]), static_cast<Index>(k));
    std::sort(order.begin(), order.end());
    std::vector<VectorXd> sorted;
    for (const auto& [value, k] : order) {
      if (value < 0) sorted.push_back(ways[static_cast<std::size_t>(k)]);
    }
    constexpr std::size_t enough = 4;
    if (sorted.size() > enough) sorted.resize(enough);
    return sorted;
  }

  void accept(const Point& next) {
    current_ = next;
    steepest_ = std::max(steepest_, next.projected_gradient);
    curvature_.forget();
    bend_.reset();
    ++result_.iterations;
    record();
  }

  void record() {
    result_.history.push_back({result_.iterations, objective_.evaluations(), current_.value,
                               current_.projected_gradient, objective_.unscaled(current_.u)});
    if (options_.on_iteration) options_.on_iteration(result_.history.back());
  }

  VectorXd product(const VectorXd& direction) {
    if (objective_.evaluations_left() == 0) throw LimitReached();
    objective_.give_up_one();
    ++result_.products;
    VectorXd image;
    try {
      image = problem_.hessian_product(objective_.unscaled(current_.u), direction.cwiseProduct(objective_.scale()));
    } catch (const Interrupted&) {
      throw;
    } catch (const NumericalError& failure) {
      throw ProductFailure{failure.what()};
    }
    if (image.size() != direction.size())
      throw Error("The product of second derivatives has " + std::to_string(image.size()) + " entries for " +
                  std::to_string(direction.size()) + " optimization variables; give one per variable.");
    if (!image.allFinite()) throw ProductFailure{"one of them is not a finite number"};
    image = image.cwiseProduct(objective_.scale());
    for (Index i = 0; i < image.size(); ++i) {
      if (objective_.lower()[i] == objective_.upper()[i]) image[i] = 0;
    }
    return image;
  }

  void finish() {
    const Point& best = objective_.best();
    result_.x = objective_.unscaled(best.u);
    result_.gradient = best.user_gradient;
    result_.value = best.value;
    result_.evaluations = objective_.evaluations();
    if (bend_ && best.u == current_.u) result_.least_curvature = bend_->least;
    Ending ending = ending_of(objective_, result_, current_, options_.projected_gradient, options_.relative_decrease,
                              options_.max_evaluations);
    ending.promised = promised_;
    ending.rounding = rounding_;
    ending.products = result_.products;
    ending.takes_products = true;
    result_.message =
        no_products_.empty() ? sentence_of(ending) + about_curvature() : sentence_without_products(ending);
  }

  std::string sentence_without_products(const Ending& ending) const {
    return "Stopped after " + plural(ending.iterations, "iteration") + " where the projected gradient is " +
           number(current_.projected_gradient) + ": the second derivatives cannot be computed there: " + no_products_ +
           ". mbs.lbfgsb {} goes on from here without them.";
  }

  std::string about_curvature() const {
    if (result_.reason != Reason::ProjectedGradient) return "";
    if (!bend_ || std::isnan(result_.least_curvature)) return "";
    const bool up = problem_.objective.maximizes;
    const std::string sought = up ? "maximum" : "minimum", way = up ? "up" : "down";
    if (bend_->least < -flat * bend_->largest)
      return " The second derivatives say that it is no " + sought + ": along some direction the objective bends " +
             way + ", but no step there " + (up ? "increases" : "decreases") + " it.";
    if (bend_->least <= flat * bend_->largest)
      return " The second derivatives do not tell whether it is a " + sought +
             ": along some direction there is no curvature.";
    if (!bend_->is_exact) return " No direction of " + std::to_string(most_directions) + " bends " + way + ".";
    return " It is a " + sought + ": the " + (up ? "greatest" : "least") + " curvature is " +
           number(up ? -bend_->least : bend_->least) + ".";
  }

  const NewtonProblem& problem_;
  const TrustRegionOptions& options_;
  ScaledObjective objective_;
  Curvature curvature_;
  Point current_;
  Result result_;
  std::optional<LeastCurvature> bend_;  // at the present point, where it was looked at
  std::string no_products_;             // why the search had to end
  double radius_ = first_radius;        // largest move of a scaled variable
  double steepest_ = 0;                 // projected gradient so far
  double promised_ = 0;                 // decrease by the model of the step that failed
  double rounding_ = 0;                 // of the objective where no step decreased it; 0: it was not asked for
};

}  // namespace

Result minimize(const NewtonProblem& problem, const TrustRegionOptions& options) {
  check_tolerances(options.projected_gradient, options.relative_decrease, options.max_evaluations);
  return TrustRegion(problem, options).run();
}

}  // namespace perilune::optimize
