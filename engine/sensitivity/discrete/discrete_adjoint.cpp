// SPDX-License-Identifier: MIT
// Reverse differentiation of the integrator's own steps: one backward pass for all parameters, one adjoint per
// objective.
#include "sensitivity/discrete/checkpoints.hpp"

namespace perilune::sensitivity {

Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method) {
  if (method.checkpoints > 0) return checkpointed_adjoint(problem, parameters, over, method);
  if (method.intervals > 0) return interval_adjoint(problem, parameters, over, method);
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  NodeRecord record(*motion);
  simulate(problem, *motion, nullptr, {&record}, run);
  require_complete(run.solution);
  AdjointBundle bundle(problem);
  Backward(problem, run, *motion, bundle).run(record);
  return bundle.finish(problem, run, over);
}

}  // namespace perilune::sensitivity
