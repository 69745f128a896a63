// SPDX-License-Identifier: MIT
// Gradients of objective parts at one point of a motion, as dense seeds for the sensitivity equations.
#pragma once
#include <algorithm>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

struct Seeds {
  std::vector<double> z;  // with respect to q (n), v (n), data: stacked as Dynamics::adjoint wants it
  std::vector<double> a, lambda, parameters;

  explicit Seeds(const System& system)
      : z(static_cast<std::size_t>(2 * system.coordinate_count() + system.data_count())),
        a(static_cast<std::size_t>(system.coordinate_count())),
        lambda(static_cast<std::size_t>(system.constraint_count())),
        parameters(static_cast<std::size_t>(system.parameter_count())) {}

  double& q(std::size_t i) { return z[i]; }
  double& v(std::size_t i) { return z[a.size() + i]; }
  const double* data() const { return z.data() + 2 * a.size(); }
  std::size_t data_count() const { return z.size() - 2 * a.size(); }

  void clear() {
    for (auto* x : {&z, &a, &lambda, &parameters}) std::fill(x->begin(), x->end(), 0.0);
  }
  /// Adds weight times the gradient of the measure's output at a point.
  void add(const Measure& measure, std::vector<double>& work, const system::MotionPoint& at, double weight) {
    measure.evaluate(at, work);
    measure.add_gradient(work, 0, weight, {z.data(), z.data() + a.size(), a.data(), lambda.data(), parameters.data()});
  }
};

/// Work arrays for the parts of every objective of a problem.
struct ObjectiveWork {
  std::vector<std::vector<double>> terminal, integral;
  explicit ObjectiveWork(const Problem& problem) {
    for (const auto& o : problem.objectives) {
      terminal.push_back(o->terminal ? o->terminal->make_work() : std::vector<double>());
      integral.push_back(o->integral ? o->integral->make_work() : std::vector<double>());
    }
  }
};

/// With the sides that the switches are held at.
inline system::MotionPoint point_of(const Motion& motion, const formulation::Node& x) {
  const Data& data = motion.data();
  return {x.t, x.q, x.v, x.a, x.lambda, data.parameters.data(), data.sides.data()};
}

}  // namespace perilune::sensitivity
