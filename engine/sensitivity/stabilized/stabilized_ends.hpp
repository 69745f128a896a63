// SPDX-License-Identifier: MIT
// The ends of the adjoint equations of the stabilized index-1 form.
#pragma once
#include <memory>
#include <vector>

#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/stabilized/stabilized_sweep.hpp"

namespace perilune::sensitivity {

/// Between the adjoints of the state in the bundle and mu, mu', where the motion stands: those of the index-3 adjoint.
class StabilizedEnds {
 public:
  StabilizedEnds(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle)
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

}  // namespace perilune::sensitivity
