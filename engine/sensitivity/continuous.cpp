// The published direct and adjoint equations, integrated in their own right along the interpolated motion.
#include <algorithm>

#include "sensitivity/adjoint.hpp"
#include "sensitivity/linear_ode.hpp"
#include "sensitivity/tangent.hpp"

namespace perilune::sensitivity {

namespace {

/// The linearized dynamics at any time of a finished run.
class LinearizedMotion {
 public:
  LinearizedMotion(const Evaluation& run, Dynamics& dynamics)
      : run_(run),
        dynamics_(dynamics),
        q_(static_cast<std::size_t>(dynamics.n())),
        v_(q_),
        a_(q_),
        lambda_(static_cast<std::size_t>(dynamics.m())) {}

  /// Interpolates, solves for accelerations and multipliers, linearizes. Repeated times cost nothing.
  system::MotionPoint at(double t) {
    if (!is_set_ || t != t_) {
      run_.solution.mesh.interpolate(t, q_.data(), v_.data(), hint_);
      dynamics_.accelerations(t, q_.data(), v_.data(), a_.data(), lambda_.data());
      dynamics_.linearize(t, q_.data(), v_.data(), a_.data(), lambda_.data(), true, false);
      t_ = t;
      is_set_ = true;
    }
    return {t, q_.data(), v_.data(), a_.data(), lambda_.data(), run_.data->parameters.data()};
  }

 private:
  const Evaluation& run_;
  Dynamics& dynamics_;
  std::vector<double> q_, v_, a_, lambda_;
  double t_ = 0;
  bool is_set_ = false;
  std::size_t hint_ = 0;
};

/// The trapezoidal rule on the adjoint equations, on the mesh. One implicit linear step per mesh interval.
void backward_trapezoidal(const Problem& problem, const Evaluation& run, Dynamics& dynamics, AdjointBundle& bundle) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::vector<double>& rho = run.data->parameters;
  const auto n = static_cast<std::size_t>(mesh.n);
  const std::size_t objectives = problem.objectives.size();
  const int data_count = problem.system->data_count();
  Seeds seeds(*problem.system);
  ObjectiveWork work(problem);
  ImplicitStepAdjoint implicit(dynamics);
  std::vector<double> discarded(static_cast<std::size_t>(data_count));
  // -mu' at the current mesh point, and the integrand of the gradient with respect to the data.
  auto slopes = [&](std::size_t o, const system::MotionPoint& at, bool with_state) {
    seeds.clear();
    if (problem.objectives[o]->integral) seeds.add(*problem.objectives[o]->integral, work.integral[o], at, 1);
    if (with_state) {
      for (std::size_t k = 0; k < n; ++k) {
        seeds.a[k] += bundle.v[o][k];
        seeds.v(k) += bundle.q[o][k];
      }
    }
    dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.z.data());
  };
  for (std::size_t node = mesh.size(); node-- > 0;) {
    check_interrupt();
    const system::MotionPoint at = mesh_point(mesh, node, rho);
    const bool is_last = node + 1 == mesh.size();
    const double after = is_last ? 0 : (mesh.t[node + 1] - mesh.t[node]) / 2;
    const double before = node > 0 ? (mesh.t[node] - mesh.t[node - 1]) / 2 : 0;
    dynamics.linearize(at.t, at.q, at.v, at.a, at.lambda, true, true);
    if (!is_last) {
      for (std::size_t o = 0; o < objectives; ++o) {
        slopes(o, at, false);  // the part of the slope that does not depend on mu
        for (std::size_t k = 0; k < n; ++k) {
          bundle.q[o][k] += after * seeds.q(k);
          bundle.v[o][k] += after * seeds.v(k);
        }
      }
      dynamics.factor_shifted(after, at.t);
      for (std::size_t o = 0; o < objectives; ++o) {
        implicit.solve(after, bundle.q[o].data(), bundle.v[o].data(), discarded.data());
      }
      dynamics.linearize(at.t, at.q, at.v, at.a, at.lambda, true, true);
    }
    for (std::size_t o = 0; o < objectives; ++o) {
      slopes(o, at, true);
      bundle.add_integrals(o, seeds, after + before);
      for (std::size_t k = 0; k < n; ++k) {
        bundle.q[o][k] += before * seeds.q(k);
        bundle.v[o][k] += before * seeds.v(k);
      }
    }
  }
}

/// Explicit methods: the adjoint states of all objectives and their gradient integrals as one system.
void backward_explicit(const Problem& problem, const Evaluation& run, Dynamics& dynamics, AdjointBundle& bundle) {
  const std::size_t objectives = problem.objectives.size();
  const auto n = static_cast<std::size_t>(dynamics.n());
  const auto d = static_cast<std::size_t>(problem.system->data_count());
  const auto p = static_cast<std::size_t>(problem.system->parameter_count());
  // Layout: [mu_q, mu_v] of every objective, then [data, parameters] of every objective.
  std::vector<double> y;
  for (std::size_t o = 0; o < objectives; ++o) {
    y.insert(y.end(), bundle.q[o].begin(), bundle.q[o].end());
    y.insert(y.end(), bundle.v[o].begin(), bundle.v[o].end());
  }
  const std::size_t controlled = y.size();
  for (std::size_t o = 0; o < objectives; ++o) {
    y.insert(y.end(), bundle.data[o].begin(), bundle.data[o].end());
    y.insert(y.end(), bundle.parameters[o].begin(), bundle.parameters[o].end());
  }
  LinearizedMotion motion(run, dynamics);
  Seeds seeds(*problem.system);
  ObjectiveWork work(problem);
  const LinearRhs rhs = [&](double t, const double* state, double* slope) {
    const system::MotionPoint at = motion.at(t);
    for (std::size_t o = 0; o < objectives; ++o) {
      const double *mu_q = state + 2 * n * o, *mu_v = mu_q + n;
      seeds.clear();
      if (problem.objectives[o]->integral) seeds.add(*problem.objectives[o]->integral, work.integral[o], at, 1);
      for (std::size_t k = 0; k < n; ++k) {
        seeds.a[k] += mu_v[k];
        seeds.v(k) += mu_q[k];
      }
      dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.z.data());
      double* out = slope + 2 * n * o;
      for (std::size_t k = 0; k < n; ++k) {
        out[k] = -seeds.q(k);
        out[n + k] = -seeds.v(k);
      }
      double* tail = slope + controlled + (d + p) * o;
      for (std::size_t k = 0; k < d; ++k) tail[k] = -seeds.data()[k];
      for (std::size_t k = 0; k < p; ++k) tail[d + k] = -seeds.parameters[k];
    }
  };
  integrate_linear(problem.integrator, run.solution.mesh.t, true, controlled, rhs, y);
  for (std::size_t o = 0; o < objectives; ++o) {
    const double *state = y.data() + 2 * n * o, *tail = y.data() + controlled + (d + p) * o;
    bundle.q[o].assign(state, state + n);
    bundle.v[o].assign(state + n, state + 2 * n);
    bundle.data[o].assign(tail, tail + d);
    bundle.parameters[o].assign(tail + d, tail + d + p);
  }
}

}  // namespace

Gradient continuous_adjoint(const Problem& problem, const std::vector<double>& parameters,
                            const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  simulate(problem, *formulation::make_motion(problem.system, run.data, problem.formulation), nullptr, {}, run);
  require_complete(run.solution);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  AdjointBundle bundle(problem, run, dynamics);
  if (integrator::tableau_of(problem.integrator)->is_explicit()) {
    backward_explicit(problem, run, dynamics, bundle);
  } else {
    backward_trapezoidal(problem, run, dynamics, bundle);
  }
  return bundle.finish(problem, run, over);
}

Gradient continuous_direct(const Problem& problem, const std::vector<double>& parameters,
                           const std::vector<int>& over) {
  // The trapezoidal rule applied to the tangent equations is the derivative of the trapezoidal rule.
  if (std::holds_alternative<integrator::Trapezoidal>(problem.integrator))
    return discrete_direct(problem, parameters, over);
  Evaluation run = prepare(problem, parameters);
  simulate(problem, *formulation::make_motion(problem.system, run.data, problem.formulation), nullptr, {}, run);
  require_complete(run.solution);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  TangentBundle bundle(problem, run, over);
  const std::size_t state_size = 2 * bundle.half(), objectives = problem.objectives.size();
  const std::size_t directions = over.size();
  // Layout: dq, dv of all directions, then the integrals [objective][direction].
  std::vector<double> y(bundle.z.begin(), bundle.z.begin() + static_cast<std::ptrdiff_t>(state_size));
  y.resize(state_size + objectives * directions, 0.0);
  LinearizedMotion motion(run, dynamics);
  ObjectiveWork work(problem);
  std::vector<double> x(static_cast<std::size_t>((bundle.n + bundle.m) * bundle.count));
  const LinearRhs rhs = [&](double t, const double* state, double* slope) {
    const system::MotionPoint at = motion.at(t);
    std::copy_n(state, state_size, bundle.z.data());
    dynamics.tangent(bundle.z.data(), bundle.count, x.data());
    std::copy_n(state + bundle.half(), bundle.half(), slope);
    std::copy_n(x.data(), bundle.half(), slope + bundle.half());
    std::fill_n(slope + state_size, objectives * directions, 0.0);
    for (std::size_t o = 0; o < objectives; ++o) {
      if (!problem.objectives[o]->integral) continue;
      const Measure& integral = *problem.objectives[o]->integral;
      integral.evaluate(at, work.integral[o]);
      add_directional(integral, work.integral[o], 1, bundle, bundle.z.data(), x.data(),
                      slope + state_size + o * directions);
    }
  };
  integrate_linear(problem.integrator, run.solution.mesh.t, false, state_size, rhs, y);
  std::copy_n(y.data(), state_size, bundle.z.data());
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  for (std::size_t o = 0; o < objectives; ++o) {
    const double* totals = y.data() + state_size + o * directions;
    out.derivatives.emplace_back(totals, totals + directions);
  }
  add_terminal_tangents(problem, run, dynamics, bundle, out.derivatives);
  return out;
}

}  // namespace perilune::sensitivity
