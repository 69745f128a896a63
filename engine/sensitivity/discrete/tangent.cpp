// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/tangent.hpp"

#include <algorithm>

#include "sensitivity/contradiction.hpp"
#include "sensitivity/discrete/start_data.hpp"

namespace perilune::sensitivity {

namespace {

std::vector<std::vector<double>> unit_directions(const System& system, const std::vector<int>& over) {
  std::vector<std::vector<double>> directions;
  for (int index : over) {
    directions.emplace_back(static_cast<std::size_t>(system.parameter_count()), 0.0);
    directions.back()[static_cast<std::size_t>(index)] = 1;
  }
  return directions;
}

}  // namespace

TangentBundle::TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& over)
    : TangentBundle(problem, start, unit_directions(*problem.system, over)) {
  if (!start.has_redundant) return;
  analysis::StartState initial = start_state(problem);
  refuse_contradictions(problem, start, over, initial);
}

TangentBundle::TangentBundle(const Problem& problem, const Evaluation& start,
                             const std::vector<std::vector<double>>& directions)
    : count(static_cast<int>(directions.size())),
      n(problem.system->coordinate_count()),
      m(problem.system->constraint_count()),
      z(static_cast<std::size_t>((2 * n + problem.system->data_count()) * count)),
      parameters(static_cast<std::size_t>(problem.system->parameter_count() * count)) {
  const System& system = *problem.system;
  analysis::StartState initial = start_state(problem);
  initial.constraints().expect_few();
  const auto data_count = static_cast<std::size_t>(system.data_count()), size = static_cast<std::size_t>(n);
  const std::vector<char> is_of_start = data_of_start(problem);
  // Those that move the start stand one behind another: it is linearized once for all of them.
  std::vector<double> dd(data_count * directions.size()), of_start;
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    double* own = dd.data() + k * data_count;
    system.data_tangent(*start.data, directions[k].data(), own);
    bool moves = false;
    for (std::size_t i = 0; i < data_count; ++i) moves = moves || (is_of_start[i] && own[i] != 0);
    if (!moves) continue;
    moving.push_back(k);
    of_start.insert(of_start.end(), own, own + data_count);
  }
  std::vector<double> dq(size * moving.size()), dv(dq);
  if (!moving.empty()) {
    initial.tangents(problem.start, *start.data, start.initial, static_cast<int>(moving.size()), of_start.data(),
                     dq.data(), dv.data());
  }
  const auto interleave = [this](const double* from, std::size_t many, std::size_t k, double* to) {
    for (std::size_t i = 0; i < many; ++i) to[i * static_cast<std::size_t>(count) + k] = from[i];
  };
  for (std::size_t j = 0; j < moving.size(); ++j) {
    interleave(dq.data() + j * size, size, moving[j], z.data());
    interleave(dv.data() + j * size, size, moving[j], z.data() + half());
  }
  for (std::size_t k = 0; k < directions.size(); ++k) {
    interleave(dd.data() + k * data_count, data_count, k, z.data() + 2 * half());
    interleave(directions[k].data(), directions[k].size(), k, parameters.data());
  }
}

void add_directional(const Measure& measure, std::vector<double>& work, double weight, const TangentBundle& bundle,
                     const double* z, const double* x, double* out, int output) {
  const int n = bundle.n, count = bundle.count;
  measure.visit_gradient(work, output, [&](expr::Quantity quantity, int index, double slope) {
    using expr::Quantity;
    slope *= weight;
    const double* tangents = nullptr;
    switch (quantity) {
      case Quantity::Position:
        tangents = z + index * count;
        break;
      case Quantity::Velocity:
        tangents = z + (n + index) * count;
        break;
      case Quantity::Acceleration:
        tangents = x + index * count;
        break;
      case Quantity::Multiplier:
        tangents = x + (n + index) * count;
        break;
      case Quantity::Parameter:
        tangents = bundle.parameters.data() + index * count;
        break;
      case Quantity::Time:
        if (bundle.times.empty()) return;
        tangents = bundle.times.data();
        break;
      case Quantity::Side:
      case Quantity::Argument:
      case Quantity::Absence:
        return;
    }
    for (int k = 0; k < count; ++k) out[k] += slope * tangents[k];
  });
}

void add_terminal(const Problem& problem, const Evaluation& run, const TangentBundle& bundle, const double* z,
                  const double* x, std::vector<std::vector<double>>& derivatives) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  ObjectiveWork work(problem);
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    auto add = [&](const Measure& measure, std::vector<double>& numbers, double weight) {
      measure.evaluate(end, numbers);
      add_directional(measure, numbers, weight, bundle, z, x, derivatives[o].data());
    };
    if (problem.objectives[o]->terminal) add(*problem.objectives[o]->terminal, work.terminal[o], 1);
    if (!problem.stop) continue;
    std::vector<double> numbers = problem.stop->terminal->make_work();
    add(*problem.stop->terminal, numbers, -stop_weight(problem, run, o));
  }
}

void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  const integrator::Mesh& mesh = run.solution.mesh;
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  dynamics.linearize(end.t, end.q, end.v, end.a, end.lambda, true, true);
  std::vector<double> x(static_cast<std::size_t>((bundle.n + bundle.m) * bundle.count));
  dynamics.tangent(bundle.z.data(), bundle.count, x.data());
  add_terminal(problem, run, bundle, bundle.z.data(), x.data(), derivatives);
}

}  // namespace perilune::sensitivity
