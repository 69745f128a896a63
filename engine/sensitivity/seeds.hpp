// Gradients of objective parts at one point of a motion, as dense seeds for the sensitivity equations.
#pragma once
#include <algorithm>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

struct Seeds {
  std::vector<double> q, v, a, lambda, parameters;

  Seeds(int n, int m, int p)
      : q(static_cast<std::size_t>(n)),
        v(static_cast<std::size_t>(n)),
        a(static_cast<std::size_t>(n)),
        lambda(static_cast<std::size_t>(m)),
        parameters(static_cast<std::size_t>(p)) {}

  void clear() {
    for (auto* x : {&q, &v, &a, &lambda, &parameters}) std::fill(x->begin(), x->end(), 0.0);
  }
  /// Adds weight times the gradient of the measure's output at a point.
  void add(const Measure& measure, std::vector<double>& work, const system::MotionPoint& at, double weight) {
    measure.evaluate(at, work);
    measure.add_gradient(work, 0, weight, {q.data(), v.data(), a.data(), lambda.data(), parameters.data()});
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

inline system::MotionPoint mesh_point(const integrator::Mesh& mesh, std::size_t k, const std::vector<double>& rho) {
  return {mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k), rho.data()};
}

}  // namespace perilune::sensitivity
