// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/through_phases.hpp"

#include <algorithm>

namespace perilune::sensitivity {

std::vector<int> reached_parameters(const Problem& problem, const std::vector<int>& over) {
  std::vector<int> reached = over;
  for (const auto& phase : problem.phases) {
    for (const Assignment& a : phase->set) reached.push_back(a.parameter);
  }
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  return reached;
}

std::unique_ptr<Dynamics> linearized_end(const Problem& own, const Evaluation& motion) {
  auto dynamics = std::make_unique<Dynamics>(own.system, motion.phases.back().data, own.formulation);
  const integrator::Mesh& mesh = motion.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  const double t = mesh.t[last], *q = mesh.q_at(last), *v = mesh.v_at(last);
  std::vector<double> a(static_cast<std::size_t>(dynamics->n())), lambda(static_cast<std::size_t>(dynamics->m()));
  dynamics->accelerations(t, q, v, a.data(), lambda.data());
  dynamics->linearize(t, q, v, a.data(), lambda.data(), true, true);
  return dynamics;
}

}  // namespace perilune::sensitivity
