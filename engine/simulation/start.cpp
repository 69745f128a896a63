// SPDX-License-Identifier: MIT
// What every run starts from.
#include "analysis/mobility.hpp"
#include "analysis/start_warnings.hpp"
#include "at_time.hpp"
#include "error.hpp"
#include "formulation/remedy.hpp"
#include "profile.hpp"
#include "simulation/determined.hpp"

namespace perilune::simulation {

namespace {

void check_constraints(const Problem& problem, const analysis::Mobility& found) {
  // Rounding would decide about their multipliers without being noticed.
  if (found.redundant.empty() || formulation::properties(problem.formulation).is_regularized) return;
  const std::string names = system::describe(found.redundant);
  const bool is_bound = std::holds_alternative<integrator::Variational>(problem.integrator);
  const std::string also = is_bound ? ", with another integrator" : "";
  if (found.singular_freedoms > 0) {
    throw NumericalError(at_time(problem.start) + "the start is a singular position, where the constraints of " +
                         names + " lose their hold; start elsewhere, or " +
                         formulation::use_instead(problem.formulation, formulation::Trouble::SingularStart, true) +
                         also);
  }
  if (formulation::properties(problem.formulation).allows_redundancy())
    return;  // only multipliers are not unique then: see check_multipliers
  const std::string form = std::holds_alternative<formulation::Index1>(problem.formulation)
                               ? "the index-1 form"
                               : formulation::name_of(problem.formulation);
  throw NumericalError("redundant constraints of " + names + ": " + form +
                       " cannot tell their multipliers apart; leave them out, or " +
                       formulation::use_instead(problem.formulation, formulation::Trouble::Redundancy, true) + also);
}

/// A frame in the plane, or of rods, is meant to stand still; joints of bodies in space may jam by a rounding.
bool has_bodies_in_space(const System& system) {
  for (int row = 0; row < system.constraint_count(); ++row) {
    if (system.is_internal_constraint(row)) return true;  // that of its Euler parameters
  }
  return false;
}

void check_start(const Problem& problem, analysis::ConstraintSolver& constraints, Evaluation& run) {
  const analysis::Mobility found = analysis::mobility(constraints, problem.start, *run.data, run.initial.q);
  check_constraints(problem, found);
  run.has_no_freedom = found.degrees_of_freedom == 0 && has_bodies_in_space(*problem.system);
  run.warnings = analysis::singularity_warnings(found, problem.start);
  if (!found.redundant.empty() && problem.system->nr().size() > 0) {
    constraints.evaluate(problem.start, run.initial.q.data(), *run.data);
    system::require_determined_reads(*problem.system, *run.data, run.initial.q,
                                     system::constraint_rank(*problem.system, constraints.workspace()).rows);
  }
  const formulation::Properties form = formulation::properties(problem.formulation);
  if (found.redundant.empty() || !form.allows_redundancy()) return;
  run.has_redundant = true;
  if (form.has_independent_coordinates()) {
    require_determined_objectives(problem, *run.data, problem.start, run.initial.q.data());
  } else if (found.singular_freedoms > 0) {
    return;  // what is dependent here alone
  }
  run.warnings.push_back("redundant constraints of " + system::describe(found.redundant) +
                         ": the motion does not depend on them, but the reactions of these joints and of those that "
                         "they follow from are not determined: what is shown is one possibility of many");
}

}  // namespace

analysis::StartState start_state(const Problem& problem) {
  return {problem.system, problem.independent, problem.from ? analysis::StartFrom::Declared : problem.start_from};
}

Evaluation prepare(const Problem& problem, const std::vector<double>& parameters) {
  const TimedTask timed(Task::Start);
  Evaluation run;
  run.data = problem.system->make_data(parameters);
  if (problem.from) run.data = analysis::starting_at(problem.from->q, problem.from->v, *run.data);
  analysis::StartState start = start_state(problem);
  run.initial = start.solve(problem.start, run.data);
  check_start(problem, start.constraints(), run);
  // A start at rest is meant to be another position, with velocities that fit there; and who names independent
  // coordinates declares the others only roughly.
  const bool is_declared = problem.start_from == analysis::StartFrom::Declared && problem.independent.empty();
  if (problem.from || is_declared) {
    const auto origin = problem.from ? analysis::StartOrigin::Run : analysis::StartOrigin::Script;
    for (std::string& each : analysis::start_warnings(*problem.system, problem.start, *run.data, run.initial, origin)) {
      run.warnings.push_back(std::move(each));
    }
  }
  if (!run.initial.slip.empty()) run.warnings.push_back(run.initial.slip);
  return run;
}

Evaluation prepare_at(const Problem& problem, std::shared_ptr<const Data> data, std::vector<double> q,
                      std::vector<double> v) {
  Evaluation run;
  run.data = std::move(data);
  run.initial.q = std::move(q);
  run.initial.v = std::move(v);
  analysis::Assembly assembly(problem.system, {});
  check_start(problem, assembly.constraints(), run);
  return run;
}

}  // namespace perilune::simulation
