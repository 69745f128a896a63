#include "sensitivity/adjoint.hpp"

namespace perilune::sensitivity {

AdjointBundle::AdjointBundle(const Problem& problem, const Evaluation& run, Dynamics& dynamics) {
  const System& system = *problem.system;
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  Seeds seeds(mesh.n, mesh.m, system.parameter_count());
  ObjectiveWork work(problem);
  bool is_linearized = false;
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    data.emplace_back(static_cast<std::size_t>(system.data_count()), 0.0);
    parameters.emplace_back(static_cast<std::size_t>(system.parameter_count()), 0.0);
    seeds.clear();
    if (const auto& terminal = problem.objectives[o]->terminal) {
      if (!is_linearized) dynamics.linearize(end.t, end.q, end.v, end.a, end.lambda, true, true);
      is_linearized = true;
      seeds.add(*terminal, work.terminal[o], end, 1);
      dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.q.data(), seeds.v.data(), data[o].data());
      add_parameters(o, seeds);
    }
    q.push_back(seeds.q);
    v.push_back(seeds.v);
  }
}

void AdjointBundle::add_parameters(std::size_t objective, const Seeds& seeds) {
  for (std::size_t i = 0; i < seeds.parameters.size(); ++i) parameters[objective][i] += seeds.parameters[i];
}

Gradient AdjointBundle::finish(const Problem& problem, const Evaluation& run, const std::vector<int>& over) {
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  analysis::Assembly assembly(problem.system, problem.independent);
  for (std::size_t o = 0; o < q.size(); ++o) {
    assembly.adjoint(problem.start, *run.data, run.initial, q[o].data(), v[o].data(), data[o].data());
    problem.system->data_adjoint(*run.data, data[o].data(), parameters[o].data());
    out.derivatives.emplace_back();
    for (int index : over) out.derivatives.back().push_back(parameters[o][static_cast<std::size_t>(index)]);
  }
  return out;
}

ImplicitStepAdjoint::ImplicitStepAdjoint(Dynamics& dynamics)
    : dynamics_(dynamics),
      w_(static_cast<std::size_t>(dynamics.n() + dynamics.m())),
      partial_q_(static_cast<std::size_t>(dynamics.n())),
      partial_v_(partial_q_),
      partial_d_(static_cast<std::size_t>(dynamics.system().data_count())) {}

void ImplicitStepAdjoint::solve(double gamma, double* q, double* v, double* data) {
  // With P = I - gamma f_v - gamma^2 f_q (of the accelerations): P^T x_v = b_v + gamma b_q, x_q = b_q + gamma f_q^T
  // x_v. P^-T = [I 0] S(0)^T S(gamma)^-T [I; 0], and S(0)^-T (x_v, 0) is the very vector w that the solve gives.
  const auto n = static_cast<std::size_t>(dynamics_.n());
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) w_[i] = v[i] + gamma * q[i];
  dynamics_.solve_transposed(w_.data());
  std::fill_n(v, n, 0.0);
  dynamics_.apply_mass_transposed(w_.data(), v);
  std::fill(partial_q_.begin(), partial_q_.end(), 0.0);
  std::fill(partial_v_.begin(), partial_v_.end(), 0.0);
  std::fill(partial_d_.begin(), partial_d_.end(), 0.0);
  dynamics_.subtract_partials_transposed(w_.data(), partial_q_.data(), partial_v_.data(), partial_d_.data());
  for (std::size_t i = 0; i < n; ++i) q[i] += gamma * partial_q_[i];
  for (std::size_t k = 0; k < partial_d_.size(); ++k) data[k] += gamma * partial_d_[k];
}

}  // namespace perilune::sensitivity
