// SPDX-License-Identifier: MIT
#include "sensitivity/second/hessian.hpp"

#include <algorithm>
#include <numeric>

#include "error.hpp"
#include "fingerprint.hpp"
#include "processor_time.hpp"
#include "sensitivity/felt_loads.hpp"
#include "sensitivity/second/second_adjoints.hpp"

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

/// So many share a motion: the tangents of all its nodes are kept for each.
constexpr std::size_t most_directions = 16;

using Directions = std::vector<std::vector<double>>;

/// The products along some directions of all parameters, with the gradient, from what came to the start of the motion.
void add_products(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                  const Directions& directions, SecondAdjoints adjoints, HessianProducts& out) {
  const System& system = *problem.system;
  analysis::StartState initial = start_state(problem);
  const std::size_t objectives = problem.objectives.size();
  std::vector<double> along(static_cast<std::size_t>(system.data_count()));
  AdjointBundle& first = adjoints.first;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    system.data_tangent(*run.data, directions[k].data(), along.data());
    for (std::size_t o = 0; o < objectives; ++o) {
      initial.curvature(problem.start, *run.data, run.initial, along.data(), first.q[o].data(), first.v[o].data(),
                        adjoints.seconds[k].data[o].data());
    }
  }
  out.derivatives = first.finish(problem, run, over).derivatives;  // and first.data now hold those of the start too
  for (std::size_t k = 0; k < directions.size(); ++k) {
    AdjointBundle& second = adjoints.seconds[k];
    std::vector<std::vector<double>>& products = out.products.emplace_back();
    for (std::size_t o = 0; o < objectives; ++o) {
      initial.adjoint(problem.start, *run.data, run.initial, second.q[o].data(), second.v[o].data(),
                      second.data[o].data());
      system.data_adjoint_rate(*run.data, directions[k].data(), first.data[o].data(), second.data[o].data(),
                               second.parameters[o].data());
      products.emplace_back();
      for (const int index : over) products.back().push_back(second.parameters[o][static_cast<std::size_t>(index)]);
    }
  }
}

/// psi = f(J): psi_rho = f' J_rho, psi_rhorho d = f' J_rhorho d + f'' (J_rho d) J_rho.
void take_smooth_maxima(const Problem& problem, const Directions& directions, HessianProducts& out) {
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    if (!problem.objectives[o]->smooth) continue;
    const simulation::SmoothMaximum& smooth = *problem.objectives[o]->smooth;
    const double time = simulation::time_in_window(problem, *problem.objectives[o]);
    const double integral = smooth.integral(out.values[o], time), slope = smooth.slope(integral, time);
    std::vector<double>& derivatives = out.derivatives[o];
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double along = std::inner_product(directions[k].begin(), directions[k].end(), derivatives.begin(), 0.0);
      std::vector<double>& product = out.products[k][o];
      for (std::size_t p = 0; p < product.size(); ++p) {
        product[p] = slope * product[p] + smooth.curvature(integral, time) * along * derivatives[p];
      }
    }
    for (double& derivative : derivatives) derivative *= slope;
  }
}

/// For as many directions as share a motion, by the numbers of `over` in each.
HessianProducts along_one_motion(const Problem& problem, const std::vector<double>& parameters,
                                 const std::vector<int>& over, const Directions& directions,
                                 const DiscreteAdjoint& method) {
  Directions full;
  for (const std::vector<double>& direction : directions) {
    full.emplace_back(parameters.size(), 0.0);
    for (std::size_t k = 0; k < over.size(); ++k) full.back()[static_cast<std::size_t>(over[k])] += direction[k];
  }
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  if (const std::string why = objection_to_the_form(problem, *motion); !why.empty()) throw Error(why);
  const TangentBundle tangent(problem, run, full);
  Quadrature quadrature(problem, run.data->parameters);
  TangentListener listener(problem, *motion, tangent, quadrature, TangentListener::Readers::Others);
  TangentRecord tangents(listener, tangent);
  NodeRecord record(*motion);
  simulate(problem, *motion, nullptr, quadrature, {&record, &listener, &tangents}, run);
  require_complete(run.solution);
  if (!run.solution.events.empty()) {
    // A fixed step would only step over them: its second derivatives mean as little.
    throw NumericalError("second derivatives do not go through events, as that of \"" +
                         run.solution.events.front().name +
                         "\"; make its law smooth, or take differences of gradients over small changes");
  }

  Fingerprint print;
  print.add(run.data->packed).add(run.values);
  for (const std::vector<double>& direction : full) print.add(direction);
  const std::string title = "second derivatives, motion " + print.text();
  const system::SecondOrder products(*problem.system);
  const formulation::Memory memory = motion->memory();
  const TwiceFollowed followed{problem, run, record, tangents, directions.size(), products, title, memory};
  SecondAdjoints adjoints = method.intervals > 0
                                ? second_adjoints_over_intervals(followed, method, motion->has_own_rate())
                                : second_adjoints(followed, method.threads);
  HessianProducts out;
  out.values = run.values;
  out.statistics = run.solution.statistics;
  out.warnings = run.warnings;
  warn_of_turning_loads(problem, out.warnings);
  if (!adjoints.warning.empty()) out.warnings.push_back(adjoints.warning);
  out.linearizations = adjoints.linearizations;
  add_products(problem, run, over, full, std::move(adjoints), out);
  take_smooth_maxima(problem, directions, out);
  return out;
}

}  // namespace

std::string objection_to_second_derivatives(const Problem& problem, const std::vector<double>& parameters) {
  std::string why = objection_to_the_motion(problem);
  if (!why.empty()) return why;
  const auto motion =
      formulation::make_motion(problem.system, problem.system->make_data(parameters), problem.formulation);
  return objection_to_the_form(problem, *motion);
}

HessianProducts hessian_products(const Problem& given, const std::vector<double>& parameters,
                                 const std::vector<int>& over, const Directions& directions,
                                 const DiscreteAdjoint& method) {
  if (given.objectives.empty()) throw Error("second derivatives need at least one objective");
  if (directions.empty()) throw Error("second derivatives need at least one direction");
  if (method.checkpoints > 0) throw Error("second derivatives keep all nodes: give intervals, or no checkpoints");
  if (const std::string why = objection_to_the_motion(given); !why.empty()) throw Error(why);
  const double before = processor_time();
  Problem problem = given;
  problem.system = System::differentiated_by(over, given.system);
  HessianProducts out;
  for (auto first = directions.begin(); first != directions.end();) {
    const auto left = static_cast<std::size_t>(directions.end() - first);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(left, most_directions));
    HessianProducts part = along_one_motion(problem, parameters, over, Directions(first, last), method);
    std::vector<std::vector<std::vector<double>>> products = std::move(out.products);
    std::move(part.products.begin(), part.products.end(), std::back_inserter(products));
    part.linearizations += out.linearizations;
    out = std::move(part);
    out.products = std::move(products);
    first = last;
  }
  out.seconds = processor_time() - before;
  return out;
}

}  // namespace perilune::sensitivity
