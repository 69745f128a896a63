// SPDX-License-Identifier: MIT
// The trapezoidal rule on the first-order explicit adjoint.
#include "sensitivity/continuous/continuous.hpp"

namespace perilune::sensitivity {

void first_order_trapezoidal(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                             AdjointBundle& bundle) {
  const std::size_t objectives = problem.objectives.size(), n = motion.n();
  Dynamics& dynamics = motion.dynamics();
  Seeds seeds(*problem.system);
  ObjectiveWork work(problem);
  ImplicitStepAdjoint implicit(dynamics);
  std::vector<double> discarded(seeds.data_count());
  // -p' at the current mesh point, and the integrand of the gradient with respect to the data.
  auto slopes = [&](std::size_t o, bool with_state) {
    seeds.clear();
    if (problem.objectives[o]->integral) {
      seeds.add(*problem.objectives[o]->integral, work.integral[o], motion.point(), 1);
    }
    if (with_state) {
      for (std::size_t k = 0; k < n; ++k) {
        seeds.a[k] += bundle.v[o][k];
        seeds.v(k) += bundle.q[o][k];
      }
    }
    dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.z.data());
  };
  auto add_slopes = [&](std::size_t o, double weight) {
    for (std::size_t k = 0; k < n; ++k) {
      bundle.q[o][k] += weight * seeds.q(k);
      bundle.v[o][k] += weight * seeds.v(k);
    }
  };
  for (std::size_t node = mesh.size(); node-- > 0;) {
    check_interrupt();
    const bool is_last = node + 1 == mesh.size();
    const double after = is_last ? 0 : (mesh.t[node + 1] - mesh.t[node]) / 2;
    const double before = node > 0 ? (mesh.t[node] - mesh.t[node - 1]) / 2 : 0;
    motion.at_mesh(node);
    if (!is_last) {
      for (std::size_t o = 0; o < objectives; ++o) {
        slopes(o, false);  // the part of the slope that does not depend on p
        add_slopes(o, after);
      }
      dynamics.factor_shifted(after, mesh.t[node]);
      for (std::size_t o = 0; o < objectives; ++o) {
        implicit.solve(after, bundle.q[o].data(), bundle.v[o].data(), discarded.data());
      }
      motion.at_mesh(node);
    }
    for (std::size_t o = 0; o < objectives; ++o) {
      slopes(o, true);
      bundle.add_integrals(o, seeds, after + before);
      add_slopes(o, before);
    }
  }
}

}  // namespace perilune::sensitivity
