#include "sensitivity/tangent.hpp"

namespace perilune::sensitivity {

TangentBundle::TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& which)
    : count(static_cast<int>(which.size())),
      n(problem.system->coordinate_count()),
      m(problem.system->constraint_count()),
      over(which) {
  const System& system = *problem.system;
  analysis::Assembly assembly(problem.system, problem.independent);
  for (int index : over) {
    std::vector<double> unit(static_cast<std::size_t>(system.parameter_count()), 0.0);
    unit[static_cast<std::size_t>(index)] = 1;
    data.emplace_back(static_cast<std::size_t>(system.data_count()));
    system.data_tangent(*start.data, unit.data(), data.back().data());
    q.emplace_back(static_cast<std::size_t>(n));
    v.emplace_back(static_cast<std::size_t>(n));
    assembly.tangent(problem.start, *start.data, start.initial, data.back().data(), q.back().data(), v.back().data());
  }
}

void add_directional(const Seeds& seeds, const std::vector<int>& over, int direction, const double* dq,
                     const double* dv, const double* da, const double* dlambda, double& out) {
  double sum = seeds.parameters[static_cast<std::size_t>(over[static_cast<std::size_t>(direction)])];
  for (std::size_t i = 0; i < seeds.q.size(); ++i) sum += seeds.q[i] * dq[i] + seeds.v[i] * dv[i] + seeds.a[i] * da[i];
  for (std::size_t i = 0; i < seeds.lambda.size(); ++i) sum += seeds.lambda[i] * dlambda[i];
  out += sum;
}

void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  dynamics.linearize(end.t, end.q, end.v, end.a, end.lambda, true, true);
  Seeds seeds(bundle.n, bundle.m, problem.system->parameter_count());
  ObjectiveWork work(problem);
  std::vector<double> da(static_cast<std::size_t>(bundle.n)), dlambda(static_cast<std::size_t>(bundle.m));
  for (int p = 0; p < bundle.count; ++p) {
    const auto d = static_cast<std::size_t>(p);
    dynamics.tangent(bundle.q[d].data(), bundle.v[d].data(), bundle.data[d].data(), da.data(), dlambda.data());
    for (std::size_t k = 0; k < problem.objectives.size(); ++k) {
      if (!problem.objectives[k]->terminal) continue;
      seeds.clear();
      seeds.add(*problem.objectives[k]->terminal, work.terminal[k], end, 1);
      add_directional(seeds, bundle.over, p, bundle.q[d].data(), bundle.v[d].data(), da.data(), dlambda.data(),
                      derivatives[k][d]);
    }
  }
}

}  // namespace perilune::sensitivity
