// SPDX-License-Identifier: MIT
// Minimization of a smooth function within bounds and under constraints, by NLopt's methods: scaled, guarded against
// failing evaluations, restarted where they end early, and with a certificate of what was found.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace perilune::optimize {

/// lower <= c(x) <= upper, in the constraint's own unit; an equality where both are one number.
struct Constraint {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double scale = 0;  ///< what counts as a large change of c; 0: the larger of its limits and of what the variables do
};

/// The vectors have one entry for each of the n variables, each in its own unit.
struct ConstrainedProblem {
  Eigen::VectorXd start;           ///< finite; where it lies outside the bounds it is projected onto them
  Eigen::VectorXd lower, upper;    ///< may be infinite; equal where a variable is fixed
  std::vector<std::string> names;  ///< of the variables, for sentences
  std::vector<Constraint> constraints;

  /// Writes the objective and the m constraints at x (1 + m) and their Jacobian (1 + m x n), unless that is without
  /// size: a method that takes no gradients does not ask for it. Never called outside the bounds. Numbers that are not
  /// finite, or a NumericalError, mean that the step to x was too long. Interrupted ends the search with the best point
  /// so far; any other exception passes through.
  std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::MatrixXd& jacobian)> evaluate;

  double noise = 8 * std::numeric_limits<double>::epsilon();  ///< as of Problem
  bool maximizes = false;                                     ///< likewise
};

/// Ours are the names; the algorithms are NLopt's.
enum class ConstrainedMethod {
  Slsqp,                ///< sequential quadratic programming: D. Kraft (1988)
  Mma,                  ///< moving asymptotes, for many variables; inequalities only: K. Svanberg (2002)
  Ccsaq,                ///< the same with quadratic approximations
  AugmentedLagrangian,  ///< with L-BFGS inside: E. G. Birgin and J. M. Martinez (2008)
  Cobyla                ///< linear models on a simplex of points, without any gradient: M. J. D. Powell (1994)
};
inline bool takes_gradients(ConstrainedMethod method) { return method != ConstrainedMethod::Cobyla; }

/// A point of the search that was better than those before it: feasible ones by their objective, then by violation.
struct ConstrainedIterate {
  int evaluations;
  double value;      ///< objective
  double violation;  ///< largest of the constraints, as a share of their scales
  double kkt;        ///< as ConstrainedOptions says
  Eigen::VectorXd x;
};

enum class ConstrainedReason {
  Stationary,       ///< the first-order conditions hold within the tolerances
  NoDecrease,       ///< they nearly hold, and no step improves the point by what noise leaves to be seen
  SmallSteps,       ///< a method without gradients found nothing better with ever smaller steps, twice
  Infeasible,       ///< no step towards feasible points: the constraints contradict each other there
  EvaluationLimit,  ///< the allowed evaluations are used up
  Stalled,          ///< no step improves the point although the conditions do not hold
  Interrupted       ///< the user asked to stop
};

struct ConstrainedOptions {
  ConstrainedMethod method = ConstrainedMethod::Slsqp;
  /// Stop when what multipliers leave of the objective's gradient, by variables over their scales, is at most this
  /// share of the larger of the gradient there and at the start.
  double kkt = 1e-8;
  double feasibility = 1e-8;  ///< by how much a constraint may be violated, as a share of its scale
  double step = 1e-6;         ///< a method without gradients stops with steps of this share of the first
  int max_evaluations = 1000;
  std::function<void(const ConstrainedIterate&)>
      on_iteration;  ///< for every entry of the history; may throw Interrupted
};

/// What comes of gradients is NaN with a method that takes none; all variables count as moving then.
struct ConstrainedResult {
  Eigen::VectorXd x;                  ///< best point found (n), always within the bounds
  Eigen::VectorXd gradient;           ///< of the objective at x (n)
  Eigen::VectorXd values;             ///< of the constraints (m)
  Eigen::VectorXd multipliers;        ///< of the constraints (m): minus the slope of the least objective by the limit
  Eigen::VectorXd bound_multipliers;  ///< (n), likewise
  double initial = std::numeric_limits<double>::quiet_NaN(), value = initial;
  double kkt = initial, violation = initial;
  double kkt_nearby = initial;  ///< in parts of the gradient a tenth of the variables away, where that was looked at
  int evaluations = 0, failures = 0;
  ConstrainedReason reason = ConstrainedReason::Stalled;
  std::string message;                     ///< the reason as a sentence with its numbers
  std::vector<char> moving;                ///< variables by which the objective or a constraint has a slope at x (n)
  std::vector<std::string> unmoved;        ///< constraints whose slopes by all variables are zero at the start
  std::vector<std::string> contradicting;  ///< names of constraints and bounds, where Infeasible
  std::vector<ConstrainedIterate> history;
};

/// Throws Error if the problem or the options make no sense, such as more equalities than variables that can move or
/// an equality for a method that has none; NumericalError if the start cannot be evaluated; and Interrupted if the very
/// first evaluation is interrupted.
ConstrainedResult minimize(const ConstrainedProblem& problem, const ConstrainedOptions& options = {});

}  // namespace perilune::optimize
