// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/hessian.hpp"

#include <numeric>

#include "error.hpp"
#include "processor_time.hpp"
#include "sensitivity/discrete/backward.hpp"

namespace perilune::sensitivity {

namespace {

std::string objection_to_the_motion(const Problem& problem) {
  if (!problem.phases.empty()) return "second derivatives are not offered through phases";
  if (problem.from) return "second derivatives need a motion that starts as declared, not from a given state";
  if (const simulation::Objective* extremum = simulation::find_extremum(problem)) {
    return "second derivatives are not offered of extrema over time, as objective \"" + extremum->name +
           "\" is one; m:gradient has first ones";
  }
  if (problem.stop && problem.stop->is_end_time)
    return "second derivatives need a fixed end time, and t follows parameters; give it as a number";
  if (problem.stop)
    return "second derivatives need a fixed end time, without a stop condition; give t and stop = false";
  if (std::holds_alternative<integrator::Variational>(problem.integrator)) {
    return "second derivatives are not offered with variational steps yet; trapezoidal and generalized_alpha have them";
  }
  if (!std::holds_alternative<integrator::Rosenbrock>(problem.integrator)) return {};
  return "second derivatives are not offered with " + integrator::name_of(problem.integrator) +
         ": its steps contain derivatives of the forces already; radau and sdirk4 have them";
}

std::string objection_to_the_form(const Problem& problem, const Motion& motion) {
  if (motion.has_residuals()) return {};
  return "second derivatives are not offered with " + formulation::name_of(problem.formulation) +
         "; maggi and index1, without projection, have them";
}

}  // namespace

std::string objection_to_second_derivatives(const Problem& problem, const std::vector<double>& parameters) {
  std::string why = objection_to_the_motion(problem);
  if (!why.empty()) return why;
  const auto motion =
      formulation::make_motion(problem.system, problem.system->make_data(parameters), problem.formulation);
  return objection_to_the_form(problem, *motion);
}

HessianProduct hessian_product(const Problem& given, const std::vector<double>& parameters,
                               const std::vector<int>& over, const std::vector<double>& direction) {
  if (given.objectives.empty()) throw Error("second derivatives need at least one objective");
  if (const std::string why = objection_to_the_motion(given); !why.empty()) throw Error(why);
  const double before = processor_time();
  Problem problem = given;
  problem.system = System::differentiated_by(over, given.system);
  std::vector<double> full(parameters.size(), 0.0);
  for (std::size_t k = 0; k < over.size(); ++k) full[static_cast<std::size_t>(over[k])] += direction[k];

  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  if (const std::string why = objection_to_the_form(problem, *motion); !why.empty()) throw Error(why);
  const TangentBundle tangent(problem, run, std::vector<std::vector<double>>{full});
  Quadrature quadrature(problem, run.data->parameters);
  TangentListener listener(problem, *motion, tangent, quadrature);
  TangentRecord tangents(listener, tangent, full);
  NodeRecord record(*motion);
  simulate(problem, *motion, nullptr, quadrature, {&record, &listener, &tangents}, run);
  require_complete(run.solution);
  if (!run.solution.events.empty()) {
    // A fixed step would only step over them: its second derivatives mean as little.
    throw NumericalError("second derivatives do not go through events, as that of \"" +
                         run.solution.events.front().name +
                         "\"; make its law smooth, or take differences of gradients over small changes");
  }

  AdjointBundle first(problem), second(problem);
  SecondSweep sweep{tangents, second, system::SecondOrder(*problem.system)};
  Backward(problem, run, *motion, first, &sweep).run(record);
  analysis::StartState initial = start_state(problem);
  std::vector<double> along(static_cast<std::size_t>(problem.system->data_count()));
  problem.system->data_tangent(*run.data, full.data(), along.data());
  for (std::size_t o = 0; o < second.q.size(); ++o) {
    initial.curvature(problem.start, *run.data, run.initial, along.data(), first.q[o].data(), first.v[o].data(),
                      second.data[o].data());
  }

  HessianProduct out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  out.derivatives = first.finish(problem, run, over).derivatives;  // and first.data now hold those of the start too
  for (std::size_t o = 0; o < second.q.size(); ++o) {
    initial.adjoint(problem.start, *run.data, run.initial, second.q[o].data(), second.v[o].data(),
                    second.data[o].data());
    problem.system->data_adjoint_rate(*run.data, full.data(), first.data[o].data(), second.data[o].data(),
                                      second.parameters[o].data());
    out.products.emplace_back();
    for (int index : over) out.products.back().push_back(second.parameters[o][static_cast<std::size_t>(index)]);
    if (!problem.objectives[o]->smooth) continue;
    // psi = f(J): psi_rho = f' J_rho, psi_rhorho d = f' J_rhorho d + f'' (J_rho d) J_rho.
    const simulation::SmoothMaximum& smooth = *problem.objectives[o]->smooth;
    const double time = simulation::time_in_window(problem, *problem.objectives[o]);
    const double integral = smooth.integral(out.values[o], time), slope = smooth.slope(integral, time);
    std::vector<double>& derivatives = out.derivatives[o];
    const double along_direction = std::inner_product(direction.begin(), direction.end(), derivatives.begin(), 0.0);
    for (std::size_t k = 0; k < over.size(); ++k) {
      double& product = out.products.back()[k];
      product = slope * product + smooth.curvature(integral, time) * along_direction * derivatives[k];
    }
    for (double& derivative : derivatives) derivative *= slope;
  }
  out.seconds = processor_time() - before;
  return out;
}

}  // namespace perilune::sensitivity
