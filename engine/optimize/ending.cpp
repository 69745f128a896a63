// SPDX-License-Identifier: MIT
#include "optimize/ending.hpp"

#include <algorithm>

#include "error.hpp"
#include "optimize/sentences.hpp"

namespace perilune::optimize {
namespace {

std::string advice_to(const Ending& ending) {
  constexpr double out_of_reach = 1e12;
  if (ending.travelled > out_of_reach)
    return std::string("the variables went so far that the objective may ") + (ending.maximizes ? "grow" : "fall") +
           " without end: bound them.";
  if (ending.failures > 0)
    return plural(ending.failures, "evaluation") +
           " failed, so the point may lie at the edge of where the objective exists: tighten the bounds or look at "
           "the failing simulation.";
  return "the simulation may be too inexact for smaller steps: tighten its tolerances; or the gradient is wrong: "
         "compare with check_gradient.";
}

std::string effort_of(const Ending& ending) {
  if (!ending.takes_products)
    return " after " + plural(ending.iterations, "iteration") + " and " + plural(ending.evaluations, "evaluation");
  return " after " + plural(ending.iterations, "iteration") + ", " + plural(ending.evaluations, "evaluation") +
         " and " + plural(ending.products, "Hessian product");
}

}  // namespace

void check_tolerances(double projected_gradient, double relative_decrease, int max_evaluations) {
  if (!(projected_gradient >= 0) || !(relative_decrease >= 0))
    throw Error("The tolerances of the optimizer must not be negative; set projected_gradient and relative_decrease.");
  if (max_evaluations < 1) throw Error("The optimizer needs at least one evaluation; raise max_evaluations.");
}

Ending ending_of(const ScaledObjective& objective, const Result& result, const Point& current,
                 double projected_gradient, double relative_decrease, int max_evaluations) {
  const Point& best = objective.best();
  Ending ending{result.reason,   result.iterations,       result.evaluations,
                max_evaluations, best.projected_gradient, current.projected_gradient,
                current.value,   projected_gradient,      std::max(relative_decrease, objective.noise_of(1))};
  ending.travelled = (best.u - objective.start()).lpNorm<Eigen::Infinity>();
  ending.failures = objective.failures();
  ending.maximizes = objective.maximizes();
  if (ending.maximizes) ending.last_value = 0 - ending.last_value;
  return ending;
}

std::string sentence_of(const Ending& ending) {
  const std::string effort = effort_of(ending);
  const std::string gradient = "the projected gradient is " + number(ending.best_gradient);
  const std::string better = ending.maximizes ? "increase" : "decrease";
  switch (ending.reason) {
    case Reason::ProjectedGradient:
      if (ending.best_gradient > ending.projected_gradient)  // a trial that the search had to leave
        return "Converged" + effort + ": the projected gradient fell to " + number(ending.last_gradient) + " at " +
               number(ending.last_value) + "; the best point is another one on the way, where it is " +
               number(ending.best_gradient) + ": simulations may be less exact than their tolerances, tighten them.";
      return "Converged" + effort + ": " + gradient + ", within the tolerance " + number(ending.projected_gradient) +
             ".";
    case Reason::RelativeDecrease:
      if (ending.rounding > 0)
        return "Converged" + effort + ": a step promises to " + better + " the objective by " +
               number(ending.promised) + ", which its rounding errors of about " + number(ending.rounding) + " hide; " +
               gradient + ".";
      return "Converged" + effort + ": the objective does not " + better + " any more by a relative " +
             number(ending.relative_decrease) + "; " + gradient + ".";
    case Reason::EvaluationLimit:
      return "Stopped at the limit of " + plural(ending.max_evaluations, "evaluation") +
             (ending.takes_products ? ", " + plural(ending.products, "Hessian product") + " among them," : "") +
             " after " + plural(ending.iterations, "iteration") + ": " + gradient +
             "; raise max_evaluations to continue from the best point.";
    case Reason::Interrupted:
      return "Interrupted" + effort + ": the best point so far is kept; " + gradient + ".";
    case Reason::Stalled:
      return "Stalled" + effort + ": no step " + better + "s the objective although " + gradient + ", which promises " +
             (ending.maximizes ? "an " : "a ") + better + " by " + number(ending.promised) + "; " + advice_to(ending);
  }
  return "";
}

}  // namespace perilune::optimize
