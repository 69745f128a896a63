// SPDX-License-Identifier: MIT
// Gradients of objectives with respect to parameters. The discrete methods differentiate the steps that were taken and
// are exact to rounding; the continuous ones integrate the published equations (Zhu 2014, chapter 3; Schaffer 2005,
// chapters 4 and 5) along the interpolated motion and converge at the order of their integration.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Central differences with `step` times max(|rho|, 1), on the nominal run's step sequence; `richardson` further
/// halvings are extrapolated.
struct FiniteDifference {
  double step = 1e-4;
  int richardson = 0;
};
/// All columns at once, or shared by several threads, and by the processes of a launcher: the same bits for any number.
/// Each of them simulates the motion itself.
struct DiscreteDirect {
  int threads = 1;  // of each process, at most; 0: as many as run_jobs has
};
/// Nodes are kept for the way back, or found again from states of the run, `checkpoints` of them at most: the gradient
/// is the same to the last bit, for several times the work and less memory.
/// Or they are gone through in intervals of the motion, on several threads and while it goes on: the same gradient to
/// rounding, and the same bits for any number of threads. For d freedoms an interval has 2 d adjoints more.
struct DiscreteAdjoint {
  int checkpoints = 0;  // 0: all nodes are kept
  int intervals = 0;    // 0: one sweep over all
  int threads = 0;      // of each process, at most; 0: as many as run_jobs has
};

/// The adjoint equations of a formulation differ in their unknowns.
///   penalty:                           first-order explicit, first-order implicit, second-order
///   index-1, augmented Lagrangian:     first-order explicit, approach 1, approach 2
///   index-3, augmented Lagrangian:     second-order
///   Maggi, coordinate partitioning:    first-order explicit, first-order implicit, second-order
///   stabilized index-1:                second-order
/// The first is the default. The second-order forms of index 3 and approach 1 want terminal parts without accelerations
/// and multipliers.
enum class AdjointForm { Default, FirstOrderExplicit, FirstOrderImplicit, SecondOrder, Approach1, Approach2 };

/// Both go with every formulation and every integrator of the motion. Their equations are integrated by Dormand and
/// Prince's method with `tolerances`, or with those of an adaptive integrator of the motion; else by RK4 on the mesh of
/// the motion. Exceptions: with the trapezoidal rule and no tolerances of their own, the direct equations and the
/// default forms of the penalty, index-1 and index-3 adjoints are integrated by the trapezoidal rule; the equations of
/// the stabilized form are always integrated by Radau IIA of order 5 on the mesh.
struct ContinuousDirect {
  std::optional<integrator::Tolerances> tolerances;
};
struct ContinuousAdjoint {
  AdjointForm form = AdjointForm::Default;
  std::optional<integrator::Tolerances> tolerances;
};
/// The continuous adjoint of the stabilized form over intervals, in parallel (Schaffer 2005, chapter 5): the gradient
/// is that of ContinuousAdjoint to rounding, and the same bits for any number of threads.
struct PiecewiseAdjoint {
  int intervals = 0;     // 0: 40, or as many as there are steps
  bool pipeline = true;  // intervals are solved while the motion goes on
  int threads = 0;       // at most; 0: as many as run_jobs has
};
using Method = std::variant<FiniteDifference, DiscreteDirect, DiscreteAdjoint, ContinuousDirect, ContinuousAdjoint,
                            PiecewiseAdjoint>;
const char* name_of(const Method& method);
/// Whether it integrates equations of sensitivities, the published ones, in their own right.
bool is_continuous(const Method& method);
/// Empty when the method can differentiate the problem, else a sentence that says why not and what can.
std::string objection(const Problem& problem, const Method& method);
/// Every method that goes with both, the discrete adjoint first, continuous adjoints in every form; differences with
/// two extrapolations. Some may object to some objectives: those that go with a problem and its motion do not.
std::vector<Method> methods_offered(const formulation::Formulation& formulation,
                                    const integrator::Integrator& integrator);
std::vector<Method> methods_offered(const Problem& problem, const Evaluation& run);

struct Gradient {
  std::vector<double> values;                    // of the objectives
  std::vector<std::vector<double>> derivatives;  // [objective][parameter], parameters in the order of `over`
  integrator::Statistics statistics;             // of the nominal run
  double seconds = 0;                            // processor time of all threads, all included
  double elapsed = 0;                            // s by the clock on the wall
  long linearizations = 0;  // of the equations of nodes, by adjoints on their way back: for all objectives together
  std::vector<std::string> warnings;             // of the nominal run

  template <class Archive>
  friend void archive_fields(Archive& archive, Gradient& g) {
    integrator::Statistics& s = g.statistics;
    archive(g.values, g.derivatives, g.seconds, g.elapsed, g.linearizations, g.warnings);
    archive(s.steps, s.rejected, s.evaluations, s.jacobians, s.factorizations, s.newton_iterations,
            s.stability_limited);
  }
};

/// `over`: parameter numbers. Throws NumericalError when a simulation does not complete, Interrupted on Ctrl-C.
Gradient gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                  const Method& method);

// The methods one by one; `gradient` adds the clock.
Gradient finite_difference(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const FiniteDifference& method);
Gradient discrete_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over);
/// How many groups of columns DiscreteDirect makes of `count`, here and now. One where the columns are not independent:
/// the augmented Lagrangian iterates them together.
std::size_t column_groups(const Problem& problem, std::size_t count, const DiscreteDirect& method);
/// Columns in that many groups, as jobs. `problem` is that of all parameters.
Gradient direct_in_groups(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          std::size_t groups);
/// Of a motion in phases. `unfinished`: becomes the name of the phase whose stop did not come by the end time, where
/// there is one.
Gradient direct_through_phases(const Problem& problem, const std::vector<double>& parameters,
                               const std::vector<int>& over, std::string* unfinished = nullptr);
Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method = {});
/// discrete_adjoint with intervals > 0.
Gradient interval_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method);
/// Of a motion in phases; checkpoints are those of each phase, intervals of all together, one in each at least.
Gradient adjoint_through_phases(const Problem& problem, const std::vector<double>& parameters,
                                const std::vector<int>& over, const DiscreteAdjoint& method = {});
Gradient continuous_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const ContinuousDirect& method);
Gradient continuous_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                            const ContinuousAdjoint& method);

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method);

/// Throws what an incomplete simulation amounts to: Interrupted or NumericalError.
void require_complete(const integrator::Solution& solution);

}  // namespace perilune::sensitivity
