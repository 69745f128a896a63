// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/adjoint.hpp"

#include <algorithm>

#include "sensitivity/contradiction.hpp"
#include "sensitivity/discrete/start_data.hpp"
#include "sensitivity/edges_of_run.hpp"
#include "sensitivity/felt_loads.hpp"

namespace perilune::sensitivity {

AdjointBundle::AdjointBundle(const Problem& problem) {
  const System& system = *problem.system;
  auto zeros = [&](int size) {
    return std::vector<std::vector<double>>(problem.objectives.size(),
                                            std::vector<double>(static_cast<std::size_t>(size), 0.0));
  };
  q = v = zeros(system.coordinate_count());
  data = zeros(system.data_count());
  parameters = zeros(system.parameter_count());
  times.assign(problem.objectives.size(), 0.0);
}

AdjointBundle::AdjointBundle(const Problem& problem, const Evaluation& run, Dynamics& dynamics)
    : AdjointBundle(problem) {
  const System& system = *problem.system;
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  Seeds seeds(system);
  ObjectiveWork work(problem);
  std::vector<double> stop_work = problem.stop ? problem.stop->terminal->make_work() : std::vector<double>();
  bool is_linearized = false;
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    seeds.clear();
    const auto& terminal = problem.objectives[o]->terminal;
    if (terminal) seeds.add(*terminal, work.terminal[o], end, 1);
    if (problem.stop) seeds.add(*problem.stop->terminal, stop_work, end, -stop_weight(problem, run, o));
    if (terminal || problem.stop) {
      if (!is_linearized) dynamics.linearize(end.t, end.q, end.v, end.a, end.lambda, true, true);
      is_linearized = true;
      dynamics.adjoint(seeds.a.data(), seeds.lambda.data(), seeds.z.data());
      add_integrals(o, seeds);
    }
    const double* z = seeds.z.data();
    q[o].assign(z, z + mesh.n);
    v[o].assign(z + mesh.n, z + 2 * mesh.n);
  }
}

void AdjointBundle::add_integrals(std::size_t objective, const Seeds& seeds, double weight) {
  const double* from = seeds.data();
  for (std::size_t k = 0; k < data[objective].size(); ++k) data[objective][k] += weight * from[k];
  for (std::size_t k = 0; k < seeds.parameters.size(); ++k) {
    parameters[objective][k] += weight * seeds.parameters[k];
  }
}

void AdjointBundle::change_data(const System& system) {
  for (std::vector<double>& of : data) of.assign(static_cast<std::size_t>(system.data_count()), 0.0);
}

Gradient AdjointBundle::finish(const Problem& problem, const Evaluation& run, const std::vector<int>& over) {
  Gradient out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  warn_of_edges(problem, run, over, out.warnings);
  warn_of_loads_behind_events(problem, run, out.warnings);
  analysis::StartState initial = start_state(problem);
  initial.constraints().expect_few();
  refuse_contradictions(problem, run, over, initial);
  const std::vector<char> is_of_start = data_of_start(problem);
  const bool moves = std::any_of(is_of_start.begin(), is_of_start.end(), [](char each) { return each != 0; });
  for (std::size_t o = 0; o < q.size(); ++o) {
    if (moves) initial.adjoint(problem.start, *run.data, run.initial, q[o].data(), v[o].data(), data[o].data());
    problem.system->data_adjoint(*run.data, data[o].data(), parameters[o].data());
    out.derivatives.emplace_back();
    for (int index : over) out.derivatives.back().push_back(parameters[o][static_cast<std::size_t>(index)]);
  }
  return out;
}

ImplicitStepAdjoint::ImplicitStepAdjoint(Dynamics& dynamics)
    : dynamics_(dynamics),
      w_(static_cast<std::size_t>(dynamics.n() + dynamics.m())),
      z_(static_cast<std::size_t>(2 * dynamics.n() + dynamics.system().data_count())) {}

void ImplicitStepAdjoint::solve(double gamma, double* q, double* v, double* data) {
  // With P = I - gamma f_v - gamma^2 f_q (of the accelerations): P^T x_v = b_v + gamma b_q, x_q = b_q + gamma f_q^T
  // x_v. P^-T = [I 0] S(0)^T S(gamma)^-T [I; 0], and S(0)^-T (x_v, 0) is the very vector w that the solve gives.
  const auto n = static_cast<std::size_t>(dynamics_.n());
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) w_[i] = v[i] + gamma * q[i];
  dynamics_.solve_transposed(w_.data());
  std::fill_n(v, n, 0.0);
  dynamics_.apply_mass_transposed(w_.data(), v);
  std::fill(z_.begin(), z_.end(), 0.0);
  dynamics_.subtract_partials_transposed(w_.data(), z_.data());
  for (std::size_t i = 0; i < n; ++i) q[i] += gamma * z_[i];
  for (std::size_t k = 0; k < z_.size() - 2 * n; ++k) data[k] += gamma * z_[2 * n + k];
}

}  // namespace perilune::sensitivity
