#include "sensitivity/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/mobility.hpp"
#include "analysis/start_warnings.hpp"
#include "at_time.hpp"
#include "error.hpp"
#include "formulation/remedy.hpp"
#include "integrator/audit.hpp"
#include "integrator/crossing.hpp"
#include "sensitivity/phases.hpp"

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
  throw NumericalError(at_time(at.t) + "objective \"" + objective.name +
                       "\" is not a finite number: " + measure.explain_failure(*objective.graph, work));
}

Quadrature::Quadrature(const Problem& problem, const std::vector<double>& parameters)
    : problem_(problem), parameters_(parameters), totals_(problem.objectives.size(), 0.0) {}

void Quadrature::rate(const integrator::March& march, int i, std::size_t node) {
  while (work_.size() <= node) {
    work_.emplace_back();
    for (const auto& objective : problem_.objectives) {
      work_.back().push_back(objective->integral ? objective->integral->make_work() : std::vector<double>());
    }
  }
  const formulation::Node& x = march.node(i);
  double* rates = at(rate_ring_, march.slot(i));
  const double* sides = march.motion().data().sides.data();
  const system::MotionPoint point{x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides};
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    const Objective& objective = *problem_.objectives[k];
    if (objective.integral) rates[k] = checked_value(objective, *objective.integral, point, work_[node][k]);
  }
}

void Quadrature::start(const integrator::March& march) {
  total_ring_.assign(totals_.size() * march.ring(), 0.0);
  rate_ring_ = total_ring_;
  rate(march, -1, 0);
  const double* first = at(rate_ring_, march.slot(-1));
  for (int k = 2; k <= march.start_count(); ++k) {
    std::copy_n(first, totals_.size(), at(rate_ring_, march.slot(-k)));
  }
}

void Quadrature::group(const integrator::March& march, std::size_t g) {
  const int first = march.plan().groups[g].first;
  for (int i = first; i < march.plan().group_end(g); ++i) {
    if (!march.plan().has_rate[static_cast<std::size_t>(i)]) continue;
    rate(march, i, static_cast<std::size_t>(i - first));
  }
}

std::vector<double> Quadrature::totals_with(const integrator::March& march) {
  std::vector<double> sums(totals_.size());
  sum(march, march.plan().quadrature, sums);
  return sums;
}

bool Quadrature::reads_switch(int number) const {
  return std::any_of(problem_.objectives.begin(), problem_.objectives.end(), [&](const auto& o) {
    return o->integral && std::find(o->switches.begin(), o->switches.end(), number) != o->switches.end();
  });
}

std::vector<double> Quadrature::rates(const formulation::Node& x, const std::vector<double>& sides) {
  const system::MotionPoint point{x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides.data()};
  std::vector<double> out(totals_.size(), 0.0);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Objective& objective = *problem_.objectives[k];
    std::vector<double> work = objective.integral ? objective.integral->make_work() : std::vector<double>();
    if (objective.integral) out[k] = checked_value(objective, *objective.integral, point, work);
  }
  return out;
}

bool Quadrature::reads_time() const {
  return std::any_of(problem_.objectives.begin(), problem_.objectives.end(),
                     [](const auto& o) { return o->integral && o->integral->reads(expr::Quantity::Time); });
}

std::vector<double> Quadrature::rates_at_end(const integrator::March& march) {
  std::vector<double> rates(totals_.size(), 0.0);
  const auto end = static_cast<std::size_t>(march.plan().end);
  if (march.plan().has_rate[end])
    std::copy_n(at(rate_ring_, march.slot(march.plan().end)), rates.size(), rates.begin());
  return rates;
}

double Quadrature::error(const integrator::March& march, std::span<const integrator::QuadratureLink> estimate,
                         double absolute, double relative) {
  const int last = march.plan().end;
  estimates_.resize(totals_.size());
  fresh_.resize(totals_.size());
  sizes_.resize(totals_.size(), 0.0);
  sum(march, march.plan().quadrature, fresh_);
  std::copy(fresh_.begin(), fresh_.end(), at(total_ring_, march.slot(last)));
  sum(march, estimate, estimates_);
  double largest = 0;
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    if (!problem_.objectives[k]->integral) continue;
    double rate = std::abs(at(rate_ring_, march.slot(last))[k]);
    for (const integrator::QuadratureLink& link : estimate) {
      if (link.of_rate != 0) rate = std::max(rate, std::abs(at(rate_ring_, march.slot(link.node))[k]));
    }
    const double limit = absolute + relative * (sizes_[k] + march.h() * rate);
    largest = std::max(largest, std::abs(estimates_[k]) / limit);
  }
  return largest;
}

void Quadrature::sum(const integrator::March& march, std::span<const integrator::QuadratureLink> links,
                     std::vector<double>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (const integrator::QuadratureLink& link : links) {
    const double *total = at(total_ring_, march.slot(link.node)), *rates = at(rate_ring_, march.slot(link.node));
    const double weight = march.h() * link.of_rate;
    for (std::size_t k = 0; k < totals_.size(); ++k) {
      if (link.of_total != 0) sums[k] += link.of_total * total[k];
      if (weight != 0) sums[k] += weight * rates[k];
    }
  }
}

void Quadrature::accept(const integrator::March& march) {
  sum(march, march.plan().quadrature, totals_);
  const std::size_t end = march.slot(march.plan().end);
  std::copy(totals_.begin(), totals_.end(), at(total_ring_, end));
  if (estimates_.empty() || march.h() == 0) return;
  errors_.resize(totals_.size(), 0.0);
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    errors_[k] += std::abs(std::exchange(estimates_[k], 0.0));
    sizes_[k] += march.h() * std::abs(at(rate_ring_, end)[k]);
  }
}

namespace {

void check_constraints(const Problem& problem, const analysis::Mobility& found) {
  // Rounding would decide about their multipliers without being noticed.
  if (found.redundant.empty() || formulation::properties(problem.formulation).is_regularized) return;
  const std::string names = system::describe(found.redundant);
  if (found.singular_freedoms > 0) {
    throw NumericalError(at_time(problem.start) + "the start is a singular position, where the constraints of " +
                         names + " lose their hold; start elsewhere, or " +
                         formulation::use_instead(problem.formulation, formulation::Trouble::SingularStart, true));
  }
  if (formulation::properties(problem.formulation).allows_redundancy())
    return;  // only multipliers are not unique then: see check_multipliers
  const std::string form = std::holds_alternative<formulation::Index1>(problem.formulation)
                               ? "the index-1 form"
                               : formulation::name_of(problem.formulation);
  throw NumericalError("redundant constraints of " + names + ": " + form +
                       " cannot tell their multipliers apart; leave them out, or " +
                       formulation::use_instead(problem.formulation, formulation::Trouble::Redundancy, true));
}

/// Rows that take part in a redundancy, where only a sum of multipliers is determined.
std::vector<char> undetermined_rows(const System& s, const linalg::RowRank& rank) {
  std::vector<char> out(static_cast<std::size_t>(s.constraint_count()), 0);
  for (const linalg::RowRank::Dependent& d : rank.dependent) {
    out[static_cast<std::size_t>(d.row)] = 1;
    for (const auto& [row, share] : d.on) {
      if (share != 0) out[static_cast<std::size_t>(row)] = 1;
    }
  }
  return out;
}

/// Independent coordinates leave redundant constraints out: objectives must not depend on which.
void check_multipliers(const Problem& problem, const linalg::RowRank& rank) {
  const std::vector<char> undetermined = undetermined_rows(*problem.system, rank);
  for (const auto& objective : problem.objectives) {
    for (const auto* part : {&objective->terminal, &objective->integral}) {
      if (!*part || !(*part)->reads(expr::Quantity::Multiplier)) continue;
      auto work = (*part)->make_work();
      (*part)->visit_gradient(work, 0, [&](expr::Quantity quantity, int row, double) {
        if (quantity != expr::Quantity::Multiplier || !undetermined[static_cast<std::size_t>(row)]) return;
        throw NumericalError("objective \"" + objective->name + "\" reads a multiplier of " +
                             problem.system->describe_constraint(row) +
                             ", which redundant constraints leave undetermined; leave the redundant ones out of the "
                             "model");
      });
    }
  }
}

}  // namespace

namespace {

/// The condition of a problem, and its objectives at the end of an attempted step.
class Stopper final : public integrator::StopCondition {
 public:
  /// `has_begun`: of a run that is repeated, and only asked for its end.
  Stopper(const Problem& problem, Quadrature& quadrature, const std::vector<double>& parameters, bool has_begun)
      : problem_(problem),
        quadrature_(quadrature),
        parameters_(parameters),
        work_(problem.stop->terminal->make_work()),
        search_(*problem.stop->terminal),
        has_been_negative_(has_begun) {
    for (const auto& objective : problem.objectives) {
      terminal_.push_back(objective->terminal ? objective->terminal->make_work() : std::vector<double>());
    }
  }
  double value(const formulation::Node& x) override {
    const double value = checked_value(*problem_.stop, *problem_.stop->terminal, at(x), work_);
    if (!problem_.is_phase || has_been_negative_) return value;
    // Rounding decides about its sign where a phase begins with what ended the one before.
    has_been_negative_ = value < 0;
    return has_been_negative_ ? value : -std::numeric_limits<double>::min();
  }
  std::optional<double> crossing(const formulation::Node& start, const formulation::Node& end,
                                 double at_start) override {
    if (problem_.is_phase && !(has_been_negative_ && value(start) < 0)) return std::nullopt;
    sign_.assign(1, at_start < 0 ? -1 : at_start > 0 ? 1 : 0);
    const auto found = search_(start, end, parameters_.data(), nullptr, sign_);
    return found ? std::optional(found->after) : std::nullopt;
  }
  std::vector<double> objectives(const integrator::March& march) override {
    std::vector<double> values = quadrature_.totals_with(march);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Objective& objective = *problem_.objectives[k];
      if (!objective.terminal) continue;
      values[k] += checked_value(objective, *objective.terminal, at(march.node(march.plan().end)), terminal_[k]);
    }
    if (problem_.is_phase) {
      const formulation::Node& end = march.node(march.plan().end);
      const int n = problem_.system->coordinate_count();
      values.insert(values.end(), end.q, end.q + n);
      values.insert(values.end(), end.v, end.v + n);
    }
    return values;
  }

 private:
  system::MotionPoint at(const formulation::Node& x) const {
    return {x.t, x.q, x.v, x.a, x.lambda, parameters_.data()};
  }

  const Problem& problem_;
  Quadrature& quadrature_;
  const std::vector<double>& parameters_;
  std::vector<double> work_, sign_;
  integrator::CrossingSearch search_;
  std::vector<std::vector<double>> terminal_;
  bool has_been_negative_;
};

}  // namespace

double stop_weight(const Problem& problem, const Evaluation& run, std::size_t objective) {
  const std::optional<integrator::Stop>& stop = run.solution.stop;
  if (!stop) throw NumericalError("the stop condition was not met before the end time, so that nothing depends on it");
  const double weight = stop->objectives[objective] / stop->slope;
  if (!std::isfinite(weight)) {
    throw NumericalError(at_time(run.solution.mesh.t.back()) + "the stop condition \"" + problem.stop->name +
                         "\" touches zero without crossing it: it has no derivatives there");
  }
  return weight;
}

namespace {

void check_start(const Problem& problem, analysis::ConstraintSolver& constraints, Evaluation& run) {
  const analysis::Mobility found = analysis::mobility(constraints, problem.start, *run.data, run.initial.q);
  check_constraints(problem, found);
  run.warnings = analysis::singularity_warnings(found, problem.start);
  if (found.redundant.empty() || !formulation::properties(problem.formulation).has_independent_coordinates) return;
  constraints.evaluate(problem.start, run.initial.q.data(), *run.data);
  check_multipliers(problem, system::constraint_rank(*problem.system, constraints.workspace()).rows);
  run.warnings.push_back("redundant constraints of " + system::describe(found.redundant) +
                         ": the motion does not depend on them, but the reactions of these joints and of those that "
                         "they follow from are not determined: what is shown is one possibility of many");
}

}  // namespace

analysis::StartState start_state(const Problem& problem) {
  return {problem.system, problem.independent, problem.from ? analysis::StartFrom::Declared : problem.start_from};
}

Evaluation prepare(const Problem& problem, const std::vector<double>& parameters) {
  Evaluation run;
  run.data = problem.system->make_data(parameters);
  if (problem.from) run.data = analysis::starting_at(problem.from->q, problem.from->v, *run.data);
  analysis::StartState start = start_state(problem);
  run.initial = start.solve(problem.start, run.data);
  check_start(problem, start.constraints(), run);
  // A start at rest is meant to be another position, with velocities that fit there; and who names independent
  // coordinates declares the others only roughly.
  const bool is_declared = !problem.from && problem.start_from == analysis::StartFrom::Declared;
  if (is_declared && problem.independent.empty()) {
    for (std::string& each : analysis::start_warnings(*problem.system, *run.data, run.initial, true)) {
      run.warnings.push_back(std::move(each));
    }
  }
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

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run) {
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, motion, repeat, quadrature, listeners, run);
}

void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run, Keep keep) {
  const std::vector<double>& parameters = run.data->parameters;
  integrator::Options options;
  options.start = problem.start;
  options.end = problem.end;
  options.repeat = repeat;
  options.progress = problem.progress;
  options.keeps_mesh = keep == Keep::Mesh;
  options.end_moves = problem.is_phase;  // since its start does
  std::optional<Stopper> stopper;
  if (problem.stop) options.stop = &stopper.emplace(problem, quadrature, parameters, repeat != nullptr);
  if (!problem.objectives.empty()) {
    options.listeners.push_back(&quadrature);
    options.integrals = &quadrature;
  }
  options.listeners.insert(options.listeners.end(), listeners.begin(), listeners.end());
  std::optional<integrator::Audit> audit;
  if (!repeat) options.listeners.push_back(&audit.emplace(motion, problem.formulation, problem.integrator));
  run.solution =
      integrate(motion, run.initial.q.data(), run.initial.v.data(), problem.formulation, problem.integrator, options);
  run.values = quadrature.totals();
  for (const integrator::SteppedOver& jump : run.solution.stepped_over) {
    run.warnings.push_back(at_time(jump.t) + "a fixed step went across a jump of " + jump.what +
                           ": the result is off by as much as a step is long, and derivatives do not converge; " +
                           "adaptive steps (mbs.dormand_prince, radau, bdf or rosenbrock without a step) end there");
  }
  for (const std::string& name : motion.system().unfollowed()) {
    run.warnings.push_back("\"" + name + "\" has more conditions, signs or absolute values than are followed (1000): " +
                           "steps go across them unseen, and derivatives know nothing of jumps; mbs.spline makes a " +
                           "smooth table");
  }
  for (const integrator::LetGo& each : run.solution.let_go) {
    run.warnings.push_back(at_time(each.t) + "\"" + each.name +
                           "\" changed its side again and again, each time after a few steps, and was not followed for "
                           "a while: objectives and derivatives may be off; a max_step well below the time between its "
                           "changes has all of them found");
  }
  for (const integrator::ConstraintJump& jump : run.solution.constraint_jumps) {
    run.warnings.push_back(sentence(jump, motion.system()) + "; " + formulation::name_of(problem.formulation) +
                           " gives way to it, and catches up in a time of its own");
  }
  run.integral_errors = quadrature.errors();
  if (audit) {
    run.quality = audit->quality();
    const std::vector<std::string> sentences = audit->warnings();
    run.warnings.insert(run.warnings.end(), sentences.begin(), sentences.end());
  }
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

Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters, const integrator::Steps* repeat,
                    const std::vector<integrator::StepListener*>& listeners) {
  if (!problem.phases.empty()) return evaluate_phases(problem, parameters);
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  simulate(problem, *motion, repeat, listeners, run);
  return run;
}

}  // namespace perilune::sensitivity
