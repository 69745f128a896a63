// SPDX-License-Identifier: MIT
// The classic adjoint of the stabilized index-1 form: one sweep from the end to the start.
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/stabilized/stabilized_ends.hpp"

namespace perilune::sensitivity {

void stabilized_adjoint(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle) {
  const auto n = static_cast<Eigen::Index>(motion.n());
  const auto objectives = static_cast<Eigen::Index>(problem.objectives.size());
  AdjointColumns columns{Eigen::MatrixXd(n, objectives), Eigen::MatrixXd(n, objectives), {}};
  motion.enter(mesh.t.back(), true);
  motion.at(mesh.t.back());
  StabilizedEnds ends(problem, motion, bundle);
  StabilizedSweep sweep(problem, motion, bundle);
  std::size_t last = mesh.size() - 1;
  while (true) {
    ends.begin(columns);
    std::size_t first = last;
    while (first > 0 && mesh.t[first - 1] != mesh.t[first]) --first;
    sweep.run(mesh.t, first, last, columns);
    motion.at(mesh.t[first]);
    ends.end(columns);
    if (first == 0) break;
    // An event: the adjoints of the state go on, but mu and mu' may depend on slopes of forces.
    last = first - 1;
    motion.enter(mesh.t[last], true);
    motion.at(mesh.t[last]);
  }
}

}  // namespace perilune::sensitivity
