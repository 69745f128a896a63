// SPDX-License-Identifier: MIT
#include "optimize/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"
#include "format/text.hpp"
#include "optimize/fit/bounded_step.hpp"
#include "optimize/fit/scaled_residuals.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using End = LeastSquaresReason;

constexpr double first_radius = 0.1;      // of each variable's scale or magnitude
constexpr double least_agreement = 1e-4;  // of the decrease with its promise, for a step to be accepted
constexpr double negligible = 1e-6;       // decrease relative to the cost, where no step brings it about
constexpr int patience = 5;               // small decreases running that are taken although more is promised

std::string brief(double value) { return format::significant(value, 3); }

std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void check_options(const LeastSquaresOptions& options) {
  if (!(options.projected_gradient >= 0) || !(options.relative_step >= 0) || !(options.relative_decrease >= 0))
    throw Error(
        "The tolerances of the fit must not be negative; set projected_gradient, relative_step and "
        "relative_decrease.");
  if (options.max_evaluations < 1) throw Error("The fit needs at least one evaluation; raise max_evaluations.");
}

// What Noise stands for: a whole step is hidden in it, the residuals have vanished in it, or no step decreases the cost
// where its promise is negligible.
enum class Plateau { Hidden, Vanished, Told };

class Fitter {
 public:
  Fitter(const LeastSquaresProblem& problem, const LeastSquaresOptions& options)
      : options_(options), residuals_(problem, options.max_evaluations), noise_(problem.noise) {}

  LeastSquaresResult run() {
    begin();
    try {
      result_.reason = loop();
    } catch (const Interrupted&) {  // by on_iteration
      result_.reason = End::Interrupted;
    }
    note_influence();
    result_.x = residuals_.unscaled(current_.u);
    result_.residuals = current_.residuals;
    result_.jacobian = current_.jacobian;
    result_.cost = current_.cost;
    result_.projected_gradient = current_.projected_gradient;
    result_.evaluations = residuals_.evaluations();
    result_.jacobian_evaluations = residuals_.jacobian_evaluations();
    result_.message = message();
    return std::move(result_);
  }

 private:
  void begin() {
    switch (residuals_.evaluate(residuals_.start(), true, current_)) {
      case Evaluation::Good:
        break;
      case Evaluation::Failed:
        throw NumericalError(
            std::string("The residuals of the fit cannot be evaluated at its start: they, or their Jacobian, are not "
                        "finite or a simulation fails there; choose another start.") +
            (residuals_.last_failure().empty() ? "" : "\nthe failure: " + residuals_.last_failure()));
      case Evaluation::Stop:
        throw Interrupted();
    }
    result_.initial = current_.cost;
    size_ = current_.column_norms;
    // Farther the model is not trusted before its first agreement with the residuals is known.
    radius_ = first_radius * weights().cwiseProduct(current_.u.cwiseAbs().cwiseMax(1)).norm();
  }

  End loop() {
    record(0);
    for (int small_decreases = 0;;) {
      if (current_.projected_gradient <= options_.projected_gradient) return End::ProjectedGradient;
      const VectorXd size = weights();
      const LinearModel model = residuals_.model(current_, size);
      const BoundedStep whole = damped_step(model, 0);
      promise_ = whole.promise;
      if (has_vanished(whole.t.cwiseQuotient(size))) {
        plateau_ = Plateau::Vanished;
        return End::Noise;
      }
      if (whole.t.norm() <= options_.relative_step * size.cwiseProduct(current_.u).norm()) return End::RelativeStep;
      const bool is_hidden = promise_ <= noise();
      const bool is_whole = whole.t.norm() <= 1.1 * radius_;
      const BoundedStep step = is_whole ? whole : trusted_step(model, radius_);
      const VectorXd u = residuals_.moved(current_, model, size, step.t);
      if (u == current_.u) return is_hidden ? End::Noise : stuck();
      if (!is_hidden && step.promise <= residuals_.noise_of(current_.cost)) return stuck();

      ResidualPoint next;
      switch (is_hidden ? attempt_hidden(u, next) : attempt(u, model, step, next)) {
        case Evaluation::Stop:
          return residuals_.stop_reason();
        case Evaluation::Failed:
          if (is_hidden) return End::Noise;
          continue;
        case Evaluation::Good:
          break;
      }
      const double relevant = options_.relative_decrease * current_.cost;
      small_decreases = current_.cost - next.cost <= relevant ? small_decreases + 1 : 0;
      accept(std::move(next), step.damping);
      // One small decrease may be the luck of one step; the projected gradient has the first word.
      if (small_decreases < 2 || current_.projected_gradient <= options_.projected_gradient) continue;
      if (promise_ <= std::max(relevant, noise())) return End::RelativeDecrease;
      if (small_decreases >= patience) return stuck();
    }
  }

  // Where no step helps, the point may be as good as an answer all the same: within a thousandth or so of the standard
  // errors along all directions that the residuals tell (D. M. Bates, D. G. Watts, A relative offset orthogonality
  // convergence criterion for nonlinear least squares, 1981).
  End stuck() {
    int untold = 0;
    const double told = residuals_.told_promise(current_, untold);
    if (told <= std::max(noise(), negligible * current_.cost)) {
      promise_ = told;
      untold_ = untold;
      plateau_ = Plateau::Told;
      return End::Noise;
    }
    return End::Stalled;
  }

  // A plateau that a variable has led to is no answer, however small the gradient is there; a variable that had no
  // influence from the start does not keep the others from theirs.
  void note_influence() {
    const std::vector<bool> without = residuals_.without_influence(current_);
    for (Index i = 0; i < size_.size(); ++i) {
      if (!without[static_cast<std::size_t>(i)]) continue;
      const bool had_influence = size_[i] > 1e6 * current_.column_norms[i];
      ++(had_influence ? lost_ : idle_);
    }
    if (lost_ == 0 || result_.reason == End::EvaluationLimit || result_.reason == End::Interrupted) return;
    result_.reason = End::Stalled;
  }

  // The weight of each variable in the length of a step: the largest norm that its column had so far.
  VectorXd weights() const {
    const double largest = size_.maxCoeff();
    return size_.unaryExpr([&](double size) { return size > 0 ? size : largest > 0 ? largest : 1; });
  }

  // How far the cost may be off: by the noise that the problem states, and by the rounding of the variables and of
  // what the residuals are computed from.
  double noise() const {
    const double moved = std::sqrt(2 * current_.cost) * current_.column_norms.cwiseProduct(current_.u).norm();
    return residuals_.noise_of(current_.cost) + 16 * std::numeric_limits<double>::epsilon() * moved;
  }

  // Whether noise is all that is left of the residuals. The start may have been absurd, so the variables have a say.
  bool has_vanished(const VectorXd& whole_step) const {
    const double reach = std::sqrt(noise_) * std::max(1.0, current_.u.lpNorm<Eigen::Infinity>());
    return current_.cost <= noise_ * noise_ * result_.initial && whole_step.lpNorm<Eigen::Infinity>() <= reach;
  }

  // Good if the step decreases the cost as it should. The radius of trust is set either way.
  Evaluation attempt(const VectorXd& u, const LinearModel& model, const BoundedStep& step, ResidualPoint& next) {
    const double length = step.t.norm();
    // Only a point with its Jacobian can be returned, so the last evaluation must have it.
    bool has_jacobian = residuals_.evaluations_left() == 1;
    Evaluation evaluation = residuals_.evaluate(u, has_jacobian, next);
    if (evaluation == Evaluation::Good && !has_jacobian && agreement(step, next) >= least_agreement) {
      has_jacobian = true;
      evaluation = residuals_.evaluate(u, true, next);
    }
    if (evaluation == Evaluation::Stop) return evaluation;
    if (evaluation == Evaluation::Failed) {
      radius_ = 0.25 * std::min(radius_, length);
      return evaluation;
    }
    const double ratio = agreement(step, next), gain = current_.cost - next.cost;
    if (result_.iterations == 0) radius_ = std::min(radius_, length);
    if (ratio <= 0.25) {
      // Where the parabola through both costs and the slope has its minimum.
      const double slope = model.residuals.dot(model.matrix * step.t);
      const double shorter = gain >= 0 ? 0.5 : 0.5 * slope / (slope + gain);
      radius_ = std::clamp(shorter, 0.1, 0.5) * std::min(radius_, 10 * length);
    } else if (step.damping == 0 || ratio >= 0.75) {
      radius_ = 2 * length;
    }
    return ratio >= least_agreement && has_jacobian ? Evaluation::Good : Evaluation::Failed;
  }

  double agreement(const BoundedStep& step, const ResidualPoint& next) const {
    return (current_.cost - next.cost) / step.promise;
  }

  // A last step whose gain noise hides. Good if it leads closer to a stationary point, without a higher cost.
  Evaluation attempt_hidden(const VectorXd& u, ResidualPoint& next) {
    const Evaluation evaluation = residuals_.evaluate(u, true, next);
    if (evaluation != Evaluation::Good) return evaluation;
    const double most = std::min(current_.cost + noise(), result_.initial);
    const bool is_better = next.cost <= most && next.projected_gradient < 0.8 * current_.projected_gradient;
    return is_better ? Evaluation::Good : Evaluation::Failed;
  }

  void accept(ResidualPoint&& next, double damping) {
    current_ = std::move(next);
    size_ = size_.cwiseMax(current_.column_norms);
    ++result_.iterations;
    record(damping);
  }

  void record(double damping) {
    result_.history.push_back({result_.iterations, residuals_.evaluations(), current_.cost, current_.projected_gradient,
                               damping, residuals_.unscaled(current_.u)});
    if (options_.on_iteration) options_.on_iteration(result_.history.back());
  }

  std::string message() const {
    const std::string effort =
        " after " + counted(result_.iterations, "iteration") + " and " + counted(result_.evaluations, "evaluation");
    const std::string gradient = "the projected gradient is " + brief(current_.projected_gradient);
    std::string text;
    switch (result_.reason) {
      case End::ProjectedGradient:
        text = "Converged" + effort + ": " + gradient + ", within the tolerance " + brief(options_.projected_gradient) +
               ".";
        break;
      case End::RelativeStep:
        text = "Converged" + effort + ": the next step would change the variables by a relative " +
               brief(options_.relative_step) + " at most; " + gradient + ".";
        break;
      case End::RelativeDecrease:
        text = "Converged" + effort + ": the cost does not decrease any more by a relative " +
               brief(std::max(options_.relative_decrease, noise_)) + "; " + gradient + ".";
        break;
      case End::Noise:
        text = "Converged" + effort + ": " + plateau(gradient);
        break;
      case End::EvaluationLimit:
        text = "Stopped at the limit of " + counted(options_.max_evaluations, "evaluation") + " after " +
               counted(result_.iterations, "iteration") + ": " + gradient +
               "; raise max_evaluations to continue from the best point.";
        break;
      case End::Interrupted:
        text = "Interrupted" + effort + ": the best point so far is kept; " + gradient + ".";
        break;
      case End::Stalled:
        text = "Stalled" + effort + ": ";
        if (lost_ > 0)
          text += counted(lost_, "variable") + " went to where the residuals do not depend on " +
                  (lost_ == 1 ? "it" : "them") +
                  " any more; bound or fix what has lost its influence, or choose another "
                  "start.";
        else
          text += "no step decreases the cost although " + gradient + ", which promises a decrease by " +
                  brief(promise_) + "; " + advice();
        break;
    }
    if (idle_ > 0)
      text += " The residuals do not depend on " + counted(idle_, "variable") +
              " there: fix what has no influence, or choose a start where it has.";
    return text;
  }

  std::string plateau(const std::string& gradient) const {
    switch (plateau_) {
      case Plateau::Vanished:
        return "the residuals have fallen to " + brief(noise_) + " of those at the start, the level of their noise.";
      case Plateau::Told:
        return "a step promises to decrease the cost by a relative " + brief(promise_ / current_.cost) +
               (untold_ > 0 ? " along all directions but " + std::to_string(untold_) +
                                  ", of which the residuals tell next to nothing,"
                            : "") +
               " and none brings it about; " + gradient + ".";
      case Plateau::Hidden:
        break;
    }
    return "a step promises to decrease the cost by " + brief(promise_) + ", which its noise of about " +
           brief(noise()) + " hides; " + gradient + ".";
  }

  std::string advice() const {
    if ((current_.u - residuals_.start()).lpNorm<Eigen::Infinity>() > 1e12)
      return "the variables went so far that the cost may fall without end: bound them.";
    if (residuals_.relative_gradient(current_) <= negligible)
      return "the cost would change by less than a relative " + brief(negligible) +
             ", to first order, if any variable changed by its magnitude: the Jacobian nearly vanishes there and some "
             "variable has lost its influence; bound or fix it, or choose another start.";
    if (residuals_.failures() > 0)
      return counted(residuals_.failures(), "evaluation") +
             " failed, so the point may lie at the edge of where the residuals exist: tighten the bounds or look at "
             "the failing simulation.";
    return "the simulation may be too inexact for smaller steps: tighten its tolerances; or the Jacobian is wrong: "
           "compare it with differences of the residuals.";
  }

  const LeastSquaresOptions& options_;
  ScaledResiduals residuals_;
  double noise_;
  ResidualPoint current_;
  LeastSquaresResult result_;
  VectorXd size_;            // largest norms of the Jacobian's columns so far
  double radius_ = 0;        // of trust, in the norm that `weights` makes
  int lost_ = 0, idle_ = 0;  // variables that lost their influence on the way, and that never had any
  Plateau plateau_ = Plateau::Hidden;
  int untold_ = 0;      // directions of which the residuals tell next to nothing
  double promise_ = 0;  // of the last whole step
};

}  // namespace

LeastSquaresResult least_squares(const LeastSquaresProblem& problem, const LeastSquaresOptions& options) {
  check_options(options);
  return Fitter(problem, options).run();
}

}  // namespace perilune::optimize
