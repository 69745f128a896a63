// SPDX-License-Identifier: MIT
// The ends of the adjoint equations of the stabilized index-1 form.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/stabilized/stabilized_sweep.hpp"

namespace perilune::sensitivity {

/// Between the adjoints of the state in the bundle and mu, mu', where the motion stands: those of the index-3 adjoint.
class StabilizedEnds {
 public:
  StabilizedEnds(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle)
      : motion_(motion), equations_(index3_second_order(problem, motion)), bundle_(bundle), y_(equations_->size()) {}

  void begin(AdjointColumns& columns) {
    const Eigen::Index n = columns.mu.rows();
    for (Eigen::Index o = 0; o < columns.count(); ++o) {
      equations_->begin(static_cast<std::size_t>(o), bundle_, y_.data());
      columns.mu.col(o) = Eigen::Map<const Eigen::VectorXd>(y_.data(), n);
      columns.rate.col(o) = Eigen::Map<const Eigen::VectorXd>(y_.data() + rate_at(), n);
      if (with_multipliers()) integrate_by_parts(bundle_.data[static_cast<std::size_t>(o)]);
    }
  }
  void end(const AdjointColumns& columns) {
    const Eigen::Index n = columns.mu.rows();
    std::fill(y_.begin(), y_.end(), 0.0);
    for (Eigen::Index o = 0; o < columns.count(); ++o) {
      Eigen::Map<Eigen::VectorXd>(y_.data(), n) = columns.mu.col(o);
      Eigen::Map<Eigen::VectorXd>(y_.data() + rate_at(), n) = columns.rate.col(o);
      equations_->end(static_cast<std::size_t>(o), y_.data(), bundle_);
    }
  }

 private:
  /// The unknowns are w = (mu, mu_Phi) and w' in place of mu and mu'.
  bool with_multipliers() const { return needs_points(motion_.system()); }
  std::size_t rate_at() const { return motion_.n() + (with_multipliers() ? motion_.m() : 0); }
  /// What the multipliers of accelerations leave at the end to those of positions, nu = mu_Phi'', which stand in the
  /// sweep. (The form's points know no stabilization: c1 and c0 are zero.)
  void integrate_by_parts(std::vector<double>& data) {
    const double *multiplier = y_.data() + motion_.n(), *rate = y_.data() + rate_at() + motion_.n();
    motion_.add_transposed(Block::PhiData, rate, data.data());
    motion_.add_transposed(Block::PhiRateData, multiplier, data.data(), -1);
  }

  LinearizedMotion& motion_;
  std::unique_ptr<AdjointEquations> equations_;
  AdjointBundle& bundle_;
  std::vector<double> y_;
};

}  // namespace perilune::sensitivity
