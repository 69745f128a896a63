#include "sensitivity/tangent.hpp"

namespace perilune::sensitivity {

TangentBundle::TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& which)
    : count(static_cast<int>(which.size())),
      n(problem.system->coordinate_count()),
      m(problem.system->constraint_count()),
      data(static_cast<std::size_t>(problem.system->data_count() * count)),
      q(static_cast<std::size_t>(n * count)),
      v(q),
      over(which) {
  const System& system = *problem.system;
  analysis::Assembly assembly(problem.system, problem.independent);
  std::vector<double> dd(static_cast<std::size_t>(system.data_count())), dq(static_cast<std::size_t>(n)), dv(dq);
  for (std::size_t k = 0; k < over.size(); ++k) {
    std::vector<double> unit(static_cast<std::size_t>(system.parameter_count()), 0.0);
    unit[static_cast<std::size_t>(over[k])] = 1;
    system.data_tangent(*start.data, unit.data(), dd.data());
    assembly.tangent(problem.start, *start.data, start.initial, dd.data(), dq.data(), dv.data());
    for (std::size_t i = 0; i < dd.size(); ++i) data[i * over.size() + k] = dd[i];
    for (std::size_t i = 0; i < dq.size(); ++i) {
      q[i * over.size() + k] = dq[i];
      v[i * over.size() + k] = dv[i];
    }
  }
}

void add_directional(const Seeds& seeds, const TangentBundle& bundle, const double* dq, const double* dv,
                     const double* dx, double* out) {
  const auto count = static_cast<std::size_t>(bundle.count);
  for (std::size_t k = 0; k < count; ++k) out[k] += seeds.parameters[static_cast<std::size_t>(bundle.over[k])];
  auto add = [&](const std::vector<double>& seed, const double* d) {
    for (std::size_t i = 0; i < seed.size(); ++i) {
      if (seed[i] == 0) continue;
      for (std::size_t k = 0; k < count; ++k) out[k] += seed[i] * d[i * count + k];
    }
  };
  add(seeds.q, dq);
  add(seeds.v, dv);
  add(seeds.a, dx);
  add(seeds.lambda, dx + seeds.a.size() * count);
}

void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  dynamics.linearize(end.t, end.q, end.v, end.a, end.lambda, true, true);
  std::vector<double> dx(static_cast<std::size_t>((bundle.n + bundle.m) * bundle.count));
  dynamics.tangent(bundle.q.data(), bundle.v.data(), bundle.data.data(), bundle.count, dx.data());
  Seeds seeds(bundle.n, bundle.m, problem.system->parameter_count());
  ObjectiveWork work(problem);
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    if (!problem.objectives[o]->terminal) continue;
    seeds.clear();
    seeds.add(*problem.objectives[o]->terminal, work.terminal[o], end, 1);
    add_directional(seeds, bundle, bundle.q.data(), bundle.v.data(), dx.data(), derivatives[o].data());
  }
}

}  // namespace perilune::sensitivity
