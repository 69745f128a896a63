// SPDX-License-Identifier: MIT
// Accelerations and multipliers where a motion has no mesh point.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "formulation/motion.hpp"

namespace perilune::simulation {

/// By the equations of the run's form: they exist where it leaves redundant constraints out, too.
class PointFinder {
 public:
  PointFinder(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
              const formulation::Formulation& formulation)
      : motion_(formulation::make_motion(std::move(system), std::move(data), formulation)),
        q_(static_cast<std::size_t>(motion_->n())),
        v_(q_),
        a_(q_),
        u_(q_),
        lambda_(static_cast<std::size_t>(motion_->m())),
        mu_(lambda_) {}

  /// The point near q and v (n each). It stays until the next call.
  formulation::Node find(double t, const double* q, const double* v) {
    q_.assign(q, q + q_.size());
    v_.assign(v, v + v_.size());
    const formulation::Node x = last(t);
    motion_->choose(x, 0);
    motion_->point(x);
    return x;
  }
  /// What was found last, at its time.
  formulation::Node last(double t) {
    return {t, q_.data(), v_.data(), a_.data(), lambda_.data(), u_.data(), mu_.data()};
  }

  /// a (n) and lambda, of the whole model: zero for constraints that do not act.
  void find(double t, const std::vector<double>& q, const std::vector<double>& v, std::vector<double>& a,
            std::vector<double>& lambda) {
    find(t, q.data(), v.data());
    a = a_;
    const std::vector<int>& numbers = motion_->system().multiplier_numbers();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      lambda[k] = numbers[k] < 0 ? 0 : lambda_[static_cast<std::size_t>(numbers[k])];
    }
  }

  formulation::Motion& motion() { return *motion_; }

 private:
  std::unique_ptr<formulation::Motion> motion_;
  std::vector<double> q_, v_, a_, u_, lambda_, mu_;
};

}  // namespace perilune::simulation
