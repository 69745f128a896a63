// SPDX-License-Identifier: MIT
#include "optimize/lbfgsb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"
#include "optimize/check_gradient.hpp"
#include "optimize/ending.hpp"
#include "optimize/line_search.hpp"
#include "optimize/quasi_newton.hpp"
#include "optimize/scaled_objective.hpp"
#include "optimize/sentences.hpp"

namespace perilune::optimize {
namespace {

using Eigen::VectorXd;

constexpr double first_reach = 0.1;  // of a variable's scale: how far a step goes of which only the direction is known
constexpr double longest_reach = 1e30;
constexpr double probe_reach = 1e-3;          // the same, of a point where only the curvature is wanted
constexpr double suspicious_gradient = 1e-3;  // relative error in the gradient check

void check(const Options& options) {
  check_tolerances(options.projected_gradient, options.relative_decrease, options.max_evaluations);
  constexpr int most_memory = 1000;  // its matrices have twice as many rows and columns
  if (options.memory > most_memory)
    throw Error("The optimizer remembers at most " + std::to_string(most_memory) + " steps; lower memory.");
  if (options.memory < 1) throw Error("The optimizer needs a memory of at least one step; raise memory.");
}

class Minimizer {
 public:
  Minimizer(const Problem& problem, const Options& options)
      : options_(options), objective_(problem, options.max_evaluations), model_(problem.start.size(), options.memory) {}

  Result run() {
    begin();
    try {
      result_.reason = loop();
    } catch (const Interrupted&) {  // by on_iteration
      result_.reason = Reason::Interrupted;
    }
    const Point& best = objective_.best();
    result_.x = objective_.unscaled(best.u);
    result_.gradient = best.user_gradient;
    result_.value = best.value;
    result_.evaluations = objective_.evaluations();
    result_.message = message();
    return std::move(result_);
  }

 private:
  void begin() {
    current_ = objective_.begin();
    result_.initial = current_.value;
  }

  Reason loop() {
    record();
    if (options_.check_gradient) {
      bool stopped = false;
      result_.gradient_check = check_gradient(objective_, current_, stopped);
      if (stopped) return objective_.stop_reason();
    }
    for (int small_decreases = 0;;) {
      if (current_.projected_gradient <= options_.projected_gradient) return Reason::ProjectedGradient;
      Point next;
      switch (step(next)) {
        case Search::Stopped:
          return objective_.stop_reason();
        case Search::Failed:
          return promised_ <= relevant() || is_hidden() ? Reason::RelativeDecrease : Reason::Stalled;
        case Search::Accepted:
          break;
      }
      const double scale = std::max(std::abs(current_.value), std::abs(next.value));
      const bool small = current_.value - next.value <= options_.relative_decrease * scale;
      accept(next);
      small_decreases = small ? small_decreases + 1 : 0;
      // One small decrease may be the luck of one step; the projected gradient has the first word.
      if (small_decreases >= 2 && current_.projected_gradient > options_.projected_gradient)
        return Reason::RelativeDecrease;
    }
  }

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
    // The step that failed may have been as long as it is only for want of curvature.
    Point there;
    const double size = std::max(1.0, current_.u.lpNorm<Eigen::Infinity>());
    const VectorXd direction = steepest_descent(objective_, current_, probe_reach * size);
    if (objective_.evaluate(current_.u + direction, there) == Evaluation::Good) {
      const double slope = -current_.gradient.dot(direction);
      const double curvature = (there.gradient - current_.gradient).dot(direction);
      if (curvature > 0) promised_ = std::min(promised_, slope * slope / (2 * curvature));
    }
    return promised_ <= rounding_;
  }

  // A step of the model; if it fails one along the steepest descent from the best point, without the memory; if that
  // fails too one along the projected gradient.
  Search step(Point& next) {
    VectorXd direction;
    if (model_.direction(objective_, current_, direction)) {
      promised_ = -current_.gradient.dot(direction);
      const Search search = line_search(objective_, current_, direction, relevant(), next);
      if (search != Search::Failed) return search;
      reach_ = first_reach;
    } else {
      const double size = std::max(1.0, current_.u.lpNorm<Eigen::Infinity>());
      promised_ = -current_.gradient.dot(steepest_descent(objective_, current_, first_reach * size));
    }
    model_.clear();
    current_ = objective_.best();
    direction = steepest_descent(objective_, current_, reach_);
    const Search search = line_search(objective_, current_, direction, relevant(), next);
    if (search != Search::Failed) return search;
    return projected_gradient_step(objective_, current_, 0.5 * reach_, relevant(), next);
  }

  void accept(const Point& next) {
    model_.learn(current_, next);
    // Without curvature, as for a linear objective, steps grow until a bound or a failure ends them.
    const double length = (next.u - current_.u).lpNorm<Eigen::Infinity>();
    reach_ = std::clamp(model_.empty() ? 4 * length : length, 1e-6, longest_reach);
    current_ = next;
    ++result_.iterations;
    record();
  }

  void record() {
    result_.history.push_back({result_.iterations, objective_.evaluations(), current_.value,
                               current_.projected_gradient, objective_.unscaled(current_.u)});
    if (options_.on_iteration) options_.on_iteration(result_.history.back());
  }

  std::string message() const {
    Ending ending = ending_of(objective_, result_, current_, options_.projected_gradient, options_.relative_decrease,
                              options_.max_evaluations);
    ending.promised = promised_;
    ending.rounding = rounding_;
    return sentence_of(ending) + suspicion();
  }

  std::string suspicion() const {
    const auto& check = result_.gradient_check;
    if (!check || !(check->relative_error > suspicious_gradient)) return "";
    return " The gradient at the start disagrees with a difference of the objective: along one direction it says " +
           number(check->directional) + ", the difference says " + number(check->difference) + ".";
  }

  const Options& options_;
  ScaledObjective objective_;
  QuasiNewton model_;
  Point current_;
  Result result_;
  double reach_ = first_reach;
  double promised_ = 0;  // decrease to first order of the step that failed
  double rounding_ = 0;  // of the objective where no step decreased it; 0: it was not asked for
};

}  // namespace

Result minimize(const Problem& problem, const Options& options) {
  check(options);
  return Minimizer(problem, options).run();
}

}  // namespace perilune::optimize
