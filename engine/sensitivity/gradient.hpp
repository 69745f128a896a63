// Gradients of objectives with respect to parameters. The discrete methods differentiate the steps that were taken and
// are exact to rounding; the continuous ones integrate the published equations (Zhu 2014, eqs. 3.19, 3.88, 3.89; Zhu
// penalty adjoint, section 4) along the interpolated motion and converge at the integrator's order.
#pragma once
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
struct DiscreteDirect {};
/// Nodes are kept for the way back, or found again from states of the run, `checkpoints` of them at most: the gradient
/// is the same to the last bit, for several times the work and less memory.
struct DiscreteAdjoint {
  int checkpoints = 0;  // 0: all nodes are kept
};
struct ContinuousDirect {};
struct ContinuousAdjoint {};
using Method = std::variant<FiniteDifference, DiscreteDirect, DiscreteAdjoint, ContinuousDirect, ContinuousAdjoint>;
const char* name_of(const Method& method);
/// Every method that goes with both, the discrete adjoint first; differences with two extrapolations.
std::vector<Method> methods_offered(const formulation::Formulation& formulation,
                                    const integrator::Integrator& integrator);

struct Gradient {
  std::vector<double> values;                    // of the objectives
  std::vector<std::vector<double>> derivatives;  // [objective][parameter], parameters in the order of `over`
  integrator::Statistics statistics;             // of the nominal run
  double seconds = 0;                            // processor time, all included
};

/// `over`: parameter numbers. Throws NumericalError when a simulation does not complete, Interrupted on Ctrl-C.
Gradient gradient(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                  const Method& method);

// The methods one by one; `gradient` adds the clock.
Gradient finite_difference(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const FiniteDifference& method);
Gradient discrete_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over);
Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method = {});
Gradient continuous_direct(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over);
Gradient continuous_adjoint(const Problem& problem, const std::vector<double>& parameters,
                            const std::vector<int>& over);

/// Throws what an incomplete simulation amounts to: Interrupted or NumericalError.
void require_complete(const integrator::Solution& solution);

}  // namespace perilune::sensitivity
