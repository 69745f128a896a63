// SPDX-License-Identifier: MIT
#include "optimize/constrained/ending_under_limits.hpp"

#include <cmath>

#include "optimize/sentences.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;

std::string worst_of(const ConstrainedProblem& problem, const ScaledConstrained& scaled, const JudgedPoint& best) {
  Index worst = 0;
  for (Index k = 0; k < scaled.count(); ++k) {
    if (std::abs(scaled.excess(best, k)) > std::abs(scaled.excess(best, worst))) worst = k;
  }
  const double excess = scaled.excess(best, worst);
  return "\"" + problem.constraints[static_cast<std::size_t>(worst)].name + "\" by " +
         number(std::abs(excess) * scaled.constraint_scale()[worst]) +
         (excess > 0 ? " above its limit" : " below its limit");
}

/// Of a method that knows no gradients there is no residual to tell of.
std::string state_of(const ConstrainedProblem& problem, const ScaledConstrained& scaled,
                     const ConstrainedOptions& options, const JudgedPoint& best) {
  const bool is_feasible = best.violation <= options.feasibility;
  std::string violated = is_feasible ? "" : "the point violates " + worst_of(problem, scaled, best);
  if (takes_gradients(options.method))
    return "the KKT residual is " + number(best.kkt) + (is_feasible ? "" : ", and " + violated);
  if (!is_feasible) return violated;
  return scaled.count() > 0 ? "the best point keeps the limits" : "the best point is within the bounds";
}

std::string ending(const ConstrainedProblem& problem, const ConstrainedResult& result, const ScaledConstrained& scaled,
                   const ConstrainedOptions& options, const JudgedPoint& best) {
  const std::string effort = " after " + plural(result.evaluations, "evaluation");
  const std::string state = state_of(problem, scaled, options, best);
  switch (result.reason) {
    case ConstrainedReason::Stationary:
      return "Converged" + effort + ": " + state + ", within the tolerance " + number(options.kkt) + ".";
    case ConstrainedReason::NoDecrease:
      return "Converged" + effort + ": no step improves the point any more by what its noise leaves to be seen; " +
             (std::isfinite(result.kkt_nearby) ? "the search began near its end, and the KKT residual is " +
                                                     number(result.kkt_nearby) +
                                                     " in parts of the gradient a tenth of the variables away"
                                               : state) +
             ".";
    case ConstrainedReason::SmallSteps:
      return "Ended" + effort + ": steps down to " + number(options.step) +
             " of the first find nothing better, and a second search from there neither; " + state + ".";
    case ConstrainedReason::Infeasible: {
      const std::string none = "No feasible point was found" + effort + ": ";
      const std::string violates = "violates " + worst_of(problem, scaled, best);
      if (!takes_gradients(options.method))
        return none + "the best one " + violates +
               ". Without gradients it is not known which limits contradict each other: loosen one, or start "
               "elsewhere.";
      return none + "near the best one these contradict each other: " + listed(result.contradicting) + "; it " +
             violates + ". Loosen one of them, or start elsewhere.";
    }
    case ConstrainedReason::EvaluationLimit:
      return "Stopped at the limit of" + effort.substr(6) + ": " + state +
             "; raise max_evaluations to continue from the best point.";
    case ConstrainedReason::Interrupted:
      return "Interrupted" + effort + ": the best point so far is kept; " + state + ".";
    case ConstrainedReason::Stalled:
      return "Stalled" + effort + ": no step improves the point, but " + state +
             (scaled.failures() > 0 ? "; " + plural(scaled.failures(), "evaluation") +
                                          " failed, so that it may lie at the edge of where the model can be simulated."
                                    : "; simulations may be too inexact for smaller steps: tighten their tolerances.");
  }
  return "";
}

}  // namespace

std::string sentence_of(const ConstrainedProblem& problem, const ConstrainedResult& result,
                        const ScaledConstrained& scaled, const ConstrainedOptions& options, const JudgedPoint& best,
                        const std::optional<ReducedHessian>& hessian) {
  std::string text = ending(problem, result, scaled, options, best);
  const bool has_gradients = takes_gradients(options.method);
  if (!has_gradients && result.reason != ConstrainedReason::Infeasible)
    text += " Without gradients there is no certificate: neither KKT residual nor multipliers.";
  if (hessian && !hessian->is_minimum())
    text += std::string(" The second derivatives say that it is no ") +
            (problem.maximizes ? "maximum: along some direction the objective bends up."
                               : "minimum: along some direction the objective bends down.");
  return text;
}

}  // namespace perilune::optimize
