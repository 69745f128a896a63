#include "sensitivity/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "analysis/mobility.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

Objective::Objective(std::string n, std::shared_ptr<const expr::Graph> g, expr::NodeId t, expr::NodeId i)
    : name(std::move(n)), graph(std::move(g)) {
  if (t != expr::no_node) terminal.emplace(*graph, std::vector<expr::NodeId>{t});
  if (i != expr::no_node) integral.emplace(*graph, std::vector<expr::NodeId>{i});
  if (!terminal && !integral) throw Error("objective \"" + name + "\" needs a terminal or an integral part");
}

double checked_value(const Objective& objective, const Measure& measure, const system::MotionPoint& at,
                     std::vector<double>& work) {
  measure.evaluate(at, work);
  const double value = measure.value(work, 0);
  if (std::isfinite(value)) return value;
  char time[48];
  std::snprintf(time, sizeof time, "at t = %.6g s: ", at.t);
  throw NumericalError(std::string(time) + "objective \"" + objective.name +
                       "\" is not a finite number: " + measure.explain_failure(*objective.graph, work));
}

Quadrature::Quadrature(const Problem& problem, const std::vector<double>& parameters)
    : problem_(problem),
      parameters_(parameters),
      tableau_(integrator::tableau_of(problem.integrator)),
      totals_(problem.objectives.size(), 0.0),
      pending_(totals_) {
  for (const auto& objective : problem.objectives) {
    work_.push_back(objective->integral ? objective->integral->make_work() : std::vector<double>());
  }
}

void Quadrature::begin_step(double, double h) {
  h_ = h;
  std::fill(pending_.begin(), pending_.end(), 0.0);
}

void Quadrature::stage(int i, double t, const double* q, const double* v, const double* a, const double* lambda, bool) {
  const double weight = h_ * tableau_.b[static_cast<std::size_t>(i)];
  if (weight == 0) return;
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    const Objective& objective = *problem_.objectives[k];
    if (!objective.integral) continue;
    pending_[k] +=
        weight * checked_value(objective, *objective.integral, {t, q, v, a, lambda, parameters_.data()}, work_[k]);
  }
}

void Quadrature::accept(double, double, const double*, const double*) {
  for (std::size_t k = 0; k < totals_.size(); ++k) totals_[k] += pending_[k];
}

namespace {

void check_constraints(const Problem& problem, const analysis::Mobility& found) {
  // Rounding would decide about their multipliers without being noticed.
  if (found.redundant.empty() || formulation::stabilization(problem.formulation).compliance > 0) return;
  const std::string names = system::describe(found.redundant);
  if (found.singular_freedoms > 0) {
    throw NumericalError(analysis::at_time(problem.start) +
                         "the start is a singular position, where the constraints of " + names +
                         " lose their hold; start elsewhere, or use mbs.penalty, which allows it");
  }
  throw NumericalError("redundant constraints of " + names +
                       ": the index-1 form cannot tell their multipliers apart; "
                       "leave them out, or use mbs.penalty, which allows them");
}

}  // namespace

Evaluation prepare(const Problem& problem, const std::vector<double>& parameters) {
  Evaluation run;
  run.data = problem.system->make_data(parameters);
  if (problem.from) run.data = analysis::starting_at(problem.from->q, problem.from->v, *run.data);
  analysis::Assembly assembly(problem.system, problem.independent);
  run.initial = assembly.solve(problem.start, *run.data);
  const analysis::Mobility found = analysis::mobility(assembly.constraints(), problem.start, *run.data, run.initial.q);
  check_constraints(problem, found);
  run.warnings = analysis::singularity_warnings(found, problem.start);
  return run;
}

void simulate(const Problem& problem, Dynamics& dynamics, const std::vector<double>* grid,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run) {
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, dynamics, grid, quadrature, listeners, run);
}

void simulate(const Problem& problem, Dynamics& dynamics, const std::vector<double>* grid, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run) {
  const std::vector<double>& parameters = run.data->parameters;
  integrator::Options options;
  options.start = problem.start;
  options.end = problem.end;
  options.grid = grid;
  options.progress = problem.progress;
  if (!problem.objectives.empty()) options.listeners.push_back(&quadrature);
  options.listeners.insert(options.listeners.end(), listeners.begin(), listeners.end());
  run.solution = integrate(dynamics, run.initial.q.data(), run.initial.v.data(), problem.integrator, options);
  run.values = quadrature.totals();
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  const system::MotionPoint end{mesh.t[last],    mesh.q_at(last),      mesh.v_at(last),
                                mesh.a_at(last), mesh.lambda_at(last), parameters.data()};
  try {
    for (std::size_t k = 0; k < run.values.size() && run.solution.status == integrator::Status::Completed; ++k) {
      const Objective& objective = *problem.objectives[k];
      if (!objective.terminal) continue;
      auto work = objective.terminal->make_work();
      run.values[k] += checked_value(objective, *objective.terminal, end, work);
    }
  } catch (const NumericalError& failure) {  // the motion itself is worth keeping
    run.solution.status = integrator::Status::Failed;
    run.solution.message = failure.what();
  }
  if (run.solution.status != integrator::Status::Completed) {
    std::fill(run.values.begin(), run.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters, const std::vector<double>* grid,
                    const std::vector<integrator::StepListener*>& listeners) {
  Evaluation run = prepare(problem, parameters);
  Dynamics dynamics(problem.system, run.data, problem.formulation);
  simulate(problem, dynamics, grid, listeners, run);
  return run;
}

}  // namespace perilune::sensitivity
