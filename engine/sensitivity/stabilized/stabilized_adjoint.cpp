// SPDX-License-Identifier: MIT
// The classic adjoint of the stabilized index-1 form: one sweep from the end to the start.
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/stabilized/stabilized_sweep.hpp"

namespace perilune::sensitivity {

namespace {

/// Between the adjoints of the state in the bundle and mu, mu', where the motion stands: those of the index-3 adjoint.
class Ends {
 public:
  Ends(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle)
      : equations_(index3_second_order(problem, motion)), bundle_(bundle), y_(equations_->size()) {}

  void begin(AdjointColumns& columns) {
    const Eigen::Index n = columns.mu.rows();
    for (Eigen::Index o = 0; o < columns.count(); ++o) {
      equations_->begin(static_cast<std::size_t>(o), bundle_, y_.data());
      columns.mu.col(o) = Eigen::Map<const Eigen::VectorXd>(y_.data(), n);
      columns.rate.col(o) = Eigen::Map<const Eigen::VectorXd>(y_.data() + n, n);
    }
  }
  void end(const AdjointColumns& columns) {
    const Eigen::Index n = columns.mu.rows();
    for (Eigen::Index o = 0; o < columns.count(); ++o) {
      Eigen::Map<Eigen::VectorXd>(y_.data(), n) = columns.mu.col(o);
      Eigen::Map<Eigen::VectorXd>(y_.data() + n, n) = columns.rate.col(o);
      equations_->end(static_cast<std::size_t>(o), y_.data(), bundle_);
    }
  }

 private:
  std::unique_ptr<AdjointEquations> equations_;
  AdjointBundle& bundle_;
  std::vector<double> y_;
};

}  // namespace

void stabilized_adjoint(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle) {
  const auto n = static_cast<Eigen::Index>(motion.n());
  const auto objectives = static_cast<Eigen::Index>(problem.objectives.size());
  AdjointColumns columns{Eigen::MatrixXd(n, objectives), Eigen::MatrixXd(n, objectives), {}};
  motion.enter(mesh.t.back(), true);
  motion.at(mesh.t.back());
  Ends ends(problem, motion, bundle);
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
