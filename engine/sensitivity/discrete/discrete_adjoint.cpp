// SPDX-License-Identifier: MIT
// Reverse differentiation of the integrator's own steps: one backward pass for all parameters, one adjoint per
// objective.
#include "sensitivity/discrete/by_objectives.hpp"
#include "sensitivity/discrete/checkpoints.hpp"
#include "sensitivity/discrete/tangents_read.hpp"

namespace perilune::sensitivity {

Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method) {
  if (method.checkpoints > 0) return checkpointed_adjoint(problem, parameters, over, method);
  if (method.intervals > 0) return interval_adjoint(problem, parameters, over, method);
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  const std::optional<formulation::TangentsRead> read = tangents_read(problem);
  NodeRecord record(*motion,
                    read && !read->multipliers ? NodeRecord::Multipliers::Unread : NodeRecord::Multipliers::Read);
  simulate(problem, *motion, nullptr, {&record}, run);
  require_complete(run.solution);
  AdjointBundle bundle(problem);
  return reverse_by_objectives(problem, run, *motion, record, bundle, over, method.threads);
}

}  // namespace perilune::sensitivity
