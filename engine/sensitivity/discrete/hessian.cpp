// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/hessian.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "extrapolation.hpp"
#include "processor_time.hpp"
#include "sensitivity/discrete/backward.hpp"

namespace perilune::sensitivity {

namespace {

/// The adjoints of the data that the initial state's adjoints amount to, at other parameters: [objective][data].
std::vector<double> initial_data_adjoints(const Problem& problem, const std::vector<double>& parameters,
                                          const AdjointBundle& bundle) {
  const auto data = problem.system->make_data(parameters);
  analysis::StartState initial = start_state(problem);
  const analysis::ConsistentState state = initial.solve(problem.start, data);
  const auto count = static_cast<std::size_t>(problem.system->data_count());
  std::vector<double> out(bundle.q.size() * count, 0.0);
  for (std::size_t o = 0; o < bundle.q.size(); ++o) {
    initial.adjoint(problem.start, *data, state, bundle.q[o].data(), bundle.v[o].data(), out.data() + o * count);
  }
  return out;
}

/// Their derivative along a direction at fixed adjoints of the state.
std::vector<double> initial_curvature(const Problem& problem, const std::vector<double>& parameters,
                                      const std::vector<double>& direction, const AdjointBundle& bundle) {
  double largest = 1e-300;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    largest = std::max(largest, std::abs(direction[i]) / std::max(1.0, std::abs(parameters[i])));
  }
  auto central = [&](double h) {
    auto moved = [&](double by) {
      std::vector<double> at = parameters;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += by * direction[i];
      return initial_data_adjoints(problem, at, bundle);
    };
    std::vector<double> out = moved(h);
    const std::vector<double> down = moved(-h);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - down[i]) / (2 * h);
    return out;
  };
  return extrapolated(central, 8e-3 / largest, 3);
}

}  // namespace

HessianProduct hessian_product(const Problem& given, const std::vector<double>& parameters,
                               const std::vector<int>& over, const std::vector<double>& direction) {
  if (given.objectives.empty()) throw Error("second derivatives need at least one objective");
  if (given.from) throw Error("second derivatives need a motion that starts as declared, not from a given state");
  if (given.stop)
    throw Error("second derivatives need a fixed end time, without a stop condition; give t and stop = false");
  if (std::holds_alternative<integrator::Rosenbrock>(given.integrator)) {
    throw Error("second derivatives are not offered with " + integrator::name_of(given.integrator) +
                ": its steps contain derivatives of the forces already; radau and sdirk4 have them");
  }
  const double before = processor_time();
  Problem problem = given;
  problem.system = System::differentiated_by(over, given.system);
  std::vector<double> full(parameters.size(), 0.0);
  for (std::size_t k = 0; k < over.size(); ++k) full[static_cast<std::size_t>(over[k])] += direction[k];

  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  if (!motion->has_residuals()) {
    throw Error("second derivatives are not offered with " + formulation::name_of(problem.formulation) +
                "; maggi and index1, without projection, have them");
  }
  const TangentBundle tangent(problem, run, std::vector<std::vector<double>>{full});
  Quadrature quadrature(problem, run.data->parameters);
  TangentListener listener(problem, *motion, tangent, quadrature);
  TangentRecord tangents(listener, tangent, full);
  NodeRecord record(*motion);
  simulate(problem, *motion, nullptr, quadrature, {&record, &listener, &tangents}, run);
  require_complete(run.solution);
  if (!run.solution.events.empty()) {
    throw NumericalError("second derivatives do not follow the events of adaptive steps, as that of \"" +
                         run.solution.events.front().name + "\"; use a fixed step, which has none");
  }

  AdjointBundle first(problem), second(problem);
  SecondSweep sweep{tangents, second, system::SecondOrder(*problem.system)};
  Backward(problem, run, *motion, first, &sweep).run(record);
  const std::vector<double> curvature = initial_curvature(problem, parameters, full, first);
  std::size_t i = 0;
  for (std::vector<double>& data : second.data) {
    for (double& x : data) x += curvature[i++];
  }

  HessianProduct out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  out.derivatives = first.finish(problem, run, over).derivatives;  // and first.data now hold those of the start too
  analysis::StartState initial = start_state(problem);
  for (std::size_t o = 0; o < second.q.size(); ++o) {
    initial.adjoint(problem.start, *run.data, run.initial, second.q[o].data(), second.v[o].data(),
                    second.data[o].data());
    problem.system->data_adjoint_rate(*run.data, full.data(), first.data[o].data(), second.data[o].data(),
                                      second.parameters[o].data());
    out.products.emplace_back();
    for (int index : over) out.products.back().push_back(second.parameters[o][static_cast<std::size_t>(index)]);
  }
  out.seconds = processor_time() - before;
  return out;
}

}  // namespace perilune::sensitivity
